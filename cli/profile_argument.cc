#include "cli/profile_argument.h"

#include <fmt/core.h>

#include "cli/notes.h"
#include "cli/progress.h"
#include "format/profile/warnings.h"

namespace yp {

void AddProfileArgument(Flags command, std::string* path) {
  command.Option("profile", path, "A profile, or a spool that a run left behind")
      .Value("P")
      .Required();
}

void AddRowsOption(Flags command, size_t* rows, size_t default_rows) {
  command.Option("-n,--rows", rows, fmt::format("How many [{}]", default_rows))
      .Value("N")
      .AboveZero();
}

Result<Profile> LoadProfileArgument(const std::string& path) {
  const Progress progress(fmt::format("reading {}", path));
  Result<Profile> profile = LoadProfile(path);
  if (profile) {
    for (const std::string& warning : Warnings(*profile)) Note("warning: " + path + ": " + warning);
  }
  return profile;
}

}  // namespace yp
