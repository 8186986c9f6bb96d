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

RecordingFlags::RecordingFlags(CLI::App* app) {
  app->add_option("-o,--output", path_, "The profile to write [yp-DATE-TIME.yp]")
      ->type_name("FILE");
  app->add_option("--top", top_, "Edges in the summary")->type_name("N")->capture_default_str();
  CLI::Option* const quiet = app->add_flag("-q,--quiet", quiet_, "No summary");
  app->add_flag("--json", json_,
                "The summary as one line of JSON on stdout,\nbehind what the program printed")
      ->excludes(quiet);
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
