#ifndef YP_CLI_SELECTION_ARGUMENTS_H_
#define YP_CLI_SELECTION_ARGUMENTS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/flags.h"
#include "format/profile/profile.h"

namespace yp {

// A stretch of a profile's run and some of its threads: --from, --to and --thread.
struct SelectionArguments {
  std::string from, to;  // Times as people write them; empty: from the start, to the end.
  std::vector<std::string> threads;  // Globs on names; empty: all.

  bool IsAll() const { return from.empty() && to.empty() && threads.empty(); }
};
void AddSelectionArguments(Flags command, SelectionArguments* arguments);

// A profile, or a spool, as LoadProfileArgument reads it, reduced to the selection; what that does
// not tell is said on stderr.
Result<Profile> LoadSelected(const std::string& path, const SelectionArguments& arguments);

}  // namespace yp

#endif  // YP_CLI_SELECTION_ARGUMENTS_H_
