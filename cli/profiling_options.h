#ifndef YP_CLI_PROFILING_OPTIONS_H_
#define YP_CLI_PROFILING_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/perf_event_name.h"
#include "core/sampling/bias_correction.h"
#include "core/sampling/policy_factory.h"

namespace yp {

// How a JVM is to be profiled. The defaults of the sampling parameters stand in PolicyOptions; the
// tick's stands here.
struct ProfilingOptions {
  enum class Mode { kExact, kCbs, kTimer, kPatching, kEdges };
  enum class Scope { kApplication, kAll };
  enum class Probe { kAuto, kPatch, kBarrier, kBytecode, kNone };
  // What sends the signals that take stacks.
  enum class Stacks { kNone, kIntervalTimer, kHpm };

  Mode mode = Mode::kCbs;
  PolicyOptions policy;
  bool interval_is_given = false;  // Else the agent knows what is good for the probe.
  int64_t tick_ns = 10'000'000;    // Between windows, or between stacks.
  bool ticks_by_timer = false;     // By setitimer; else a thread sleeps.
  BiasCorrection correction = kDefaultBiasCorrection;  // Of windows.
  bool jit = false;           // What the compilers do, and which of their code is executed.
  bool context_tree = false;  // Calls are counted by calling context.
  std::optional<uint32_t> stack_every;  // Of sampled calls, one in so many; nothing: the agent's.
  Stacks stacks = Stacks::kNone;
  // With kHpm: what is counted, and how many of them from one stack to the next; nothing: ns of
  // each thread's CPU time.
  struct Event {
    std::string name;
    PerfEventCode code;
    uint64_t period = 0;
  };
  std::optional<Event> event;
  // What the processor is to count between windows, and whether it was asked for by name.
  std::optional<NamedPerfEvent> call_counter;
  bool call_counter_is_wanted = false;
  Probe probe = Probe::kBytecode;
  bool force = false;           // The probe may be used with a JDK that it was never tried with.
  double budget_percent = 0.5;  // Of the program's CPU time, where IsPaced(); 0: no limit.
  Scope scope = Scope::kApplication;
  std::vector<std::string> include;  // Globs on dotted class names.
  std::vector<std::string> exclude;
  std::optional<bool>
      trivial;  // Whether trivial methods are observed; nothing: the agent's choice.
  std::optional<uint64_t> seed;
  std::optional<int64_t> duration_ns;

  // Whether each call is counted, or looked at, and none is sampled.
  bool SeesEveryCall() const { return mode == Mode::kExact || mode == Mode::kEdges; }
  // Whether the probe may be one on compiled entries.
  bool MayBeAtEntries() const { return probe != Probe::kBytecode && probe != Probe::kNone; }
  // Whether a budget says how often calls are observed.
  bool IsPaced() const {
    const bool counts_down = mode == Mode::kCbs && policy.kind == PolicyOptions::Kind::kCountdown;
    return MayBeAtEntries() || (counts_down && probe != Probe::kNone);
  }
  // Whether calls that the JIT inlines are to be inferred, if the probe is one on compiled entries.
  bool MayInfer() const { return MayBeAtEntries() && (mode == Mode::kCbs || mode == Mode::kTimer); }
  // Whether the compilers are to record where inlined code is, call or not.
  bool WantsDebugInfo() const { return MayInfer() || stacks != Stacks::kNone; }
  // Whether calls are sampled in windows at ticks, or may be.
  bool HasWindows() const {
    const bool samples = mode == Mode::kCbs || mode == Mode::kTimer;
    return samples && probe != Probe::kNone && policy.kind != PolicyOptions::Kind::kCountdown;
  }
  // Whether ticks come at fixed times.
  bool HasTicks() const {
    const bool is_paced = MayBeAtEntries() && budget_percent > 0;
    return HasWindows() && !is_paced;
  }
};

}  // namespace yp

#endif  // YP_CLI_PROFILING_OPTIONS_H_
