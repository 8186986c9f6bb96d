#include "cli/output_path.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace yp {
namespace {

namespace fs = std::filesystem;

// The path without ".yp".
fs::path Stem(const fs::path& profile_path) {
  return profile_path.extension() == ".yp" ? fs::path(profile_path).replace_extension()
                                           : profile_path;
}

}  // namespace

std::string DefaultProfilePath(std::time_t now) {
  return fmt::format("yp-{:%Y%m%d-%H%M%S}.yp", fmt::localtime(now));
}

std::string DefaultPagePath(const std::vector<std::string>& profile_paths) {
  const fs::path last = profile_paths.back();
  std::string name = Stem(last.filename());
  if (profile_paths.size() > 1)
    name = Stem(fs::path(profile_paths[0]).filename()).native() + "-" + name;
  return last.parent_path() / (name + ".html");
}

Result<std::string> CheckOutputPath(const std::string& path) {
  if (path.empty()) return Status::Error("-o needs a file name, not nothing");
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (error) return Status::Error(fmt::format("-o {}: {}", path, error.message()));
  const fs::file_status status = fs::status(absolute, error);
  if (fs::is_directory(status) || !absolute.has_filename()) {
    return Status::Error(fmt::format("-o {} is a directory: name a file in it", path));
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return Status::Error(fmt::format("-o {} is no regular file: name one", path));
  }
  const fs::path directory = absolute.parent_path();
  if (!fs::is_directory(directory, error)) {
    return Status::Error(
        fmt::format("-o {}: there is no directory {}; create it first", path, directory.native()));
  }
  // Only trying tells: root may write anywhere but in a file system that takes no files.
  std::string probe = directory / ".yp-XXXXXX";
  const int fd = mkstemp(probe.data());
  if (fd >= 0) {
    close(fd);
    unlink(probe.c_str());
  } else {
    return Status::Error(fmt::format("-o {}: cannot write in {}: {}; name a file elsewhere", path,
                                     directory.native(), std::generic_category().message(errno)));
  }
  return absolute.native();
}

SpoolFiles::SpoolFiles(const std::string& profile_path, const std::string& tag)
    : directory_(fs::path(profile_path).parent_path()),
      prefix_(Stem(profile_path).filename().native() + "." + tag + "-") {}

std::string AsPattern(const std::string& path) {
  std::string pattern;
  for (const char c : path) pattern.append(c == '%' ? 2 : 1, c);
  return pattern;
}

std::string SpoolFiles::pattern() const {
  return AsPattern(directory_ + "/" + prefix_) + "%p" + kSuffix;
}

std::string SpoolFiles::PathOf(pid_t pid) const {
  return fmt::format("{}/{}{}{}", directory_, prefix_, pid, kSuffix);
}

std::vector<SpoolFiles::File> SpoolFiles::Find() const {
  std::vector<File> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(prefix_, 0) != 0) continue;
    const char* const end = name.data() + name.size();
    pid_t pid = 0;
    const auto parsed = std::from_chars(name.data() + prefix_.size(), end, pid);
    if (parsed.ec == std::errc() && std::string(parsed.ptr, end) == kSuffix) {
      files.push_back({entry.path(), pid});
    }
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.pid < b.pid; });
  return files;
}

std::string WithPid(const std::string& profile_path, pid_t pid) {
  return fmt::format("{}-{}.yp", Stem(profile_path).native(), pid);
}

}  // namespace yp
