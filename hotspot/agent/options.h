#ifndef YP_HOTSPOT_AGENT_OPTIONS_H_
#define YP_HOTSPOT_AGENT_OPTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "core/sampling/bias_correction.h"
#include "core/sampling/policy_factory.h"
#include "hotspot/triggers/perf_events.h"

namespace yp::hotspot {

// What the agent was asked for: "key=value,key=value" behind the library's path in -agentpath, or
// the options of an attach. Values are percent-encoded where they hold '%', ',', '=', ';', a space
// or a control character; "include" and "exclude" may come several times.
struct AgentOptions {
  enum class Command { kStart, kStop };
  enum class Mode { kExact, kCbs, kTimer, kPatching, kEdges };
  enum class Scope { kApplication, kAll };
  // kAuto: the first of these that can be used.
  // kNone: no calls are observed.
  enum class Probe { kAuto, kPatch, kBarrier, kBytecode, kNone };
  // What says that a tick is due.
  enum class Trigger { kNanosleep, kIntervalTimer };
  // What sends the signals that take stacks (the mechanism "immediate").
  enum class Stacks { kNone, kIntervalTimer, kPerfEvents };

  Command command = Command::kStart;
  std::string spool;  // Where to write; "@p" stands for the process id.
  Mode mode = Mode::kCbs;
  PolicyOptions policy;
  // The countdown's interval is as is good for the probe: none was given.
  bool interval_follows_probe = true;
  int64_t tick_ns = 10'000'000;
  Trigger trigger = Trigger::kNanosleep;
  Probe probe = Probe::kBytecode;
  bool force = false;  // The probe may be put into a JDK with which it was never tried.
  // At compiled entries, and where calls are counted down: what the recording may cost, as a share
  // of the program's CPU time; 0: whatever it costs. Ticks then come as often as that allows.
  double budget = 0.005;
  // The same: how long a tick lasts, and without a budget for what share of the time there is one;
  // 1: always, but for a policy with ticks.
  int64_t open_ns = 0;  // 0: as is good for the policy.
  double open_share = 1;
  uint64_t seed = 0;  // 0: from the clock.
  Scope scope = Scope::kApplication;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  // Whether methods without calls or loops of their own, like getters, go without the probe. Parse
  // sets it to true for sampling, where observing them costs more than it tells, and to false for
  // exact counting. Those that are entered compiled are observed at entries whatever it says.
  bool skip_trivial = false;
  // At compiled entries: whether what tells of inlined calls is recorded.
  bool infer = true;
  bool context_tree = false;  // Calling contexts are told, not only edges.
  bool jit = false;           // What the VM's compilers do is recorded beside the calls.
  // Of sampled calls: one in so many brings its stack, which costs about what a sampled call does.
  uint32_t stack_every = 1;
  BiasCorrection correction = kDefaultBiasCorrection;  // How its windows are to be weighted.
  Stacks stacks = Stacks::kNone;
  // From one stack to the next: of the process's CPU time with an interval timer, else in events.
  int64_t stack_interval_ns = 10'000'000;
  PerfEvent event;
  // What the processor counts between windows; none where it has no name. Where it is not to be had
  // the recording goes without, and says so if it was `call_event_wanted`.
  PerfEvent call_event{.name = ""};
  bool call_event_wanted = false;
  int64_t duration_ms = 0;  // 0: until the program ends.

  // An error names the key and what it takes.
  static Result<AgentOptions> Parse(std::string_view text);
};

// Whether it looks at every call, and samples none: each, or each edge's first.
bool CountsCalls(AgentOptions::Mode mode);
// Whether calls are sampled in windows, which need to be told how much was called meanwhile.
bool HasWindows(const AgentOptions& options);
// Whether each call is counted in its calling context.
bool CountsContexts(const AgentOptions& options);
// Whether the whole stack of each sampled call is taken.
bool SamplesContexts(const AgentOptions& options);
// Whether a recording at compiled entries tells what inlined calls are to be inferred from.
bool Infers(const AgentOptions& options);
const char* ToString(AgentOptions::Mode mode);
const char* ToString(AgentOptions::Scope scope);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_OPTIONS_H_
