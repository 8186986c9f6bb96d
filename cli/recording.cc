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

Status RecordingFlags::Show(const Collected& collected, const std::string& profile_path) const {
  const Profile& profile = *collected.profile;
  const std::string path = ShortPath(profile_path);
  for (const std::string& note : collected.notes) Note(note);
  if (json_) return PrintJson(SummaryToJson(profile, path, top_), -1);
  if (!quiet_) PrintToStderr(Summarize(profile, path, top_, TerminalWidth(STDERR_FILENO)));
  return Status::Ok();
}

}  // namespace yp
