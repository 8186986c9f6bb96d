#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <optional>

#include "cli/agent_options.h"
#include "cli/aos/compiler_options.h"
#include "cli/command.h"
#include "cli/java_command.h"
#include "cli/java_release.h"
#include "cli/process.h"
#include "cli/profile_argument.h"
#include "cli/profiling_flags.h"
#include "cli/recording.h"
#include "cli/temporary_files.h"
#include "core/adaptive/call_weights.h"

namespace yp {
namespace {

constexpr const char* kAosFooter = R"(
Runs a Java program with Yieldpoint's own compiler inside HotSpot, through JVMCI (JDK 17 to 26, the
collectors Serial, Parallel and G1). COMMAND is a java launcher with its arguments. yp exits with
the program's own exit code. What the compiler does and does not do yet: docs/compiler.md.

Examples:
  yp aos -- java -jar app.jar
  yp aos --profiler cbs -o app.yp -- java -jar app.jar
  yp aos --mode edges --ctb 2 -o edges.yp -- java -jar app.jar
  yp aos --inline app.yp --statistics -- java -jar app.jar
  yp aos --optimize --inline static -- java -jar app.jar
  yp aos --adaptive --inline online --profiler cbs -o run.yp -- java -jar app.jar
  yp aos --statistics -- java -XX:+UseSerialGC -cp classes Main
)";

struct AosFlags {
  std::string tiers = "own";
  std::string inlining = "none";
  bool optimizes = false;
  bool statistics = false;
  bool verbose = false;
};

// Where a program's calls go, and what its JVM is to be told; nothing is recorded without a
// profile.
struct AosRecording {
  std::string profile_path;
  std::optional<SpoolFiles> spools;
  std::vector<std::string> jvm_options;
};

Result<AosRecording> PlanRecording(const ProfilingFlags& profiling, const RecordingFlags& recording,
                                   const std::string& library, const std::string& inlining,
                                   bool optimizes) {
  AosRecording plan;
  const Result<bool> records = profiling.Records();
  if (!records) return records.status();
  if (!*records) {
    if (inlining == "online") {
      return Status::Error(
          "--inline online needs --adaptive --profiler cbs, whose samples it uses");
    }
    if (!recording.names_output()) return plan;
    return Status::Error("-o needs --profiler or --mode edges, which say what is recorded");
  }
  const bool inlines = inlining != "none", is_online = inlining == "online";
  Result<ProfilingOptions> options = profiling.Get();
  if (!options) return options.status();
  if (inlines && options->mode == ProfilingOptions::Mode::kEdges) {
    return Status::Error(
        "--mode edges finds the edges of calls that are made, and inlined ones are not: leave "
        "--inline out");
  }
  using Levels = ProfilingOptions::Levels;
  if (inlines && options->levels == Levels::kAgain) {
    return Status::Error("--levels again has no level that inlines: leave --inline out");
  }
  if (optimizes && options->mode == ProfilingOptions::Mode::kEdges) {
    return Status::Error("--mode edges has no code at OPT2: leave --optimize out");
  }
  if (optimizes && options->levels == Levels::kAgain) {
    return Status::Error("--levels again has no level that optimizes: leave --optimize out");
  }
  if (is_online && !options->adaptive) {
    return Status::Error("--inline online needs --adaptive, which compiles again as samples say");
  }
  using Inlining = ProfilingOptions::Inlining;
  options->inlining = is_online ? Inlining::kOnline : inlines ? Inlining::kFixed : Inlining::kNone;
  options->optimizes = optimizes;
  const Result<std::string> path = recording.OutputPath();
  if (!path) return path.status();
  if (library.find('=') != std::string::npos) {
    return Status::Error(
        fmt::format("a JVM cannot record with a library whose path has a \"=\": move {}", library));
  }
  plan.profile_path = *path;
  plan.spools.emplace(*path, std::to_string(getpid()));
  plan.jvm_options = JvmOptions(*options, library, plan.spools->pattern());
  return plan;
}

// What the compiler is told of inlining, and what must stay while the program runs.
struct InliningPlan {
  std::string how = "none";
  std::unique_ptr<TemporaryDirectory> folder;
};

Result<InliningPlan> PlanInlining(const std::string& how) {
  InliningPlan plan;
  plan.how = how;
  if (how == "none" || how == "static" || how == "all" || how == "online") return plan;
  const Result<Profile> profile = LoadProfileArgument(how);
  if (!profile) {
    return Status::Error(
        fmt::format("--inline is none, static, online or a profile: {}", profile.message()));
  }
  const CallWeights weights = CallWeights::Of(
      profile->Graph(), [&](MethodId method) { return profile->methods[method].FullName(); });
  if (weights.sites() == 0) return Status::Error(fmt::format("{} has no calls", how));
  Result<std::unique_ptr<TemporaryDirectory>> folder = TemporaryDirectory::Create("aos");
  if (!folder) return folder.status();
  plan.folder = std::move(folder).value();
  plan.how = plan.folder->File("call-weights");
  std::ofstream file(plan.how, std::ios::binary);
  file << weights.Text();
  file.close();
  if (!file) return Status::Error(fmt::format("cannot write {}", plan.how));
  return plan;
}

Result<int> Run(const std::vector<std::string>& command, const AosFlags& flags,
                const ProfilingFlags& profiling, const RecordingFlags& recording) {
  CompilerSetup setup;
  if (flags.tiers != "own" && flags.tiers != "hotspot") {
    return Status::Error(fmt::format("--tiers is own or hotspot, not {}", flags.tiers));
  }
  setup.tiers = flags.tiers == "own" ? Tiers::kOwn : Tiers::kHotspot;
  setup.statistics = flags.statistics;
  setup.verbose = flags.verbose;
  setup.optimizes = flags.optimizes;
  const std::string& program = command.front();
  if (!IsJavaLauncher(program, "")) {
    return Status::Error(fmt::format(
        "yp aos runs a java launcher, and {} is none: give the java command itself", program));
  }
  const Result<JdkRelease> release = ReleaseOf(program);
  if (!release) return release.status();
  if (Status s = CheckJdk(*release); !s) return s;
  if (Status s = CheckJvmOptions(AllJvmOptions(command)); !s) return s;
  setup.jdk = release->feature;
  const Result<CompilerFiles> files = FindCompilerFiles();
  if (!files) return files.status();
  setup.library = files->library;
  setup.jar = files->jar;

  const Result<InliningPlan> inlining = PlanInlining(flags.inlining);
  if (!inlining) return inlining.status();
  setup.inlining = inlining->how;

  const Result<AosRecording> plan =
      PlanRecording(profiling, recording, files->library, setup.inlining, setup.optimizes);
  if (!plan) return plan.status();

  ProcessSpec spec;
  spec.argv = command;
  std::vector<std::string> options = CompilerOptions(setup);
  options.insert(options.end(), plan->jvm_options.begin(), plan->jvm_options.end());
  spec.argv.insert(spec.argv.begin() + 1, options.begin(), options.end());
  const Result<ProcessResult> result = RunInForeground(spec);
  if (!result) return result.status();
  if (plan->spools) {
    recording.CollectAndShow(*plan->spools, plan->profile_path,
                             "nothing was recorded; see whether a line above starts with "
                             "\"yieldpoint:\"");
  }
  return result->exit_code;
}

}  // namespace

void AddAosCommand(CommandLine& program, Invocation* invocation) {
  Flags command =
      program.Command("aos", "Run a Java program with Yieldpoint's own compiler (experimental)");
  command.ShowUserCommand();
  command.Footer(kAosFooter);
  const auto flags = std::make_shared<AosFlags>();
  command
      .Option("--tiers", &flags->tiers,
              "what compiles besides: own is nothing else, hotspot leaves C1 below it")
      .Value("own|hotspot");
  command
      .Option("--inline", &flags->inlining,
              "which calls are inlined: none, by static heuristics, by the samples of the same run "
              "(with --adaptive), or by the weights in the profile FILE")
      .Value("none|static|online|FILE");
  command.Switch(
      "--optimize", &flags->optimizes,
      "compile at OPT2, with registers and optimizations; with --adaptive, where it pays");
  command.Switch("--statistics", &flags->statistics,
                 "say at the end what was compiled and refused, and what was inlined and why");
  command.Switch(
      "--verbose", &flags->verbose,
      "name each method that is compiled or refused, and each call that is inlined or not");
  const auto recording = std::make_shared<RecordingFlags>(command);
  const auto profiling = std::make_shared<ProfilingFlags>(command, ProfilingFlags::Set::kAos);
  command.WhenChosen([=] {
    invocation->run = [=]() -> Result<int> {
      if (Status s = CheckUserCommand(*invocation, "aos"); !s) return s;
      return Run(invocation->user_command, *flags, *profiling, *recording);
    };
  });
}

}  // namespace yp
