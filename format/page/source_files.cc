#include "format/page/source_files.h"

#include <algorithm>
#include <compare>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/page/source_archive.h"

namespace yp {
namespace {

constexpr size_t kMaxLineBytes = 500;

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

// The text's lines, as they are kept.
std::string KeptLines(std::string_view text) {
  std::string kept;
  kept.reserve(text.size() + 1);
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    kept += line.substr(0, kMaxLineBytes);
    if (line.size() > kMaxLineBytes) kept += "…";
    kept += '\n';
  }
  return kept;
}

class Reader {
 public:
  explicit Reader(const WantedSources& wanted) : wanted_(wanted) {
    for (const auto& [path, worth] : wanted) {
      by_name_[std::string(FileNameOf(path))].push_back(path);
    }
  }

  // Looks where the wanted files may be.
  Status LookIn(const std::string& place) {
    Result<std::unique_ptr<SourceArchive>> archive = SourceArchive::Open(place);
    if (!archive) return archive.status();
    const Status listed = (*archive)->ForEach([&](std::string_view path) {
      const auto named = by_name_.find(std::string(FileNameOf(path)));
      if (named == by_name_.end()) return;
      for (const std::string& wanted : named->second) {
        if (!IsInFolders(path, wanted)) continue;
        candidates_.push_back({-wanted_.at(wanted), wanted, archives_.size(),
                               std::ranges::count(path, '/'), std::string(path)});
      }
    });
    if (!listed) return listed;
    archives_.push_back(std::move(*archive));
    return Status::Ok();
  }

  Result<SourceFiles> Read(size_t max_bytes) {
    std::ranges::sort(candidates_);
    SourceFiles files;
    size_t kept_bytes = 0;
    std::string_view done;
    for (const Candidate& candidate : candidates_) {
      if (candidate.wanted == done) continue;
      const Result<std::optional<std::string>> text =
          archives_[candidate.place]->Read(candidate.path);
      if (!text) return text.status();
      if (*text && !DeclaresPackage(**text, PackageOf(candidate.wanted))) continue;
      done = candidate.wanted;
      if (!*text) {
        files.left_out[candidate.wanted] = "it is larger than 16 MiB";
        continue;
      }
      std::string lines = KeptLines(**text);
      if (lines.size() > max_bytes - kept_bytes) {
        files.left_out[candidate.wanted] = "there was no room for it";
        continue;
      }
      kept_bytes += lines.size();
      files.texts[candidate.wanted] = std::move(lines);
    }
    files.missing = wanted_.size() - files.texts.size() - files.left_out.size();
    return files;
  }

 private:
  // In the order in which they are tried: what is worth most first; of one file the first place,
  // and there the nearest to the root.
  struct Candidate {
    double negative_worth;
    std::string wanted;
    size_t place;
    ptrdiff_t depth;
    std::string path;
    auto operator<=>(const Candidate&) const = default;
  };

  const WantedSources& wanted_;
  std::unordered_map<std::string, std::vector<std::string>> by_name_;
  std::vector<std::unique_ptr<SourceArchive>> archives_;
  std::vector<Candidate> candidates_;
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

Result<SourceFiles> ReadSourceFiles(std::span<const std::string> places,
                                    const WantedSources& wanted, size_t max_bytes) {
  Reader reader(wanted);
  for (const std::string& place : places) {
    if (Status looked = reader.LookIn(place); !looked) return looked;
  }
  return reader.Read(max_bytes);
}

}  // namespace yp
