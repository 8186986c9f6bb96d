#include "format/page/source_lines.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/page/source_archive.h"

namespace yp {
namespace {

constexpr size_t kMaxLineBytes = 500;
constexpr size_t kMaxKeptBytes = 64 << 20;

std::string_view FileNameOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string PackageOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string package(slash == std::string_view::npos ? "" : path.substr(0, slash));
  std::ranges::replace(package, '/', '.');
  return package;
}

bool IsInFolders(std::string_view path, std::string_view wanted) {
  if (!path.ends_with(wanted)) return false;
  return path.size() == wanted.size() || path[path.size() - wanted.size() - 1] == '/';
}

// The text's first line, without its end; takes it off the text.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

class Reader {
 public:
  Reader(const SourceSites& sites, int around) : sites_(sites), around_(around) {
    for (const auto& [path, lines] : sites) {
      missing_.insert(path);
      by_name_[std::string(FileNameOf(path))].push_back(path);
    }
  }

  Status ReadFrom(const std::string& place) {
    const Result<std::unique_ptr<SourceArchive>> archive = SourceArchive::Open(place);
    if (!archive) return archive.status();
    // The nearest to the root first.
    std::vector<std::tuple<ptrdiff_t, std::string, std::string>> candidates;
    const Status listed = (*archive)->ForEach([&](std::string_view path) {
      const auto named = by_name_.find(std::string(FileNameOf(path)));
      if (named == by_name_.end()) return;
      for (const std::string& wanted : named->second) {
        if (IsInFolders(path, wanted)) {
          candidates.emplace_back(std::ranges::count(path, '/'), path, wanted);
        }
      }
    });
    if (!listed) return listed;
    std::ranges::sort(candidates);
    for (const auto& [depth, path, wanted] : candidates) {
      if (!missing_.contains(wanted)) continue;
      const Result<std::optional<std::string>> text = (*archive)->Read(path);
      if (!text) return text.status();
      if (*text && !DeclaresPackage(**text, PackageOf(wanted))) continue;
      missing_.erase(wanted);
      if (!*text || kept_bytes_ >= kMaxKeptBytes) {
        ++result_.left_out;
        continue;
      }
      Keep(**text, wanted);
    }
    return Status::Ok();
  }

  SourceLines Take() {
    result_.missing = missing_.size();
    return std::move(result_);
  }

 private:
  void Keep(std::string_view text, const std::string& path) {
    std::set<int> wanted;
    for (const int site : sites_.at(path)) {
      for (int line = std::max(1, site - around_); line <= site + around_; ++line) {
        wanted.insert(line);
      }
    }
    std::map<int, std::string>& lines = result_.files[path];
    int number = 0;
    for (auto next = wanted.begin(); next != wanted.end() && !text.empty();) {
      const std::string_view line = TakeLine(text);
      if (++number != *next) continue;
      lines[number] = line.substr(0, kMaxLineBytes);
      kept_bytes_ += lines[number].size();
      ++next;
    }
  }

  const SourceSites& sites_;
  const int around_;
  std::set<std::string> missing_;
  std::unordered_map<std::string, std::vector<std::string>> by_name_;
  size_t kept_bytes_ = 0;
  SourceLines result_;
};

}  // namespace

bool DeclaresPackage(std::string_view text, std::string_view package) {
  constexpr std::string_view kBlank = " \t";
  constexpr std::string_view kKeyword = "package";
  bool declares_any = false;
  while (!text.empty()) {
    std::string_view line = TakeLine(text);
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (!line.starts_with(kKeyword)) continue;
    line.remove_prefix(kKeyword.size());
    const size_t begin = line.find_first_not_of(kBlank);
    if (begin == 0 || begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    const std::string_view name = line.substr(0, line.find_first_of(" \t;/{"));
    declares_any = true;
    const bool is_around = package.starts_with(name) && package.size() > name.size() &&
                           package[name.size()] == '.' &&
                           !line.substr(name.size()).starts_with(';');
    if (name == package || is_around) return true;
  }
  return package.empty() && !declares_any;
}

Result<SourceLines> ReadSourceLines(std::span<const std::string> places, const SourceSites& sites,
                                    int around) {
  Reader reader(sites, around);
  for (const std::string& place : places) {
    if (Status read = reader.ReadFrom(place); !read) return read;
  }
  return reader.Take();
}

}  // namespace yp
