#include "format/profile/flight_recording.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/options/config_keys.h"

namespace yp {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kToleranceNs = 1'000'000'000;

// In the largest unit of which it has one or more.
std::string TimeText(int64_t ns) {
  constexpr std::pair<int64_t, const char*> kUnits[] = {{1'000'000, " ms"}, {1'000, " us"}};
  for (const auto& [unit, name] : kUnits) {
    if (ns < unit) continue;
    std::string text = std::to_string(ns / unit);
    if (ns % unit != 0) text += "." + std::to_string(ns % unit / (unit / 10));
    return text + name;
  }
  return std::to_string(ns) + " ns";
}

// Chunks begin with the time, so that their names are in order.
std::vector<std::string> ChunksIn(const std::string& repository) {
  std::vector<std::string> chunks;
  std::error_code error;
  for (fs::directory_iterator at(repository, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".jfr") chunks.push_back(at->path().string());
  }
  std::ranges::sort(chunks);
  return chunks;
}

std::optional<int64_t> IntegerIn(const Profile& profile, std::string_view key) {
  const std::string_view text = profile.ConfigOr(key, "");
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc()) return std::nullopt;
  return value;
}

// From a recording's times, which begin with it, to the run's.
class Shift final : public JitEventSink {
 public:
  explicit Shift(JitLog* log) : log_(*log) {}
  void On(JitCompilation event) override { log_.On(std::move(event)); }
  void On(JitInlining event) override { log_.On(std::move(event)); }
  void On(JitDeoptimization event) override { log_.On(std::move(event)); }
  void On(JitCodeEnd event) override { log_.On(std::move(event)); }

  // All that has come since the last time.
  void By(int64_t ns) {
    for (; compilations_ < log_.compilations.size(); ++compilations_) {
      JitLog::Compilation& compilation = log_.compilations[compilations_];
      compilation.start_ns += ns;
      compilation.end_ns += ns;
      if (compilation.queued_ns) *compilation.queued_ns += ns;
    }
    for (; traps_ < log_.deoptimizations.size(); ++traps_) {
      log_.deoptimizations[traps_].time_ns += ns;
    }
    for (; ends_ < log_.code_ends.size(); ++ends_) log_.code_ends[ends_].time_ns += ns;
  }

 private:
  JitLog& log_;
  size_t compilations_ = 0, traps_ = 0, ends_ = 0;
};

// When the recording began, in the run's time. Both wall clocks are read within moments of each
// other; when they are farther apart than the recorder took to start, the clock was set meanwhile.
int64_t StartOf(const jfr::JitRecording& recording, bool is_first, Profile* profile) {
  const std::optional<int64_t> run_began = IntegerIn(*profile, config_key::kJitEpochNs);
  const int64_t started_ns = IntegerIn(*profile, config_key::kJitStartedNs).value_or(0);
  if (!run_began) return 0;
  const int64_t start_ns = recording.file.start_unix_ns - *run_began;
  const bool is_plausible =
      start_ns >= -kToleranceNs && (!is_first || start_ns <= started_ns + kToleranceNs);
  if (is_plausible) return start_ns;
  profile->jit.lacks.push_back(
      "when exactly compilations were: the clock was set while the recording began, so that they "
      "are up to " +
      TimeText(started_ns) + " off");
  return started_ns;
}

// What there was before the log, each under the loader that the log knows of the class, where that
// is one.
void AddEarlier(JitProfile* jit) {
  std::map<std::string, std::set<std::string>, std::less<>> loaders;
  for (const JitMethod& method : jit->log.methods()) {
    // What was inlined is only told by its name.
    if (!method.loader.empty()) loaders[method.full_name].insert(method.loader);
  }
  std::set<std::pair<int64_t, bool>> told;
  for (const JitLog::Compilation& compilation : jit->log.compilations) {
    told.insert({compilation.compile_id, compilation.is_osr});
  }
  for (JitCompilation& earlier : std::exchange(jit->earlier, {})) {
    if (!told.insert({earlier.compile_id, earlier.is_osr}).second) continue;
    const auto known = loaders.find(earlier.method.full_name);
    if (earlier.method.loader.empty() && known != loaders.end() && known->second.size() == 1) {
      earlier.method.loader = *known->second.begin();
    }
    jit->log.On(std::move(earlier));
  }
}

}  // namespace

std::vector<std::string> LacksOf(const jfr::JitRecording& recording) {
  std::vector<std::string> lacks;
  const jfr::EventKeeping& compilations = recording.compilations;
  if (compilations.events == 0 && compilations.is_enabled != true) {
    lacks.push_back(std::string(kLackOfCompilations) +
                    (compilations.is_enabled ? "jdk.Compilation was off while it was recorded"
                                             : "the recording has none, and does not tell whether "
                                               "jdk.Compilation was on; record with "
                                               "jdk.Compilation#enabled=true"));
  } else if (compilations.threshold_ns.value_or(0) > 0) {
    lacks.push_back("compilations shorter than " + TimeText(*compilations.threshold_ns) +
                    ": record with jdk.Compilation#threshold=0ns");
  }
  if (recording.deoptimizations.is_enabled != true && recording.deoptimizations.events == 0) {
    lacks.emplace_back(
        "code that was made not entrant: record with jdk.Deoptimization#enabled=true");
  }
  if (recording.lost_bytes > 0) {
    lacks.push_back(std::to_string(recording.lost_bytes) + " bytes of events that the JVM lost");
  }
  if (recording.events_without_method > 0) {
    lacks.push_back(std::to_string(recording.events_without_method) +
                    " events whose method is not named");
  }
  if (recording.file.cut_off) {
    lacks.push_back("what came behind byte " + std::to_string(recording.file.cut_off_at) +
                    ": the file was cut off, or the JVM is still recording");
  }
  return lacks;
}

bool TellsCompilations(const JitLog& log, std::span<const std::string> lacks) {
  return !log.compilations.empty() || std::ranges::none_of(lacks, [](std::string_view lack) {
    return lack.starts_with(kLackOfCompilations) || lack.starts_with(kLackOfAll);
  });
}

std::string FlightRecordingOf(const std::string& spool) { return spool + ".jfr"; }

void AddFlightRecording(const std::string& spool, Profile* profile) {
  const std::string how(profile->ConfigOr(config_key::kJit, ""));
  if (how.empty() || how == "no") return;
  std::vector<std::string>& lacks = profile->jit.lacks;
  if (how != "jfr") {
    const size_t why = how.starts_with(config_key::kNoneBecause)
                           ? std::string_view(config_key::kNoneBecause).size()
                           : 0;
    lacks.push_back(std::string(kLackOfAll) + " (" + how.substr(why) + ")");
    return;
  }
  std::vector<std::string> files = {FlightRecordingOf(spool)};
  std::error_code error;
  if (const auto bytes = fs::file_size(files[0], error); error || bytes == 0) {
    files = ChunksIn(std::string(profile->ConfigOr(config_key::kJitRepository, "")));
  }
  Shift sink(&profile->jit.log);
  size_t read = 0;
  for (const std::string& file : files) {
    const Result<jfr::JitRecording> recording = jfr::ReadJitEvents(file, sink);
    if (!recording) {
      lacks.push_back(std::string(kLackOfAll) + ": " + std::string(recording.message()));
      sink.By(0);
      continue;
    }
    for (std::string& lack : LacksOf(*recording)) lacks.push_back(std::move(lack));
    sink.By(StartOf(*recording, read++ == 0, profile));
  }
  if (files.empty()) {
    lacks.push_back(std::string(kLackOfAll) +
                    ": the flight recorder has left nothing, as when the JVM is killed");
  }
  ShareCompilerTime(std::exchange(profile->jit.clocks, {}), &profile->jit.log);
  AddEarlier(&profile->jit);
}

}  // namespace yp
