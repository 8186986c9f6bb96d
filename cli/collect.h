#ifndef YP_CLI_COLLECT_H_
#define YP_CLI_COLLECT_H_

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/output_path.h"
#include "format/profile/profile.h"

namespace yp {

// What the spools of a run became.
struct Collected {
  std::optional<Profile> profile;  // Of the JVM with the most calls; saved as asked.
  std::vector<std::string> notes;  // A line each: further profiles, spools left where they are.
};

enum class RunningJvms {
  kLeave,  // They go on writing; their spools stay, and a note says so.
  kTake,   // The agent was told to stop: what is in the spool is all.
};

// Makes profiles of spools and removes those that are saved. The profile of the JVM with the most
// calls goes to `profile_path`, the others beside it. A spool that cannot be read stays, and a note
// names it.
// An error when a profile cannot be saved: its spool stays and is named.
Result<Collected> Collect(const std::vector<SpoolFiles::File>& spools,
                          const std::string& profile_path, RunningJvms running);

// Whether the spool has its End record: the agent is done with it.
bool SpoolHasEnded(const std::string& path);

}  // namespace yp

#endif  // YP_CLI_COLLECT_H_
