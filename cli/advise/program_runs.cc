#include "cli/advise/program_runs.h"

#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "cli/java_command.h"
#include "cli/process.h"

namespace yp {
namespace {

namespace fs = std::filesystem;

bool HasLineWith(const std::string& path, const std::string& text) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

std::set<const ArchiveKind*> AllArchives() {
  std::set<const ArchiveKind*> archives;
  for (const Candidate& candidate : AllCandidates()) archives.insert(candidate.archive);
  archives.erase(nullptr);
  return archives;
}

}  // namespace

ProgramRuns::ProgramRuns(std::vector<std::string> command, const TemporaryDirectory& directory)
    : command_(std::move(command)), directory_(directory) {}

Result<RunOutcome> ProgramRuns::Run(const RunRequest& request) {
  const bool is_reference = request.purpose == RunRequest::Purpose::kReference;
  const std::string reference = directory_.File("reference");
  const std::string output = is_reference ? reference : directory_.File("stdout");
  const std::string errors = directory_.File("stderr");
  const Result<std::unique_ptr<StreamsInFiles>> streams = StreamsInFiles::Open(output, errors);
  if (!streams) return streams.status();
  ProcessSpec spec;
  spec.argv = command_;
  if (!request.options.empty()) {
    CommandWithAgent with_options = AddJvmOptions(command_, request.options);
    spec.argv = std::move(with_options.argv);
    spec.environment = std::move(with_options.environment);
  }
  spec.stdin_fd = (*streams)->in();
  spec.stdout_fd = (*streams)->out();
  spec.stderr_fd = (*streams)->err();
  spec.own_group = true;
  spec.limit_ns = request.limit_ns;
  const Result<ProcessResult> process = RunInForeground(spec);
  if (!process) return process.status();
  RunOutcome outcome;
  outcome.cost = {process->wall_ns, process->cpu_ns, process->peak_bytes};
  outcome.exit_code = process->exit_code;
  outcome.interrupted = process->interrupted;
  outcome.over_limit = process->over_limit;
  outcome.same_output = is_reference || SameContents(output, reference);
  if (outcome.exit_code != 0) {
    outcome.last_line = LastLine(errors);
    // The JVM's own go to stdout.
    if (outcome.last_line.empty()) outcome.last_line = LastLine(output);
  }
  if (!request.options.empty() && !options_were_picked_up_) {
    options_were_picked_up_ = HasLineWith(errors, "Picked up JAVA_TOOL_OPTIONS");
  }
  return outcome;
}

Result<std::unique_ptr<ArchiveFolder>> ArchiveFolder::Open(const std::string& keep,
                                                           const TemporaryDirectory& temporary) {
  std::unique_ptr<ArchiveFolder> folder(new ArchiveFolder());
  if (keep.empty()) {
    folder->path_ = temporary.File("");
    return folder;
  }
  std::error_code error;
  const fs::path path = fs::absolute(keep, error);
  const bool was_made = !error && fs::create_directories(path, error);
  if (error || !fs::is_directory(path, error)) {
    return Status::Error(fmt::format("cannot make the folder {}: {}", keep,
                                     error ? error.message() : "there is something else"));
  }
  folder->path_ = path;
  for (const ArchiveKind* archive : AllArchives()) {
    if (!fs::exists(folder->PathOf(*archive), error)) continue;
    return Status::Error(fmt::format("{} is there already; remove it or name another folder",
                                     folder->PathOf(*archive)));
  }
  // From here on the folder is left as it was found.
  folder->keeps_files_ = true;
  folder->was_made_ = was_made;
  return folder;
}

ArchiveFolder::~ArchiveFolder() {
  if (!keeps_files_) return;
  std::error_code ignored;
  for (const ArchiveKind* archive : AllArchives()) {
    // What a run that was killed leaves of JEP 514's first step.
    fs::remove(PathOf(*archive) + ".config", ignored);
    if (archive != kept_) fs::remove(PathOf(*archive), ignored);
  }
  if (was_made_ && fs::is_empty(path_, ignored)) fs::remove(path_, ignored);
}

std::string ArchiveFolder::PathOf(const ArchiveKind& archive) const {
  return fs::path(path_) / archive.file_name;
}

}  // namespace yp
