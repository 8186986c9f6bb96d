#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "cli/agent_options.h"
#include "cli/command.h"
#include "cli/counting_rule.h"
#include "cli/java_command.h"
#include "cli/process.h"
#include "cli/profiling_flags.h"
#include "cli/progress.h"
#include "cli/recording.h"

namespace yp {
namespace {

constexpr const char* kRunFooter = R"(
The agent goes behind the name of the java launcher. Any other COMMAND gets it through
JAVA_TOOL_OPTIONS, so that every JVM it starts is profiled; each of them then says on stderr that it
has "Picked up JAVA_TOOL_OPTIONS". The JVM with the most calls gives the profile, further ones are
saved beside it with their pid. yp exits with the program's own exit code.

Examples:
  yp run -- java -jar app.jar                    sample calls, write yp-DATE-TIME.yp
  yp run -o app.yp --mode exact -- java Main     count every call
  yp run --include 'org.example.*' -- java -jar app.jar
  yp run -- ecj -source 17 -d out src            a script that starts a JVM
)";

Result<int> Run(const std::vector<std::string>& command, const ProfilingFlags& profiling,
                const RecordingFlags& recording) {
  const Result<ProfilingOptions> options = profiling.Get();
  if (!options) return options.status();
  const Result<std::string> profile_path = recording.OutputPath();
  if (!profile_path) return profile_path.status();
  const Result<std::string> library = FindAgentLibrary();
  if (!library) return library.status();

  const SpoolFiles spools(*profile_path, std::to_string(getpid()));
  const std::string refusing = OptionAgainstAgents(command);
  if (!refusing.empty()) {
    Say(
        fmt::format("with {} a JVM takes no agents, as it makes an archive of classes: the program "
                    "runs, and nothing is recorded; leave that option out to record",
                    refusing));
  }
  const CommandWithAgent with_agent =
      refusing.empty() ? AddJvmOptions(command, JvmOptions(*options, *library, spools.pattern()))
                       : CommandWithAgent{command, {}};
  ProcessSpec spec;
  spec.argv = with_agent.argv;
  spec.environment = with_agent.environment;
  const Result<ProcessResult> result = [&] {
    std::optional<TellsCountingRule> rule;
    if (options->SeesEveryCall() && !recording.quiet()) rule.emplace(spools);
    return RunInForeground(spec);
  }();
  if (!result) return result.status();
  if (!refusing.empty()) return result->exit_code;

  recording.CollectAndShow(
      spools, *profile_path,
      fmt::format(
          "nothing was recorded: {} started no JVM that took the agent (HotSpot, JDK 11 or "
          "later, x86-64 or aarch64); see whether a line above starts with \"yieldpoint:\", and "
          "whether the command starts a JVM at all",
          command.front()));
  return result->exit_code;
}

}  // namespace

void AddRunCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("run", "Run a Java command and record its call graph");
  command.ShowUserCommand();
  command.Footer(kRunFooter);
  const auto recording = std::make_shared<RecordingFlags>(command);
  const auto profiling = std::make_shared<ProfilingFlags>(command, ProfilingFlags::Set::kRun);
  command.WhenChosen([=] {
    invocation->run = [=]() -> Result<int> {
      if (Status s = CheckUserCommand(*invocation, "run"); !s) return s;
      return Run(invocation->user_command, *profiling, *recording);
    };
  });
}

}  // namespace yp
