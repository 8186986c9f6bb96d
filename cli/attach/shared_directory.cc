#include "cli/attach/shared_directory.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace yp {

Result<std::unique_ptr<SharedDirectory>> SharedDirectory::Create(const std::string& name,
                                                                 uid_t owner, gid_t group) {
  const std::filesystem::path place = std::filesystem::temp_directory_path();
  std::string pattern = place / (name + "-XXXXXX");
  if (mkdtemp(pattern.data()) == nullptr || chown(pattern.c_str(), owner, group) != 0) {
    return Status::Error(fmt::format("cannot create a directory for uid {} in {}: {}", owner,
                                     place.native(), std::generic_category().message(errno)));
  }
  return std::unique_ptr<SharedDirectory>(new SharedDirectory(pattern));
}

SharedDirectory::~SharedDirectory() { rmdir(path_.c_str()); }

}  // namespace yp
