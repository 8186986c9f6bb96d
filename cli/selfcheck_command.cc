#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>

#include "cli/agent_options.h"
#include "cli/collect.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/java_command.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/process.h"
#include "cli/profiling_flags.h"
#include "cli/progress.h"
#include "cli/selfcheck.h"
#include "cli/table.h"
#include "cli/temporary_files.h"
#include "core/graph/overlap.h"
#include "core/graph/transform.h"

namespace yp {
namespace {

constexpr const char* kSelfcheckFooter = R"(
Runs the command once to warm up, then per round unprofiled, exact, sampled and by timer, in an order
that rotates. `sampled` is what yp run does by default, or what the options say. Overlap is what a
sampled profile has in common with the exact one of its round, call sites told apart; the ratio
compares CPU time with the unprofiled run of the round. The exact run counts every call: a program of
many short ones takes several times as long in it. stdin is empty, stdout and stderr are kept
away and compared. The command's effects on files and databases are its own: it must bear being run
several times.

Examples:
  yp selfcheck -- java -jar app.jar --input small.xml
  yp selfcheck --rounds 5 --stride 127 --samples 128 -- java Main
)";

// Runs the user's command in every configuration and keeps what is to be compared.
class Selfcheck {
 public:
  Selfcheck(std::vector<std::string> command, ProfilingOptions options, size_t rounds,
            std::string library, const TemporaryDirectory& directory)
      : command_(std::move(command)),
        options_(std::move(options)),
        rounds_(rounds),
        library_(std::move(library)),
        directory_(directory) {}

  // Nothing when the user ended it.
  Result<std::optional<std::vector<Measurement>>> Run();

 private:
  struct Finished {
    ProcessResult process;
    std::optional<Profile> profile;
  };
  // Its stdout is then in `output`.
  Result<Finished> RunOnce(Configuration configuration, const std::string& output);
  Status RunRound(size_t round, std::vector<Measurement>* measurements);
  std::string Describe(std::chrono::nanoseconds elapsed) const;

  const std::vector<std::string> command_;
  const ProfilingOptions options_;
  const size_t rounds_;
  const std::string library_;
  const TemporaryDirectory& directory_;
  ProcessResult reference_;
  bool interrupted_ = false;
  // For the progress, which looks from another thread.
  std::atomic<size_t> runs_done_{0};
  std::atomic<Configuration> current_{Configuration::kUnprofiled};
};

Result<Selfcheck::Finished> Selfcheck::RunOnce(Configuration configuration,
                                               const std::string& output) {
  current_ = configuration;
  const std::string error_path = directory_.File("stderr");
  const Result<std::unique_ptr<StreamsInFiles>> streams = StreamsInFiles::Open(output, error_path);
  if (!streams) return streams.status();
  const std::string profile_path = directory_.File("run.yp");
  const SpoolFiles spools(profile_path, std::to_string(runs_done_));
  ProcessSpec spec;
  spec.argv = command_;
  if (configuration != Configuration::kUnprofiled) {
    const ProfilingOptions options = OptionsOf(configuration, options_);
    CommandWithAgent with_agent =
        AddJvmOptions(command_, JvmOptions(options, library_, spools.pattern()));
    spec.argv = with_agent.argv;
    spec.environment = with_agent.environment;
  }
  spec.stdin_fd = (*streams)->in();
  spec.stdout_fd = (*streams)->out();
  spec.stderr_fd = (*streams)->err();
  Result<ProcessResult> process = RunInForeground(spec);
  if (!process) return process.status();
  interrupted_ |= process->interrupted || process->signal == SIGINT;
  ++runs_done_;
  Finished finished{*process, std::nullopt};
  if (configuration == Configuration::kUnprofiled || interrupted_) return finished;
  Result<Collected> collected = Collect(spools.Find(), profile_path, RunningJvms::kTake);
  if (!collected) return collected.status();
  finished.profile = std::move(collected->profile);
  if (!finished.profile) {
    return Status::Error(fmt::format(
        "nothing was recorded in the {} run of {}: does it start a JVM (HotSpot, JDK 11 "
        "or later)? The last line of its stderr: {}",
        NameOf(configuration), command_.front(), LastLine(error_path)));
  }
  return finished;
}

Status Selfcheck::RunRound(size_t round, std::vector<Measurement>* measurements) {
  std::optional<Profile> exact;
  std::vector<std::pair<size_t, Profile>> sampled;  // With the place of its measurement.
  for (const Configuration configuration : OrderOfRound(round)) {
    const std::string output = directory_.File("stdout");
    Result<Finished> finished = RunOnce(configuration, output);
    if (!finished) return finished.status();
    if (interrupted_) return Status::Ok();
    Measurement measurement;
    measurement.configuration = configuration;
    measurement.round = round;
    measurement.cpu_ns = finished->process.cpu_ns;
    measurement.same_output = SameContents(output, directory_.File("reference"));
    measurement.same_exit_code = finished->process.exit_code == reference_.exit_code;
    if (configuration == Configuration::kExact) {
      exact = std::move(finished->profile);
    } else if (finished->profile) {
      sampled.emplace_back(measurements->size(), std::move(*finished->profile));
    }
    measurements->push_back(measurement);
  }
  for (const auto& [place, profile] : sampled) {
    const auto overlap = [&exact, &methods = profile.methods](const DynamicCallGraph& graph) {
      const UnifiedGraphs graphs = Unify(exact->Graph(), exact->methods, graph, methods);
      return Overlap(graphs.a, graphs.b);
    };
    (*measurements)[place].overlap = overlap(profile.Graph());
    (*measurements)[place].overlap_uncorrected = overlap(profile.UncorrectedGraph());
  }
  return Status::Ok();
}

std::string Selfcheck::Describe(std::chrono::nanoseconds elapsed) const {
  const size_t total = 1 + rounds_ * kConfigurations.size();
  const size_t done = runs_done_;
  std::string text =
      fmt::format("run {} of {} ({})", std::min(done + 1, total), total, NameOf(current_));
  if (done > 0 && done < total) {
    // Of the runs done so far; the one under way has had half of its time, on average.
    const double per_run = static_cast<double>(elapsed.count()) / (static_cast<double>(done) + 0.5);
    const double left = per_run * (static_cast<double>(total - done) - 0.5);
    text += fmt::format(", about {} left", FormatDuration(static_cast<int64_t>(left)));
  }
  return text;
}

Result<std::optional<std::vector<Measurement>>> Selfcheck::Run() {
  std::vector<Measurement> measurements;
  const Progress progress([this](std::chrono::nanoseconds elapsed) { return Describe(elapsed); });
  const Result<Finished> warm_up =
      RunOnce(Configuration::kUnprofiled, directory_.File("reference"));
  if (!warm_up) return warm_up.status();
  reference_ = warm_up->process;
  for (size_t round = 0; round < rounds_ && !interrupted_; ++round) {
    if (Status s = RunRound(round, &measurements); !s) return s;
  }
  if (interrupted_) return std::optional<std::vector<Measurement>>();
  return std::optional(std::move(measurements));
}

std::string FormatSpread(const std::optional<Spread>& spread, int digits, const char* unit) {
  if (!spread) return "-";
  std::string text = fmt::format("{:.{}f}{}", spread->median, digits, unit);
  if (spread->low != spread->high) {
    text += fmt::format(" ({:.{}f}-{:.{}f})", spread->low, digits, spread->high, digits);
  }
  return text;
}

// What the overlaps mean for the user.
std::string Expectation(const std::vector<ConfigurationResult>& results) {
  const auto overlap = [&](Configuration configuration) {
    const auto found =
        std::ranges::find(results, configuration, &ConfigurationResult::configuration);
    return found == results.end() ? std::nullopt : found->overlap;
  };
  const std::optional<Spread> sampled = overlap(Configuration::kSampled);
  const std::optional<Spread> timer = overlap(Configuration::kTimer);
  if (!sampled || !timer) return "";
  return fmt::format(
      "A sampled profile of a run like this puts {:.0f} % of the calls where they belong; a "
      "timer's, "
      "read as counts, {:.0f} %.\nThe longer a run, the more samples, and the nearer.\n",
      sampled->median, timer->median);
}

Status PrintResults(const std::vector<ConfigurationResult>& results, size_t rounds) {
  using Column = Table::Column;
  Table table({"configuration", "overlap with exact", "uncorrected", "CPU time", "ratio", "result"},
              {Column::kLeft, Column::kRight, Column::kRight, Column::kRight, Column::kRight,
               Column::kLeft});
  for (const ConfigurationResult& r : results) {
    const size_t differing = std::max(r.different_outputs, r.different_exit_codes);
    table.AddRow(
        {{std::string(NameOf(r.configuration))},
         {FormatSpread(r.overlap, 1, " %")},
         {FormatSpread(r.overlap_uncorrected, 1, " %")},
         {FormatSpread(r.cpu_s, 2, " s")},
         {FormatSpread(r.cpu_ratio, 2, "")},
         {differing == 0 ? "same" : fmt::format("differs in {} of {}", differing, r.runs)}});
  }
  std::string text = table.Render(TerminalWidth(STDOUT_FILENO)) + Expectation(results);
  if (rounds == 1) {
    text += "One round: the ratios include the machine's noise; --rounds 5 shows their spread.\n";
  }
  return PrintOut(text);
}

Json SpreadToJson(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  return {{"median", spread->median}, {"low", spread->low}, {"high", spread->high}};
}

Status PrintResultsAsJson(const std::vector<ConfigurationResult>& results, size_t rounds) {
  Json configurations = Json::Array();
  for (const ConfigurationResult& r : results) {
    configurations.Append({{"configuration", NameOf(r.configuration)},
                           {"overlap", SpreadToJson(r.overlap)},
                           {"overlap_uncorrected", SpreadToJson(r.overlap_uncorrected)},
                           {"cpu_s", SpreadToJson(r.cpu_s)},
                           {"cpu_ratio", SpreadToJson(r.cpu_ratio)},
                           {"runs", r.runs},
                           {"different_outputs", r.different_outputs},
                           {"different_exit_codes", r.different_exit_codes}});
  }
  return PrintJson({{"rounds", rounds}, {"configurations", configurations}});
}

void WarnOfDifferences(const std::vector<ConfigurationResult>& results) {
  for (const ConfigurationResult& r : results) {
    if (r.different_exit_codes > 0) {
      Note(fmt::format("warning: {} of {} {} runs ended with another exit code than the first run",
                       r.different_exit_codes, r.runs, NameOf(r.configuration)));
    }
    if (r.different_outputs > 0) {
      Note(fmt::format(
          "warning: {} of {} {} runs printed something else on stdout than the first run "
          "(times and addresses in the output differ in any case)",
          r.different_outputs, r.runs, NameOf(r.configuration)));
    }
  }
}

struct SelfcheckOptions {
  size_t rounds = 1;
  bool json = false;
};

Result<int> RunSelfcheck(const std::vector<std::string>& command, const SelfcheckOptions& options,
                         const ProfilingFlags& profiling) {
  const Result<ProfilingOptions> profiling_options = profiling.Get();
  if (!profiling_options) return profiling_options.status();
  const Result<std::string> library = FindAgentLibrary();
  if (!library) return library.status();
  const Result<std::unique_ptr<TemporaryDirectory>> directory =
      TemporaryDirectory::Create("selfcheck");
  if (!directory) return directory.status();
  Selfcheck selfcheck(command, *profiling_options, options.rounds, *library, **directory);
  const Result<std::optional<std::vector<Measurement>>> measurements = selfcheck.Run();
  if (!measurements) return measurements.status();
  if (!measurements->has_value()) return 128 + SIGINT;
  const std::vector<ConfigurationResult> results = Evaluate(**measurements);
  WarnOfDifferences(results);
  const Status printed = options.json ? PrintResultsAsJson(results, options.rounds)
                                      : PrintResults(results, options.rounds);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddSelfcheckCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("selfcheck", "Measure accuracy and overhead on your own program");
  command.ShowUserCommand();
  command.Footer(kSelfcheckFooter);
  const auto options = std::make_shared<SelfcheckOptions>();
  command.Option("--rounds", &options->rounds, "How often to run each configuration")
      .Value("N")
      .Range(1, 1000)
      .ShowDefault();
  command.Switch("--json", &options->json, "A JSON object");
  const auto profiling = std::make_shared<ProfilingFlags>(command, ProfilingFlags::Set::kSelfcheck);
  command.WhenChosen([=] {
    invocation->run = [=]() -> Result<int> {
      if (Status s = CheckUserCommand(*invocation, "selfcheck"); !s) return s;
      return RunSelfcheck(invocation->user_command, *options, *profiling);
    };
  });
}

}  // namespace yp
