#include "cli/collect.h"

#include <fmt/core.h>
#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "cli/names.h"
#include "cli/progress.h"
#include "format/profile/flight_recording.h"
#include "format/profile/merge.h"

namespace yp {
namespace {

namespace fs = std::filesystem;

bool IsRunning(pid_t pid) { return kill(pid, 0) == 0 || errno == EPERM; }

struct Folded {
  SpoolFiles::File spool;
  Profile profile;
};

// Saves the profile and removes its spool.
Status Save(const Folded& folded, const std::string& path) {
  if (Status s = SaveProfile(folded.profile, path); !s) {
    return Status::Error(
        fmt::format("{}; what was recorded is in {}: make room or name a file "
                    "elsewhere, yp reads the spool too",
                    s.message(), folded.spool.path));
  }
  std::error_code ignored;
  fs::remove(folded.spool.path, ignored);
  fs::remove(FlightRecordingOf(folded.spool.path), ignored);
  return Status::Ok();
}

std::string Describe(const Folded& folded, const std::string& path) {
  const Profile& profile = folded.profile;
  const std::string amount =
      profile.finds_edges() ? WithSeparators(static_cast<double>(profile.edges.size())) + " edges"
                            : FormatCalls(profile.total_calls()) + " calls";
  const std::string program = ProgramOf(profile.ConfigOr(config_key::kCommand, ""));
  return fmt::format("a further JVM, pid {}{}, with {}: {}", folded.spool.pid,
                     program.empty() ? "" : " (" + program + ")", amount, path);
}

}  // namespace

bool SpoolHasEnded(const std::string& path) {
  const Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(path);
  if (!reader) return false;
  while (const std::optional<spool::Record> record = reader.value()->Next()) {
    if (std::holds_alternative<spool::End>(*record)) return true;
  }
  return false;
}

Result<Collected> Collect(const std::vector<SpoolFiles::File>& spools,
                          const std::string& profile_path, RunningJvms running) {
  Collected collected;
  std::optional<Folded> best;
  for (const SpoolFiles::File& spool : spools) {
    std::error_code error;
    const uint64_t bytes = fs::file_size(spool.path, error);
    const Progress progress(
        fmt::format("reading {} of recorded calls", FormatBytes(error ? 0 : bytes)));
    const Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(spool.path);
    Result<Profile> profile =
        reader ? FoldSpool(*reader.value()) : Result<Profile>(reader.status());
    if (profile) AddFlightRecording(spool.path, &*profile);
    if (profile && !profile->complete && running == RunningJvms::kLeave && IsRunning(spool.pid)) {
      collected.notes.push_back(fmt::format(
          "JVM {} still runs; when it has ended, read what it recorded with: yp edges {}",
          spool.pid, spool.path));
      continue;
    }
    if (!profile) {
      collected.notes.push_back(
          fmt::format("JVM {}: {} ({})", spool.pid, profile.message(), spool.path));
      continue;
    }
    Folded folded{spool, std::move(profile).value()};
    if (!best) {
      best = std::move(folded);
      continue;
    }
    // The greater stays.
    if (best->profile.total_calls() < folded.profile.total_calls()) std::swap(*best, folded);
    const std::string path = WithPid(profile_path, folded.spool.pid);
    if (Status s = Save(folded, path); !s) return s;
    collected.notes.push_back(Describe(folded, path));
  }
  if (!best) return collected;
  const Progress progress(fmt::format("writing {}", profile_path));
  if (Status s = Save(*best, profile_path); !s) return s;
  collected.profile = std::move(best->profile);
  return collected;
}

}  // namespace yp
