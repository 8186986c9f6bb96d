#include "format/bytes/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "format/spool/errno_text.h"

namespace yp {
namespace {

// Returns 0 or an errno.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

Status WriteFile(const std::function<Status(const ByteSink&)>& make, const std::string& path,
                 std::string_view what) {
  const auto error = [&](int code) {
    return Status::Error("cannot write " + std::string(what) + " " + path + ": " +
                         spool::ErrnoText(code) + "; " + spool::ErrnoAdvice(code));
  };
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return error(errno);
  Status made = make([&](std::string_view bytes) {
    const int code = WriteAll(fd, bytes);
    return code == 0 ? Status::Ok() : error(code);
  });
  struct stat file {};
  const bool is_file = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
  if (close(fd) != 0 && made) made = error(errno);
  if (!made && is_file) unlink(path.c_str());
  return made;
}

Status WriteFile(std::string_view bytes, const std::string& path, std::string_view what) {
  return WriteFile([bytes](const ByteSink& sink) { return sink(bytes); }, path, what);
}

}  // namespace yp
