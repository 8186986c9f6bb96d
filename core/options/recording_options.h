#ifndef YP_CORE_OPTIONS_RECORDING_OPTIONS_H_
#define YP_CORE_OPTIONS_RECORDING_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/options/perf_event_code.h"
#include "core/sampling/bias_correction.h"
#include "core/sampling/policy_factory.h"

namespace yp {

// How a JVM is to be profiled: what yp is asked for, and what it asks the agent for. Defaults stand
// here and in PolicyOptions alone; what each is called, and in which unit, in option_table.cc.
struct RecordingOptions {
  // kStart without a spool: another recording like the last one. kDump: what was recorded so far is
  // in the spool; the recording goes on. kBudget: it goes on with this budget. kMark: what was
  // marked before ends, and what `mark` names begins.
  enum class Command { kStart, kStop, kStatus, kDump, kBudget, kMark };
  enum class Mode { kExact, kCbs, kTimer, kPatching, kEdges };
  enum class Scope { kApplication, kAll };
  // kAuto: the first of these that can be used. kNone: no calls are observed.
  enum class Probe { kAuto, kPatch, kBarrier, kBytecode, kNone };
  // What says that a tick is due.
  enum class Trigger { kNanosleep, kIntervalTimer };
  // What sends the signals that take stacks (the mechanism "immediate").
  enum class Stacks { kNone, kIntervalTimer, kHpm };

  Command command = Command::kStart;
  // Where to write: "%p" stands for the process id, "%t" for the time, as 20261126-071402 (UTC),
  // and "%%" for "%".
  std::string spool;
  std::string reply;  // The file for what a command has to tell, a spool with a Config; or none.
  std::string title;  // What the user calls the recording, such as the program's version.
  std::string mark;   // The name of a test; empty: none begins.
  Mode mode = Mode::kCbs;
  PolicyOptions policy;
  bool interval_is_given = false;  // Else the agent knows what is good for the probe.
  int64_t tick_ns = 10'000'000;    // Between windows, or between stacks.
  Trigger trigger = Trigger::kNanosleep;
  BiasCorrection correction = kDefaultBiasCorrection;  // How windows are to be weighted.
  bool jit = false;           // What the compilers do, and which of their code is executed.
  bool tests = false;         // Listeners for tests are put on the program's class path.
  bool context_tree = false;  // Calling contexts are told, not only edges.
  // Of sampled calls, one in so many brings its stack, which costs about what a sampled call does.
  std::optional<uint32_t> stack_every;
  Stacks stacks = Stacks::kNone;
  // From one stack to the next, with an interval timer: of the process's CPU time.
  int64_t stack_interval_ns = 10'000'000;
  // With kHpm: what is counted, and how many of them from one stack to the next; nothing: ns of
  // each thread's CPU time.
  struct Event {
    std::string name;
    PerfEventCode code;
    uint64_t period = 10'000'000;
  };
  std::optional<Event> event;
  uint64_t period = 1'000'000;  // Of an event that is no clock.
  // What the processor is to count between windows, and whether it was asked for by name: else a
  // recording goes without in silence where it is not to be had.
  std::optional<NamedPerfEvent> call_counter;
  bool call_counter_is_wanted = false;
  Probe probe = Probe::kBytecode;
  bool force = false;  // Also with a JDK that the probe was never tried with, or that it may crash.
  double budget_percent = 0.5;  // Of the program's CPU time, where IsPaced(); 0: no limit.
  // At compiled entries, and where calls are counted down: how long a tick lasts, and without a
  // budget for what share of the time there is one; 1: always, but for a policy with ticks.
  int64_t open_ns = 0;  // 0: as is good for the policy.
  // Whether calls of methods that are seldom called count down several steps, where the probe can.
  bool adapts_steps = true;
  // Whether entries of code that loops are counted between ticks, where the probe can.
  bool counts_entries = true;
  double open_share = 1;
  bool infer = true;  // At compiled entries: what tells of inlined calls is recorded.
  Scope scope = Scope::kApplication;
  std::vector<std::string> include;  // Globs on dotted class names.
  std::vector<std::string> exclude;
  // Whether methods without calls or loops of their own, like getters, are observed; nothing: the
  // agent's choice.
  std::optional<bool> trivial;
  std::optional<uint64_t> seed;        // Nothing: from the clock.
  std::optional<int64_t> duration_ns;  // Nothing: until the program ends.
  // A spool ends after this time and another one begins, its next part; nothing: there is one only.
  std::optional<int64_t> loop_ns;
  uint32_t keep = 24;                 // So many parts are kept, the one that is written included.
  std::optional<uint64_t> max_bytes;  // All parts together; the oldest are removed.
  // Of the compiler's mode edges: code targets in each dispatch slot itself.
  uint32_t inlined_targets = 2;
  // Of the compiler's modes with ticks: methods are compiled again as the samples say.
  bool adaptive = false;
  // kOwn: those of `inlining` and `optimizes`. kAgain: BASE once more above itself, so that what
  // recompiling does is seen without another compiler.
  enum class Levels { kOwn, kAgain };
  Levels levels = Levels::kOwn;
  // What the levels above BASE inline by: nothing; static heuristics or a recorded profile, which
  // do not change while the program runs, so that a method is compiled once; or the samples of the
  // run. OPT1 is there where something is inlined, and OPT2 where `optimizes` says so.
  enum class Inlining { kNone, kFixed, kOnline };
  Inlining inlining = Inlining::kNone;
  bool optimizes = false;
  bool probe_is_given = false, policy_is_given = false;

  // Whether each call is counted, or looked at, and none is sampled.
  bool SeesEveryCall() const { return mode == Mode::kExact || mode == Mode::kEdges; }
  bool SamplesCalls() const { return mode == Mode::kCbs || mode == Mode::kTimer; }
  // What observing calls in ticks may cost, as a share of the program's CPU time: the whole budget,
  // or half of it where stacks are taken as well. Those come at a fixed rate, whatever they cost,
  // and would leave the ticks nothing.
  double budget_of_ticks() const {
    return budget_percent / 100 * (stacks == Stacks::kNone ? 1 : 0.5);
  }
  // Whether the probe may be one on compiled entries.
  bool MayBeAtEntries() const { return probe != Probe::kBytecode && probe != Probe::kNone; }
  // Whether calls are counted down all the time, or in ticks that a budget allows.
  bool CountsDown() const {
    return mode == Mode::kCbs && policy.kind == PolicyOptions::Kind::kCountdown;
  }
  // Whether a budget says how often calls are observed.
  bool IsPaced() const { return MayBeAtEntries() || (CountsDown() && probe != Probe::kNone); }
  // Whether calls that the JIT inlines are to be inferred, if the probe is one on compiled entries.
  bool MayInfer() const { return MayBeAtEntries() && SamplesCalls(); }
  // Whether the compilers are to record where inlined code is, call or not.
  bool WantsDebugInfo() const { return MayInfer() || stacks != Stacks::kNone; }
  // Whether calls are sampled in windows at ticks, or may be.
  bool HasWindows() const {
    return SamplesCalls() && probe != Probe::kNone &&
           policy.kind != PolicyOptions::Kind::kCountdown;
  }
  // Whether ticks come at fixed times.
  bool HasTicks() const {
    const bool is_paced = MayBeAtEntries() && budget_percent > 0;
    return HasWindows() && !is_paced;
  }
  // Whether each call is counted in its calling context, or the stacks of sampled calls are taken.
  bool CountsContexts() const {
    return context_tree && mode == Mode::kExact && probe == Probe::kBytecode;
  }
  bool SamplesContexts() const { return context_tree && SamplesCalls() && stacks == Stacks::kNone; }
};

}  // namespace yp

#endif  // YP_CORE_OPTIONS_RECORDING_OPTIONS_H_
