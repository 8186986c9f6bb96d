#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "cli/agent_options.h"
#include "cli/attach/agent_control.h"
#include "cli/attach/attach_client.h"
#include "cli/attach/jvm_process.h"
#include "cli/attach/shared_directory.h"
#include "cli/command.h"
#include "cli/counting_rule.h"
#include "cli/duration.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/own_signals.h"
#include "cli/profiling_flags.h"
#include "cli/progress.h"
#include "cli/recording.h"

namespace yp {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kAttachFooter = R"(
Records until Ctrl-C, or for -d SECONDS; the program goes on either way. It must run as the same
user (or yp as root) and not in another container. JDK 21 and later say on the program's stderr that
an agent was loaded dynamically; a JDK that disallows it needs -XX:+EnableDynamicAgentLoading, or
the agent from the start: yp run.

Examples:
  yp attach 4711                          until Ctrl-C
  yp attach 4711 -d 30 -o app.yp          for 30 seconds
  yp attach $(pgrep -f app.jar) -d 30 --mode exact --include 'org.example.*'
)";

// For the agent to finish after it was told to, or after its time is up.
constexpr std::chrono::seconds kEndTimeout{30};
constexpr std::chrono::seconds kOwnEndTimeout{5};
constexpr milliseconds kPollInterval{100};

bool HasGone(pid_t pid) { return !InspectProcess(pid).ok(); }

// Waits until the spool has its End record, the JVM is gone, or time is up. True unless time is up.
bool WaitForEnd(const std::string& spool, pid_t pid, steady_clock::duration timeout) {
  const auto deadline = steady_clock::now() + timeout;
  std::uintmax_t size_seen = 0;
  for (;;) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(spool, error);
    if (!error && size != size_seen && SpoolHasEnded(spool)) return true;
    size_seen = size;
    if (HasGone(pid)) return true;
    if (steady_clock::now() >= deadline) return false;
    usleep(std::chrono::microseconds(kPollInterval).count());
  }
}

enum class WaitEnd { kTimeUp, kInterrupted, kJvmGone };

// Waits for the recording's duration, for Ctrl-C or for the end of the JVM, whichever is first.
WaitEnd WaitForRecording(pid_t pid, const std::string& spool, std::optional<int64_t> duration_ns,
                         const EndSignals& signals) {
  const auto start = steady_clock::now();
  std::optional<WaitEnd> end;
  {
    const Progress progress([&](std::chrono::nanoseconds elapsed) {
      std::error_code error;
      const std::uintmax_t bytes = fs::file_size(spool, error);
      return fmt::format("recording JVM {} for {}{}, {} so far{}", pid,
                         FormatDuration(elapsed.count()),
                         duration_ns ? " of " + FormatDuration(*duration_ns) : "",
                         FormatBytes(error ? 0 : bytes), duration_ns ? "" : "; Ctrl-C ends it");
    });
    while (!end) {
      if (signals.WaitFor(kPollInterval)) {
        end = WaitEnd::kInterrupted;
      } else if (HasGone(pid)) {
        end = WaitEnd::kJvmGone;
      } else if (duration_ns &&
                 steady_clock::now() - start >= std::chrono::nanoseconds(*duration_ns)) {
        end = WaitEnd::kTimeUp;
      }
    }
  }
  return *end;
}

struct Target {
  AgentControl control;
  std::string library;
  std::string spool;
};

// Asks the agent for the recording, and waits for what ends it. A signal that comes before the
// agent has answered waits, too: it would end this program and leave the agent recording.
Result<WaitEnd> BeginAndWait(const Target& target, const ProfilingOptions& options,
                             const std::string& spool_pattern) {
  const pid_t pid = target.control.process().pid;
  const EndSignals signals;
  {
    const Progress progress(fmt::format("loading the agent into JVM {}", pid));
    RecordingOptions command = ForAgent(options);
    command.spool = spool_pattern;
    // Why it refuses, if it does, is in its reply.
    const Result<AgentReply> reply = target.control.Ask(command, target.library);
    if (!reply) return reply.status();
  }
  return WaitForRecording(pid, target.spool, options.duration_ns, signals);
}

// Records and returns once the agent is done with the spool, as far as it can be known.
Status Record(const Target& target, const ProfilingOptions& options,
              const std::string& spool_pattern) {
  const pid_t pid = target.control.process().pid;
  const Result<WaitEnd> end = BeginAndWait(target, options, spool_pattern);
  if (!end) return end.status();
  if (*end == WaitEnd::kJvmGone) return Status::Ok();
  AttachClient client(target.control.process());
  const Progress progress(fmt::format("waiting for JVM {} to finish the recording", pid));
  if (*end == WaitEnd::kTimeUp && WaitForEnd(target.spool, pid, kOwnEndTimeout)) {
    return Status::Ok();
  }
  if (Status s = client.LoadAgent(target.library, AgentStopOptions()); !s && !HasGone(pid)) {
    Note(fmt::format("warning: {}; the agent may still record in JVM {}", s.message(), pid));
  } else if (!WaitForEnd(target.spool, pid, kEndTimeout)) {
    Note(fmt::format(
        "warning: the agent in JVM {} has not finished within {} s; taking what there is", pid,
        kEndTimeout.count()));
  }
  return Status::Ok();
}

// One that is there already is used: two would both take the VM's entries.
Result<std::string> LibraryFor(const AgentControl& control) {
  return control.has_agent() ? control.FindLibrary() : FindAgentLibrary();
}

Result<int> Attach(pid_t pid, const ProfilingFlags& profiling, const RecordingFlags& recording) {
  IgnoreSignal(SIGPIPE);  // The recording is to be ended and saved, whoever reads.
  const Result<ProfilingOptions> options = profiling.Get();
  if (!options) return options.status();
  const Result<std::string> profile_path = recording.OutputPath();
  if (!profile_path) return profile_path.status();
  const Result<AgentControl> control = AgentControl::Of(pid);
  if (!control) return control.status();
  const Result<std::string> library = LibraryFor(*control);
  if (!library) return library.status();
  const JvmProcess& process = control->process();

  // The JVM writes the spool with its own rights.
  std::unique_ptr<SharedDirectory> shared;
  std::string beside = *profile_path;
  if (process.euid != geteuid()) {
    Result<std::unique_ptr<SharedDirectory>> created =
        SharedDirectory::Create("yp-attach", process.euid, process.egid);
    if (!created) return created.status();
    shared = std::move(created).value();
    beside = shared->path() + "/attach.yp";
  }
  const SpoolFiles spools(beside, std::to_string(getpid()));
  const Target target{*control, *library, spools.PathOf(process.inner_pid)};
  {
    std::optional<TellsCountingRule> rule;
    if (options->SeesEveryCall() && !recording.quiet()) rule.emplace(spools);
    if (Status s = Record(target, *options, spools.pattern()); !s) return s;
  }

  const Result<Collected> collected = Collect(spools.Find(), *profile_path, RunningJvms::kTake);
  if (!collected) return collected.status();
  if (!collected->profile) {
    for (const std::string& note : collected->notes) Say(note);
    return Status::Error(
        fmt::format("nothing was recorded in JVM {}: see whether a line of its stderr starts with "
                    "\"yieldpoint:\"",
                    pid));
  }
  if (Status s = recording.Show(*collected, *profile_path); !s) return s;
  return 0;
}

}  // namespace

void AddAttachCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("attach", "Record the call graph of a JVM that runs already");
  command.Footer(kAttachFooter);
  const auto recording = std::make_shared<RecordingFlags>(command);
  const auto profiling = std::make_shared<ProfilingFlags>(command, ProfilingFlags::Set::kAttach);
  const auto pid = std::make_shared<pid_t>(0);
  command.Option("pid", pid.get(), "The JVM's process id").Value("PID").Required().AboveZero();
  command.WhenChosen(
      [=] { invocation->run = [=] { return Attach(*pid, *profiling, *recording); }; });
}

}  // namespace yp
