#include "cli/profile_argument.h"

#include <fmt/core.h>

#include "cli/above_zero.h"
#include "cli/notes.h"
#include "cli/progress.h"
#include "format/profile/warnings.h"

namespace yp {

void AddProfileArgument(CLI::App* command, std::string* path) {
  command->add_option("profile", *path, "A profile, or a spool that a run left behind")
      ->type_name("P")
      ->required();
}

void AddRowsOption(CLI::App* command, size_t* rows) {
  command->add_option("-n,--rows", *rows, fmt::format("How many [{}]", kDefaultRows))
      ->type_name("N")
      ->check(AboveZero());
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
