#include "format/exporters/exporters.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

const std::vector<std::string_view>& ExportFormatNames() {
  static const std::vector<std::string_view> kNames = {"pprof",      "callgrind", "collapsed",
                                                       "speedscope", "dot",       "json"};
  return kNames;
}

std::optional<ExportFormat> ParseExportFormat(std::string_view name) {
  const std::vector<std::string_view>& names = ExportFormatNames();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<ExportFormat>(it - names.begin());
}

bool HoldsContexts(ExportFormat format) {
  return format == ExportFormat::kPprof || format == ExportFormat::kCollapsed ||
         format == ExportFormat::kSpeedscope;
}

Status Export(const Profile& profile, ExportFormat format, const ExportOptions& options,
              std::string* out) {
  if (options.contexts && !HoldsContexts(format)) {
    return Status::Error(
        "this format has no place for calling contexts: choose pprof, collapsed or "
        "speedscope");
  }
  if (options.contexts && profile.contexts.total() <= 0) {
    return Status::Error("the profile has no calling contexts: " + std::string(kContextsAdvice));
  }
  switch (format) {
    case ExportFormat::kPprof:
      return ExportPprof(profile, options, out);
    case ExportFormat::kCallgrind:
      return ExportCallgrind(profile, options, out);
    case ExportFormat::kCollapsed:
      return ExportCollapsed(profile, options, out);
    case ExportFormat::kSpeedscope:
      return ExportSpeedscope(profile, options, out);
    case ExportFormat::kDot:
      return ExportDot(profile, options, out);
    case ExportFormat::kJson:
      return ExportJson(profile, options, out);
  }
  return Status::Error("there is no such export format");
}

Status ExportToFile(const Profile& profile, ExportFormat format, const ExportOptions& options,
                    const std::string& path) {
  std::string bytes;
  if (Status status = Export(profile, format, options, &bytes); !status) return status;
  const auto error = [&path](int code) {
    return Status::Error("cannot write the export " + path + ": " + spool::ErrnoText(code) + "; " +
                         spool::ErrnoAdvice(code));
  };
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return error(errno);
  int code = WriteAll(fd, bytes);
  struct stat file {};
  const bool is_file = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
  if (close(fd) != 0 && code == 0) code = errno;
  if (code == 0) return Status::Ok();
  if (is_file) unlink(path.c_str());
  return error(code);
}

}  // namespace yp
