#include "format/profile/merge.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/fold.h"

namespace yp {
namespace {

// The options that say which calls are seen and what a sample stands for.
constexpr std::array<std::string_view, 17> kAlike{
    config_key::kMode,       config_key::kProbe,   config_key::kPolicy,  config_key::kInterval,
    config_key::kContinuous, config_key::kInfer,   config_key::kScope,   config_key::kInclude,
    config_key::kExclude,    config_key::kTrivial, config_key::kTickNs,  config_key::kStride,
    config_key::kSamples,    config_key::kDelay,   config_key::kCorrect, config_key::kContexts,
    config_key::kMechanism};

struct Source {
  std::string path;
  std::unique_ptr<spool::SpoolReader> reader;
  ConfigEntries config;
  uint32_t part = 1;

  std::string Of(std::string_view key) const { return std::string(ConfigText(config, key)); }
  std::string Program() const { return ProgramOf(Of(config_key::kCommand)); }
  std::string Recording() const {
    const std::string start = Of(config_key::kStartTimeNs);
    if (start.empty()) return path;
    return start + " " + Of(config_key::kJvmPid) + " " + Of(config_key::kMachine);
  }
  int64_t StartNs() const { return ConfigNumber<int64_t>(config, config_key::kStartTimeNs); }
};

Status Refused(const std::string& path, const std::string& why) {
  return Status::Error(path + " cannot be merged: " + why);
}

Result<Source> Open(const std::string& path) {
  {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 15> head{};
    file.read(head.data(), head.size());
    if (std::string_view(head.data(), head.size()) == "SQLite format 3") {
      return Refused(path,
                     "it is a profile, which no longer has what inlined calls are inferred from; "
                     "merge the spools (*.yp-spool)");
    }
  }
  Source source{.path = path, .reader = nullptr, .config = {}};
  Result<std::unique_ptr<spool::SpoolReader>> head = spool::SpoolReader::Open(path);
  if (!head) return head.status();
  bool any = false;
  while (const std::optional<spool::Record> record = head.value()->Next()) {
    any = true;
    if (const auto* config = std::get_if<spool::Config>(&*record)) {
      for (const auto& [key, value] : config->entries) source.config[key] = value;
    } else if (const auto* part = std::get_if<spool::Part>(&*record)) {
      source.part = part->number;
    } else if (!source.config.empty()) {
      break;
    }
  }
  if (!any) return Refused(path, "it holds no records; leave it out");
  if (source.config.empty()) {
    return Refused(path, "what it is a recording of is lost with its beginning; leave it out");
  }
  Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(path);
  if (!reader) return reader.status();
  source.reader = std::move(reader).value();
  return source;
}

Status CheckAlone(const Source& source) {
  const std::string mode = source.Of(config_key::kMode);
  if (mode == "edges" || mode == "patching") {
    return Refused(source.path, "recordings of mode " + mode +
                                    " have no numbers of calls that add up; compare them instead");
  }
  if (source.Of(config_key::kJit) == "jfr") {
    return Refused(source.path,
                   "what compilers did (--jit) is told of one JVM at a time; leave it out");
  }
  return Status::Ok();
}

Status CheckTogether(const Source& first, const Source& other) {
  if (other.Program() != first.Program()) {
    return Refused(other.path, "it is of " + other.Program() + ", " + first.path + " of " +
                                   first.Program() + "; merge recordings of one program");
  }
  for (const std::string_view key : kAlike) {
    const std::string a = first.Of(key), b = other.Of(key);
    if (a == b) continue;
    const auto text = [](const std::string& value) {
      return value.empty() ? std::string("nothing") : value;
    };
    return Refused(other.path, "it was recorded with " + std::string(key) + " " + text(b) + ", " +
                                   first.path + " with " + text(a) +
                                   "; merge recordings with the same options");
  }
  return Status::Ok();
}

std::string PartName(const Source& source) {
  return "part " + std::to_string(source.part) + " of JVM " + source.Of(config_key::kJvmPid);
}

}  // namespace

std::string ProgramOf(std::string_view command) {
  const std::string_view first = command.substr(0, command.find(' '));
  return std::string(first.ends_with(".jar") ? first.substr(first.rfind('/') + 1) : first);
}

Result<MergedProfile> MergeSpools(std::span<const std::string> paths) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    Result<Source> source = Open(path);
    if (!source) return source.status();
    if (Status alone = CheckAlone(*source); !alone) return alone;
    if (!sources.empty()) {
      if (Status together = CheckTogether(sources.front(), *source); !together) return together;
    }
    sources.push_back(std::move(source).value());
  }
  if (sources.empty()) return Status::Error("there is nothing to merge: name spools");
  std::ranges::stable_sort(sources, [](const Source& a, const Source& b) {
    return std::tuple(a.StartNs(), a.Recording(), a.part) <
           std::tuple(b.StartNs(), b.Recording(), b.part);
  });
  MergedProfile merged;
  std::vector<SpoolToFold> spools;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    const bool is_next = i > 0 && sources[i - 1].Recording() == source.Recording();
    if (!is_next) {
      ++merged.recordings;
    } else if (sources[i - 1].part == source.part) {
      return Refused(source.path, "it is the same as " + sources[i - 1].path + " (" +
                                      PartName(source) + "); leave one out");
    } else if (sources[i - 1].part + 1 != source.part) {
      merged.notes.push_back("between " + sources[i - 1].path + " and " + source.path +
                             " parts are missing: nothing is known of the calls in them");
    }
    spools.push_back({source.reader.get(), source.Recording(), source.path});
  }
  Result<Profile> profile = FoldSpools(spools);
  if (!profile) return profile.status();
  merged.profile = std::move(profile).value();
  if (sources.size() > 1) {
    merged.profile.config[config_key::kMergedSpools] = std::to_string(sources.size());
    merged.profile.config[config_key::kMergedRecordings] = std::to_string(merged.recordings);
  }
  return merged;
}

}  // namespace yp
