#include "cli/java_release.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/java_command.h"

namespace yp {

namespace fs = std::filesystem;

Result<JdkRelease> ReleaseOf(const std::string& launcher) {
  std::error_code error;
  const fs::path java = fs::canonical(FindOnPath(launcher), error);
  if (error) return Status::Error(fmt::format("cannot find the program {}", launcher));
  const fs::path file = java.parent_path().parent_path() / "release";
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (std::optional<JdkRelease> release = ParseRelease(text)) return *std::move(release);
  return Status::Error(
      fmt::format("cannot tell which JDK {} is of: {} says no version", launcher, file.native()));
}

}  // namespace yp
