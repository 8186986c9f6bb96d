#include "cli/recording.h"

#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "cli/notes.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/table.h"

namespace yp {
namespace {

// As the user would name it from here.
std::string ShortPath(const std::string& absolute) {
  std::error_code error;
  const std::string relative =
      std::filesystem::path(absolute).lexically_relative(std::filesystem::current_path(error));
  return error || relative.empty() || relative.size() >= absolute.size() ? absolute : relative;
}

}  // namespace

RecordingFlags::RecordingFlags(Flags app) {
  app.Option("-o,--output", &path_, "The profile to write [yp-DATE-TIME.yp]").Value("FILE");
  app.Option("--top", &top_, "Edges in the summary").Value("N").ShowDefault();
  const Flag quiet = app.Switch("-q,--quiet", &quiet_, "No summary");
  app.Switch("--json", &json_,
             "The summary as one line of JSON on stdout,\nbehind what the program printed")
      .Excludes(quiet);
}

Result<std::string> RecordingFlags::OutputPath() const {
  return CheckOutputPath(path_.empty() ? DefaultProfilePath(std::time(nullptr)) : path_);
}

// Who runs a program through yp must not see it fail where it did not: the exit code is the
// program's, whatever becomes of the profile.
void RecordingFlags::CollectAndShow(const SpoolFiles& spools, const std::string& profile_path,
                                    const std::string& nothing) const {
  const Result<Collected> collected = Collect(spools.Find(), profile_path, RunningJvms::kLeave);
  if (!collected) return Say(std::string(collected.message()));
  if (!collected->profile) {
    for (const std::string& note : collected->notes) Say(note);
    return Say(nothing);
  }
  if (Status s = Show(*collected, profile_path); !s) Say(std::string(s.message()));
}

Status RecordingFlags::Show(const Collected& collected, const std::string& profile_path) const {
  const Profile& profile = *collected.profile;
  const std::string path = ShortPath(profile_path);
  for (const std::string& note : collected.notes) Note(note);
  if (json_) return PrintJson(SummaryToJson(profile, path, top_), -1);
  if (!quiet_) PrintToStderr(Summarize(profile, path, top_, TerminalWidth(STDERR_FILENO)));
  return Status::Ok();
}

}  // namespace yp
