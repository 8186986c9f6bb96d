#include "recorder/part_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <tuple>

namespace yp {
namespace {

// Not strftime, whose locale is the program's.
std::string TimeText(std::time_t now) {
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d%02d%02d-%02d%02d%02d", utc.tm_year + 1900,
                utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return text.data();
}

// As TimeText writes it, perhaps with a number behind.
bool IsTimeText(std::string_view text) {
  constexpr size_t kDay = 8, kTime = 15;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < kTime || text[kDay] != '-') return false;
  for (size_t i = 0; i < kTime; ++i) {
    if (i != kDay && !is_digit(text[i])) return false;
  }
  const std::string_view number = text.substr(kTime);
  if (number.empty()) return true;
  return number.size() > 1 && number[0] == '.' && std::ranges::all_of(number.substr(1), is_digit);
}

bool Exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

// Calls literal(text) and time() for the pattern's pieces, in their order.
template <typename Literal, typename Time>
void ForEachPiece(std::string_view pattern, int pid, const Literal& literal, const Time& time) {
  while (!pattern.empty()) {
    const char next = pattern.size() > 1 ? pattern[1] : 0;
    const bool is_pair = pattern[0] == '%' && (next == 'p' || next == 't' || next == '%');
    if (!is_pair) {
      literal(pattern.substr(0, 1));
    } else if (next == 'p') {
      literal(std::to_string(pid));
    } else if (next == '%') {
      literal("%");
    } else {
      time();
    }
    pattern.remove_prefix(is_pair ? 2 : 1);
  }
}

}  // namespace

std::string ExpandPattern(std::string_view pattern, int pid, std::time_t now) {
  std::string path;
  ForEachPiece(
      pattern, pid, [&](std::string_view text) { path += text; }, [&] { path += TimeText(now); });
  return path;
}

std::string AbsolutePattern(std::string_view pattern) {
  std::array<char, PATH_MAX> folder{};
  if (pattern.starts_with('/') || getcwd(folder.data(), folder.size()) == nullptr) {
    return std::string(pattern);
  }
  std::string absolute;
  for (const char c : std::string_view(folder.data())) absolute.append(c == '%' ? 2 : 1, c);
  return absolute + '/' + std::string(pattern);
}

PartFiles::PartFiles(std::string_view pattern, int pid) {
  const size_t slash = pattern.rfind('/');
  const size_t name_begin = slash == std::string_view::npos ? 0 : slash + 1;
  ForEachPiece(
      pattern.substr(0, name_begin), pid, [&](std::string_view text) { directory_ += text; },
      [&] { has_time_in_directory_ = true; });
  ForEachPiece(
      pattern.substr(name_begin), pid,
      [&](std::string_view text) { (times_in_name_ == 0 ? before_ : after_) += text; },
      [&] { ++times_in_name_; });
}

Status PartFiles::Check() const {
  if (times_in_name_ == 1 && !has_time_in_directory_) return Status::Ok();
  return Status::Error(
      "loop needs one %t, the time, in the file's name, and none in a folder's: such as "
      "spool=/var/log/app-%p-%t.yp-spool");
}

std::string PartFiles::NewPath(std::time_t now) const {
  const std::string begin = directory_ + before_ + TimeText(now);
  std::string path = begin + after_;
  for (int number = 2; Exists(path); ++number) path = begin + "." + std::to_string(number) + after_;
  return path;
}

bool PartFiles::IsOne(std::string_view name) const {
  if (name.size() < before_.size() + after_.size()) return false;
  if (!name.starts_with(before_) || !name.ends_with(after_)) return false;
  name.remove_prefix(before_.size());
  name.remove_suffix(after_.size());
  return IsTimeText(name);
}

std::vector<PartFiles::File> PartFiles::Find() const {
  std::vector<File> files;
  DIR* const directory = opendir(directory_.empty() ? "." : directory_.c_str());
  if (directory == nullptr) return files;
  while (const dirent* const entry = readdir(directory)) {
    if (!IsOne(entry->d_name)) continue;
    const std::string path = directory_ + entry->d_name;
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({path, static_cast<uint64_t>(status.st_size)});
  }
  closedir(directory);
  // A number that is longer is greater.
  const size_t whole = directory_.size() + before_.size() + 15;
  std::ranges::sort(files, {}, [&](const File& file) {
    return std::tuple(file.path.substr(0, whole), file.path.size(), file.path);
  });
  return files;
}

std::vector<PartFiles::File> PartFiles::Prune(const Limits& limits,
                                              const std::string& current) const {
  std::vector<File> files = Find();
  uint64_t bytes = 0;
  for (const File& file : files) bytes += file.bytes;
  size_t left = files.size();
  std::erase_if(files, [&](const File& file) {
    const bool is_over = left > limits.keep || (limits.max_bytes && bytes > *limits.max_bytes);
    if (!is_over || file.path == current || unlink(file.path.c_str()) != 0) return false;
    --left;
    bytes -= file.bytes;
    return true;
  });
  return files;
}

}  // namespace yp
