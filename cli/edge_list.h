#ifndef YP_CLI_EDGE_LIST_H_
#define YP_CLI_EDGE_LIST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "format/profile/profile.h"

namespace yp {

struct EdgeSelection {
  std::string caller = "*";  // Globs on full names, or on names without their descriptor.
  std::string callee = "*";
  size_t limit = 0;  // 0 takes all.
};

// Whether the selection takes the edge, but for its limit.
bool MatchesSelection(const MethodTable& methods, const Edge& edge, const EdgeSelection& selection);
// The options --caller and --callee.
void AddEdgeSelection(Flags command, EdgeSelection* selection);

// The selected edges, those with the most calls first.
std::vector<const EdgeStats*> ChooseEdges(const Profile& profile, const EdgeSelection& selection);

// A table of edges that fits the width; shares are those of all calls of the profile.
std::string RenderEdges(const Profile& profile, const std::vector<const EdgeStats*>& edges,
                        size_t width);

}  // namespace yp

#endif  // YP_CLI_EDGE_LIST_H_
