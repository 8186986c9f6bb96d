#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include "base/clock.h"
#include "cli/advise/advisor.h"
#include "cli/advise/candidates.h"
#include "cli/advise/program_runs.h"
#include "cli/advise/report.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/java_command.h"
#include "cli/java_release.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/temporary_files.h"

namespace yp {
namespace {

constexpr const char* kAdviseFooter = R"(
Tries JVM options on your own program, at its real length, and recommends some only if they are
better for certain; "keep the defaults" is an answer. Candidates are C1 only (c1), C2 later
(late-c2), an AOT cache with profiles (aot, aot-late-c2, aot-c1; JDK 25 and later), and an AppCDS
archive (appcds, appcds-c1; JDK 13 to 24, with --keep). Options that the command has are never
contradicted.

In each round the command runs twice by the defaults and once with each candidate, in an order that
rotates. What loses is dropped. Intervals hold for all candidates and rounds together with 95 %
probability. A run counts only with the exit code of the defaults, and with their output on stdout,
unless that differs from run to run anyway.

The command runs many times: it must end by itself, and bear being run again. stdin is empty, its
output is kept away. What it leaves running in its process group is killed. --budget bounds the
whole time. Ctrl-C ends all and leaves nothing behind.

COMMAND is best the java command itself. For a script or a build tool, options go through
JAVA_TOOL_OPTIONS, and only candidates that need no file are tried.

Examples:
  yp advise -- java -jar app.jar --input small.xml
  yp advise --budget 30m --keep advised -- java -cp classes Main
  yp advise --for cpu --candidates c1,late-c2 -- java -jar app.jar
  yp advise --try "-XX:+UseParallelGC" -- java -jar app.jar
)";

struct AdviseOptions {
  std::string budget = "10m";
  std::string metric = "wall";
  std::string candidates;
  std::vector<std::string> tries;
  std::string keep;
  bool json = false;
};

// What the advisor is at, for the thread of the progress.
class CurrentStep {
 public:
  void Set(const std::string& step, int64_t left_ns) {
    const std::lock_guard lock(mutex_);
    step_ = step;
    deadline_ns_ = SystemClock().NowNs() + left_ns;
  }
  std::string Describe() const {
    const std::lock_guard lock(mutex_);
    const int64_t left_ns = deadline_ns_ - SystemClock().NowNs();
    return fmt::format("{}, at most {} left", step_, FormatDuration(std::max<int64_t>(left_ns, 0)));
  }

 private:
  mutable std::mutex mutex_;
  std::string step_ = "starting";
  int64_t deadline_ns_ = 0;
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Those of the table that were asked for, all by default, and the user's own in front.
Result<std::vector<Candidate>> ChosenCandidates(const AdviseOptions& options) {
  std::vector<Candidate> chosen;
  for (const std::string& text : options.tries) {
    Candidate candidate;
    constexpr size_t kLongestName = 32;
    candidate.name = text.size() <= kLongestName ? text : fmt::format("try-{}", chosen.size() + 1);
    candidate.summary = text;
    candidate.flags = Split(text, ' ');
    if (candidate.flags.empty() || candidate.flags.front().front() != '-') {
      return Status::Error(fmt::format("--try \"{}\" is no option of the JVM", text));
    }
    candidate.first_jdk = 0;
    chosen.push_back(std::move(candidate));
  }
  const std::vector<std::string> names = Split(options.candidates, ',');
  std::string known;
  for (const Candidate& candidate : AllCandidates()) {
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (options.candidates.empty() || std::ranges::find(names, candidate.name) != names.end()) {
      chosen.push_back(candidate);
    }
  }
  for (const std::string& name : names) {
    if (std::ranges::find(AllCandidates(), name, &Candidate::name) == AllCandidates().end()) {
      return Status::Error(fmt::format("--candidates {}: unknown; there are {}", name, known));
    }
  }
  return chosen;
}

Result<CommandFacts> FactsOf(const std::vector<std::string>& command, bool keeps_files) {
  CommandFacts facts;
  facts.keeps_files = keeps_files;
  facts.jvm_options = AllJvmOptions(command);
  const std::string launcher = FindOnPath(command.front());
  facts.is_launcher = !launcher.empty() && IsJavaLauncher(launcher, "");
  if (!facts.is_launcher) {
    Note(
        fmt::format("{} is no java launcher: options go through JAVA_TOOL_OPTIONS, and only "
                    "candidates that need no file are tried",
                    command.front()));
    return facts;
  }
  const Result<JdkRelease> release = ReleaseOf(command.front());
  if (!release) {
    Note(fmt::format("{}: only candidates that need no file are tried",
                     std::string(release.message())));
    return facts;
  }
  if (!release->is_hotspot) {
    return Status::Error(fmt::format("{} is no HotSpot: its options are not known", launcher));
  }
  facts.jdk = release->feature;
  return facts;
}

Result<int> Advise(const std::vector<std::string>& command, const AdviseOptions& options) {
  const Result<int64_t> budget_ns = ParseDurationNs(options.budget);
  if (!budget_ns) return Status::Error(fmt::format("--budget: {}", budget_ns.message()));
  const Result<Metric> metric =
      Choose<Metric>("--for", options.metric,
                     {{"wall", Metric::kWall}, {"cpu", Metric::kCpu}, {"memory", Metric::kMemory}});
  if (!metric) return metric.status();
  Result<std::vector<Candidate>> candidates = ChosenCandidates(options);
  if (!candidates) return candidates.status();
  const Result<CommandFacts> facts = FactsOf(command, !options.keep.empty());
  if (!facts) return facts.status();
  const auto temporary = TemporaryDirectory::Create("advise");
  if (!temporary) return temporary.status();
  const auto folder = ArchiveFolder::Open(options.keep, **temporary);
  if (!folder) return folder.status();

  std::vector<Advisor::Entry> entries;
  for (Candidate& candidate : *candidates) {
    std::string reason = ReasonAgainst(candidate, *facts);
    entries.push_back({std::move(candidate), std::move(reason)});
  }
  AdvisorOptions advisor_options{*metric, *budget_ns, [&folder](const ArchiveKind& archive) {
                                   return (*folder)->PathOf(archive);
                                 }};
  ProgramRuns runs(command, **temporary);
  CurrentStep step;
  std::unique_ptr<const Progress> progress = std::make_unique<const Progress>(
      [&step](std::chrono::nanoseconds) { return step.Describe(); });
  Advisor advisor(
      std::move(entries), std::move(advisor_options),
      [&runs](const RunRequest& request) { return runs.Run(request); },
      [] { return SystemClock().NowNs(); },
      [&step](const std::string& text, int64_t left_ns) { step.Set(text, left_ns); });
  const Result<std::optional<Advice>> result = advisor.Run();
  progress.reset();
  if (!result) return result.status();
  if (!result->has_value()) return 128 + SIGINT;
  const Advice& advice = **result;

  const char* const tool_options = std::getenv("JAVA_TOOL_OPTIONS");
  AdviceContext context{command, *metric, facts->is_launcher,
                        tool_options == nullptr ? "" : tool_options, ""};
  const ArchiveKind* const archive =
      advice.recommended ? advice.candidates[*advice.recommended].candidate.archive : nullptr;
  if (archive != nullptr && (*folder)->keeps_files()) {
    (*folder)->Keep(*archive);
    context.kept_file = (*folder)->PathOf(*archive);
  }
  for (const std::string& warning : advice.warnings) Note("warning: " + warning);
  for (const std::string& effect : SideEffects(advice, *metric)) Note(effect);
  if (!facts->is_launcher && advice.rounds > 0 && !runs.options_were_picked_up()) {
    Note("warning: no run said that a JVM picked up JAVA_TOOL_OPTIONS: did the command start one?");
  }
  const Status printed = options.json
                             ? PrintJson(AdviceJson(advice, context))
                             : PrintOut(AdviceText(advice, context, TerminalWidth(STDOUT_FILENO)));
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddAdviseCommand(CommandLine& program, Invocation* invocation) {
  Flags command =
      program.Command("advise", "Find out by runs which JVM options a program should run with");
  command.ShowUserCommand();
  command.Footer(kAdviseFooter);
  const auto options = std::make_shared<AdviseOptions>();
  command.Option("--budget", &options->budget, "How long all runs may take together")
      .Value("TIME")
      .ShowDefault();
  command.Option("--for", &options->metric, "What is to be saved")
      .Value("wall|cpu|memory")
      .ShowDefault();
  command
      .Option("--keep", &options->keep,
              "Keep the file that the recommended options need in this folder")
      .Value("FOLDER");
  command.Option("--candidates", &options->candidates, "Only these, separated by commas")
      .Value("NAMES");
  command.Option("--try", &options->tries, "Options of your own to try as well, in one word")
      .Value("OPTIONS")
      .OneEachTime();
  command.Switch("--json", &options->json, "A JSON object");
  command.WhenChosen([=] {
    invocation->run = [=]() -> Result<int> {
      if (Status s = CheckUserCommand(*invocation, "advise"); !s) return s;
      return Advise(invocation->user_command, *options);
    };
  });
}

}  // namespace yp
