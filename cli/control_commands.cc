// What is asked of the agent in a JVM that goes on: yp status, start, stop, dump, budget and
// mark.
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <variant>

#include "cli/agent_options.h"
#include "cli/attach/agent_control.h"
#include "cli/command.h"
#include "cli/dumped_spool.h"
#include "cli/duration.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/output_path.h"
#include "cli/profiling_flags.h"
#include "cli/progress.h"
#include "core/options/reply_keys.h"
#include "format/profile/merge.h"
#include "format/profile/warnings.h"

namespace yp {
namespace {

namespace fs = std::filesystem;
using Command = RecordingOptions::Command;

constexpr const char* kStatusFooter = R"(
Says whether the JVM's agent records, since when, what it has cost by its own measure, and where the
data is. Loads nothing: a JVM without an agent stays so.

Examples:
  yp status 4711
  yp status 4711 --json
)";
constexpr const char* kStartFooter = R"(
The recording goes on without yp until yp stop, or the program's end. Without options, in a JVM that
was recorded before, it is another one like the last. docs/production.md has how a JVM records from
its start.

In --spool, %p stands for the process id and %t for the time. With --loop, the file's name needs
one %t.

Examples:
  yp start 4711                                                into a spool in this folder
  yp start 4711 --spool '/var/log/app/%p-%t.yp-spool' --loop 1h --keep 24
)";
constexpr const char* kStopFooter = R"(
What was recorded stays where it is: yp edges FILE reads it, and yp merge several files.

Example:
  yp stop 4711
)";
constexpr const char* kDumpFooter = R"(
The profile has all that the recording still has: the spool that is written, and with --loop those
before it. The recording goes on.

Examples:
  yp dump 4711 -o now.yp
  yp dump 4711 --last 1 -o hour.yp      of a recording with --loop 1h, the part that is written
)";
constexpr const char* kBudgetFooter = R"(
What observing calls may cost from now on, in percent of the program's CPU time. What was recorded
before keeps its weight.

Example:
  yp budget 4711 1
)";

constexpr const char* kMarkFooter = R"(
With yp run --mode edges, or yp start --mode edges, yp tests then says what was reached from this
mark to the next one, as of a test. Without NAME nothing begins. A suite of JUnit needs no marks: yp
run --tests.

Examples:
  yp mark 4711 'login, wrong password'
  yp mark 4711 --end
)";

struct ControlOptions {
  pid_t pid = 0;
  bool json = false;
};

std::string StateOf(const AgentReply& reply) {
  const std::string state = reply.Text(reply_key::kState);
  return state.empty() ? "none" : state;
}

std::optional<double> CostPercent(const AgentReply& reply) {
  const std::optional<double> cost = reply.Number(reply_key::kCostNs);
  const std::optional<double> program = reply.Number(reply_key::kProgramCpuNs);
  if (!cost || !program || *program <= 0) return std::nullopt;
  return 100 * *cost / *program;
}

double Lost(const AgentReply& reply) {
  double lost = 0;
  for (const auto& [key, value] : reply.facts) {
    if (key.starts_with(reply_key::kLost)) lost += reply.Number(key).value_or(0);
  }
  return lost;
}

std::string Amount(const AgentReply& reply) {
  if (const auto calls = reply.Number(reply_key::kCountedCalls)) {
    return FormatCalls(*calls) + " calls counted";
  }
  return WithSeparators(reply.Number(reply_key::kSamples).value_or(0)) + " samples";
}

std::string Files(const AgentReply& reply) {
  const std::string spool = reply.Text(reply_key::kSpool);
  const auto bytes = [&](const char* key) {
    return FormatBytes(static_cast<uint64_t>(reply.Number(key).value_or(0)));
  };
  std::string text = fmt::format("{} ({})", spool, bytes(reply_key::kSpoolBytes));
  if (reply.part_files.size() > 1) {
    text += fmt::format(", {} in {} parts", bytes(reply_key::kPartsBytes), reply.part_files.size());
  }
  return text;
}

// All in one line.
std::string Describe(pid_t pid, const AgentReply& reply) {
  if (StateOf(reply) == "none") {
    return fmt::format("JVM {}: nothing is recorded; yp start {} begins", pid, pid);
  }
  const auto duration = static_cast<int64_t>(reply.Number(reply_key::kDurationNs).value_or(0));
  std::string text = fmt::format(
      "JVM {}: {} {} by {}, {}", pid, StateOf(reply) == "recording" ? "recording for" : "recorded",
      FormatDuration(duration), reply.Text(reply_key::kProbe), Amount(reply));
  if (const std::optional<double> cost = CostPercent(reply)) {
    text += fmt::format(", cost {:.2f} %", *cost);
    if (const auto budget = reply.Number(reply_key::kBudgetPercent)) {
      text += fmt::format(" of a budget of {:g} %", *budget);
    }
  }
  if (const double lost = Lost(reply); lost > 0) text += ", lost " + WithSeparators(lost);
  return text + ", in " + Files(reply);
}

std::string TimeText(double ns_since_1970) {
  const auto seconds = static_cast<std::time_t>(ns_since_1970 / 1e9);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

Json ToJson(pid_t pid, const AgentReply& reply) {
  const auto number = [&](const char* key) {
    const std::optional<double> value = reply.Number(key);
    if (!value) return Json(nullptr);
    return key == reply_key::kBudgetPercent ? Json(*value) : Json(static_cast<uint64_t>(*value));
  };
  const auto text = [&](const char* key) {
    const std::string value = reply.Text(key);
    return value.empty() ? Json(nullptr) : Json(value);
  };
  Json json = {{"pid", pid}, {"state", StateOf(reply)}};
  if (StateOf(reply) == "none") return json;
  const std::optional<double> start = reply.Number(reply_key::kStartTimeNs);
  const std::optional<double> cost = CostPercent(reply);
  json["since"] = start ? Json(TimeText(*start)) : Json(nullptr);
  for (const char* key : {reply_key::kDurationNs, reply_key::kSamples, reply_key::kCountedCalls,
                          reply_key::kCostNs, reply_key::kProgramCpuNs, reply_key::kBudgetPercent,
                          reply_key::kSpoolBytes, reply_key::kPart, reply_key::kPartsBytes}) {
    json[key] = number(key);
  }
  json["cost_percent"] = cost ? Json(*cost) : Json(nullptr);
  for (const char* key : {reply_key::kProbe, reply_key::kOptions, reply_key::kSpool}) {
    json[key] = text(key);
  }
  Json parts = Json::Array();
  for (const std::string& file : reply.part_files) parts.Append(file);
  json["parts"] = parts;
  Json lost = Json::Object();
  for (const auto& [key, value] : reply.facts) {
    if (!key.starts_with(reply_key::kLost)) continue;
    lost[key.substr(std::string(reply_key::kLost).size())] =
        static_cast<uint64_t>(reply.Number(key).value_or(0));
  }
  json["lost"] = lost;
  return json;
}

Result<int> Show(const ControlOptions& options, const AgentReply& reply) {
  const Status shown = options.json ? PrintJson(ToJson(options.pid, reply))
                                    : PrintOut(Describe(options.pid, reply) + "\n");
  return shown ? Result<int>(0) : shown;
}

Status NoAgent(pid_t pid) {
  return Status::Error(
      fmt::format("there is no agent in JVM {}: yp start {} loads it and records", pid, pid));
}

// Of one that must be there.
Result<AgentReply> Ask(pid_t pid, const RecordingOptions& command) {
  const Result<AgentControl> control = AgentControl::Of(pid);
  if (!control) return control.status();
  if (!control->has_agent()) return NoAgent(pid);
  return control->Ask(command);
}

Result<int> ShowStatus(const ControlOptions& options) {
  const Result<AgentControl> control = AgentControl::Of(options.pid);
  if (!control) return control.status();
  if (!control->has_agent()) return Show(options, AgentReply());
  RecordingOptions command;
  command.command = Command::kStatus;
  const Result<AgentReply> reply = control->Ask(command);
  return reply ? Show(options, *reply) : reply.status();
}

Result<int> Stop(const ControlOptions& options) {
  RecordingOptions command;
  command.command = Command::kStop;
  const Result<AgentReply> reply = Ask(options.pid, command);
  return reply ? Show(options, *reply) : reply.status();
}

Result<int> ChangeBudget(const ControlOptions& options, double percent) {
  RecordingOptions command;
  command.command = Command::kBudget;
  command.budget_percent = percent;
  const Result<AgentReply> reply = Ask(options.pid, command);
  return reply ? Show(options, *reply) : reply.status();
}

Result<int> Mark(const ControlOptions& options, const std::string& name, bool ends) {
  if (name.empty() != ends) {
    return Status::Error("yp mark takes the NAME of what begins, or --end");
  }
  // The JVM's attach protocol takes 1,024 bytes, of the command's other parts as well.
  constexpr size_t kLongest = 200;
  if (name.size() > kLongest) {
    return Status::Error(
        fmt::format("the name has {} bytes; {} is the most", name.size(), kLongest));
  }
  RecordingOptions command;
  command.command = Command::kMark;
  command.mark = name;
  const Result<AgentReply> reply = Ask(options.pid, command);
  return reply ? Show(options, *reply) : reply.status();
}

// With this process's folder, where it begins in none.
std::string WholePattern(const std::string& pattern) {
  std::error_code error;
  if (pattern.starts_with('/')) return pattern;
  return AsPattern(fs::current_path(error).native()) + "/" + pattern;
}

Result<int> Start(const ControlOptions& options, const ProfilingFlags& profiling,
                  const std::string& spool) {
  Result<ProfilingOptions> asked = profiling.Get();
  if (!asked) return asked.status();
  const Result<AgentControl> control = AgentControl::Of(options.pid);
  if (!control) return control.status();
  const Result<std::string> library =
      control->has_agent() ? Result<std::string>("") : FindAgentLibrary();
  if (!library) return library.status();
  bool goes_on = false;
  if (control->has_agent() && spool.empty() && !profiling.AnyGiven()) {
    RecordingOptions command;
    command.command = Command::kStatus;
    const Result<AgentReply> reply = control->Ask(command);
    if (!reply) return reply.status();
    goes_on = StateOf(*reply) != "none";
  }
  RecordingOptions command = ForAgent(*asked);
  if (!goes_on) command.spool = WholePattern(spool.empty() ? "yp-%p-%t.yp-spool" : spool);
  const Result<AgentReply> reply = control->Ask(command, *library);
  return reply ? Show(options, *reply) : reply.status();
}

Result<int> Dump(const ControlOptions& options, const std::string& output, uint32_t last) {
  const Result<std::string> path =
      CheckOutputPath(output.empty() ? DefaultProfilePath(std::time(nullptr)) : output);
  if (!path) return path.status();
  RecordingOptions command;
  command.command = Command::kDump;
  const Result<AgentReply> reply = Ask(options.pid, command);
  if (!reply) return reply.status();
  Result<MergedProfile> merged = [&] {
    const Progress progress("reading what was recorded");
    return MergeDumped(*reply, last);
  }();
  if (!merged) return merged.status();
  const Profile& profile = merged->profile;
  for (const std::string& note : merged->notes) Note("warning: " + note);
  for (const std::string& warning : Warnings(profile)) Note("warning: " + warning);
  if (Status saved = SaveProfile(profile, *path); !saved) return saved;
  if (options.json) {
    const Status printed = PrintJson({{"profile", *path},
                                      {"pid", options.pid},
                                      {"calls", profile.total_calls()},
                                      {"samples", profile.total_samples()},
                                      {"duration_ns", profile.duration_ns}});
    return printed ? Result<int>(0) : printed;
  }
  const Status printed = PrintOut(fmt::format("JVM {}: {} calls in {}: {}\n", options.pid,
                                              FormatCalls(profile.total_calls()),
                                              FormatDuration(profile.duration_ns), *path));
  return printed ? Result<int>(0) : printed;
}

// The options that all of them have.
std::shared_ptr<ControlOptions> AddOptions(Flags command) {
  auto options = std::make_shared<ControlOptions>();
  command.Option("pid", &options->pid, "The JVM's process id").Value("PID").Required().AboveZero();
  command.Switch("--json", &options->json, "A JSON object");
  return options;
}

}  // namespace

void AddControlCommands(CommandLine& program, Invocation* invocation) {
  {
    Flags command = program.Command("status", "What the agent in a JVM records, and its cost");
    command.Footer(kStatusFooter);
    const auto options = AddOptions(command);
    command.WhenChosen([=] { invocation->run = [=] { return ShowStatus(*options); }; });
  }
  {
    Flags command = program.Command("start", "Have a JVM record from now on, without yp");
    command.Footer(kStartFooter);
    const auto options = AddOptions(command);
    const auto spool = std::make_shared<std::string>();
    command.Option("--spool", spool.get(), "The file, or files, to record into [yp-%p-%t.yp-spool]")
        .Value("PATTERN");
    const auto profiling = std::make_shared<ProfilingFlags>(command, ProfilingFlags::Set::kStart);
    command.WhenChosen(
        [=] { invocation->run = [=] { return Start(*options, *profiling, *spool); }; });
  }
  {
    Flags command = program.Command("stop", "End the recording in a JVM; the program goes on");
    command.Footer(kStopFooter);
    const auto options = AddOptions(command);
    command.WhenChosen([=] { invocation->run = [=] { return Stop(*options); }; });
  }
  {
    Flags command = program.Command("dump", "A profile of what a JVM has recorded so far");
    command.Footer(kDumpFooter);
    const auto options = AddOptions(command);
    const auto output = std::make_shared<std::string>();
    const auto last = std::make_shared<uint32_t>(0);
    command.Option("-o,--output", output.get(), "The profile to write [yp-DATE-TIME.yp]")
        .Value("FILE");
    command.Option("--last", last.get(), "With --loop, the latest parts only")
        .Value("N")
        .AboveZero();
    command.WhenChosen([=] { invocation->run = [=] { return Dump(*options, *output, *last); }; });
  }
  {
    Flags command = program.Command("budget", "Change what recording in a JVM may cost");
    command.Footer(kBudgetFooter);
    const auto options = AddOptions(command);
    const auto percent = std::make_shared<double>(0);
    command.Option("percent", percent.get(), "Of the program's CPU time")
        .Value("PERCENT")
        .Required()
        .Range(0.0, 100.0);
    command.WhenChosen([=] { invocation->run = [=] { return ChangeBudget(*options, *percent); }; });
  }
  {
    Flags command = program.Command("mark", "Say what begins now in a JVM that is recorded");
    command.Footer(kMarkFooter);
    const auto options = AddOptions(command);
    const auto name = std::make_shared<std::string>();
    const auto ends = std::make_shared<bool>(false);
    command.Option("name", name.get(), "Of what begins; what was marked before ends").Value("NAME");
    command.Switch("--end", ends.get(), "What was marked ends, and nothing begins");
    command.WhenChosen([=] { invocation->run = [=] { return Mark(*options, *name, *ends); }; });
  }
}

}  // namespace yp
