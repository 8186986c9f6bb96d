#include "cli/temporary_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace yp {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<std::unique_ptr<TemporaryDirectory>> TemporaryDirectory::Create(const std::string& name) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string pattern = parent / ("yp-" + name + "-XXXXXX");
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return Status::Error(
        fmt::format("cannot create a directory in {}: {}; set TMPDIR", parent.native(),
                    error ? error.message() : std::generic_category().message(errno)));
  }
  return std::unique_ptr<TemporaryDirectory>(new TemporaryDirectory(pattern));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Result<std::unique_ptr<StreamsInFiles>> StreamsInFiles::Open(const std::string& stdout_path,
                                                             const std::string& stderr_path) {
  std::unique_ptr<StreamsInFiles> streams(new StreamsInFiles());
  const std::string paths[] = {"/dev/null", stdout_path, stderr_path};
  for (size_t i = 0; i < 3; ++i) {
    const int flags = i == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    streams->fds_[i] = open(paths[i].c_str(), flags | O_CLOEXEC, 0600);
    if (streams->fds_[i] >= 0) continue;
    return Status::Error(fmt::format("cannot {} {}: {}", i == 0 ? "read" : "write", paths[i],
                                     std::generic_category().message(errno)));
  }
  return streams;
}

StreamsInFiles::~StreamsInFiles() {
  for (const int fd : fds_) {
    if (fd >= 0) close(fd);
  }
}

bool SameContents(const std::string& a, const std::string& b) {
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

std::string LastLine(const std::string& path) {
  std::ifstream in(path);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace yp
