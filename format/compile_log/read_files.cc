#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "format/compile_log/compile_log.h"

namespace yp::compile_log {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReadBytes = size_t{1} << 18;

Status ReadFile(const std::string& path, std::vector<char>& buffer, Reader& reader) {
  const auto cannot = [&path](int error) {
    return Status::Error("cannot read " + path + ": " + std::strerror(error) +
                         "; check the path and its permissions");
  };
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot(errno);
  Status status;
  ssize_t got = 0;
  int error = 0;
  do {
    got = read(fd, buffer.data(), buffer.size());
    error = got < 0 ? errno : 0;
    if (got > 0) status = reader.Take({buffer.data(), static_cast<size_t>(got)});
  } while (status && (got > 0 || error == EINTR));
  close(fd);
  if (error != 0) return cannot(error);
  if (status) status = reader.EndFile();
  if (!status) return Status::Error(path + ": " + std::string(status.message()));
  return status;
}

// Whether it is the log of a compiler thread of that process: a file of the same name may be of
// another machine's, or container's.
bool IsOfProcess(const std::string& path, int64_t process) {
  std::array<char, 512> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<size_t>(file.gcount()));
  return LooksLikeThreadLog(begin) &&
         begin.substr(0, begin.find('>')).find(" process='" + std::to_string(process) + "'") !=
             std::string_view::npos;
}

// Where the machine has put it, or beside the log; empty when it is in neither place.
std::string FindThreadLog(const std::string& file, const std::string& log, int64_t process) {
  const std::string beside = (fs::path(log).parent_path() / fs::path(file).filename()).string();
  for (const std::string& path : {file, beside}) {
    std::error_code error;
    if (fs::is_regular_file(path, error) && IsOfProcess(path, process)) return path;
  }
  return "";
}

}  // namespace

Result<Summary> ReadFiles(const std::vector<std::string>& paths, JitEventSink* sink) {
  Reader reader(sink);
  std::vector<char> buffer(kReadBytes);
  for (const std::string& path : paths) {
    if (Status read = ReadFile(path, buffer, reader); !read) return read;
  }
  return reader.summary();
}

Result<Summary> ReadWithThreadLogs(const std::string& path, JitEventSink* sink) {
  Reader reader(sink);
  std::vector<char> buffer(kReadBytes);
  if (Status read = ReadFile(path, buffer, reader); !read) return read;
  const Summary log = reader.summary();
  for (const std::string& file : log.missing_thread_logs) {
    const std::string found = FindThreadLog(file, path, log.process_id.value_or(0));
    if (found.empty()) continue;
    if (Status read = ReadFile(found, buffer, reader); !read) return read;
  }
  return reader.summary();
}

}  // namespace yp::compile_log
