#ifndef YP_FORMAT_PAGE_PAGE_TREE_H_
#define YP_FORMAT_PAGE_PAGE_TREE_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/graph/cct.h"
#include "format/page/json_writer.h"
#include "format/profile/profile.h"

namespace yp {

struct TreeToShow {
  const CallingContextTree* tree = nullptr;
  std::string_view unit;  // "samples", "calls" or "estimated calls".
  double sample_ns = 0;   // StackSampleNs; 0: not known, or the unit is calls.
  bool has_code = false;  // Its frames are told apart by the code that executed them.
};

// The trees of a profile that have anything in them. Stacks that are known with the code of their
// frames are not there a second time without.
std::vector<TreeToShow> TreesOf(const Profile& profile);

// The indices of the nodes that are kept so that there are at most so many: those with most below
// and in them, the root among them, parents before children.
std::vector<size_t> HeaviestNodes(const CallingContextTree& tree, size_t at_most);

// `ids`: those of the profile's methods in the page.
void WriteTree(const TreeToShow& shown, const Profile& profile, const std::vector<MethodId>& ids,
               size_t max_nodes, JsonWriter& json);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_TREE_H_
