#include "format/profile/warnings.h"

#include <string_view>
#include <utility>

namespace yp {

std::vector<std::string> Warnings(const Profile& profile) {
  std::vector<std::string> warnings;
  if (!profile.complete) {
    warnings.push_back(
        "the run was cut off (the JVM was killed or halted, or still runs): calls since the last "
        "write are missing");
  }
  if (!profile.damage.empty()) {
    warnings.push_back("part of the recording could not be used: " + profile.damage);
  }
  const std::string_view probe = profile.ConfigOr("probe", "");
  const bool at_entries = probe == "patch" || probe == "barrier";
  if (at_entries && profile.ConfigOr("infer", "no") == "no") {
    warnings.push_back(
        "only calls that run the entry of a compiled method were observed: those that the JIT has "
        "inlined are missing");
  }
  const bool has_stacks_alone = probe == "none" && profile.contexts.total() > 0;
  if (profile.edges.empty() && !has_stacks_alone) {
    std::string warning =
        "no calls were observed: check --include and --exclude, or take the JDK's own classes in "
        "with --scope all";
    if (at_entries) {
      warning += "; what runs for a second or in one inlined loop is seen by --probe bytecode";
    }
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace yp
