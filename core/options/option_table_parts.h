#ifndef YP_CORE_OPTIONS_OPTION_TABLE_PARTS_H_
#define YP_CORE_OPTIONS_OPTION_TABLE_PARTS_H_

#include <concepts>
#include <type_traits>

#include "core/options/option_table.h"

// What the rows of the table are made of: words, where values are, and when they have an effect.
namespace yp::option_table {

using Options = RecordingOptions;
using Facts = RecordingFacts;
using Kind = RecordingOption::Kind;
using Mode = Options::Mode;
using PolicyKind = PolicyOptions::Kind;
using Probe = Options::Probe;
using Skip = CounterBasedSampling::InitialSkip;
using Strides = CounterBasedSampling::Strides;

inline constexpr uint64_t kMaxCalls = 1u << 30;
inline constexpr uint64_t kHourNs = 3'600'000'000'000;
inline constexpr uint64_t kMinTickNs = 100'000;
inline constexpr double kMaxTickNs = 10e9;  // That is asked for on the command line.

// A member of RecordingOptions, or of its policy, as a row of the table has it.
template <auto member>
struct At {
  static auto& Of(auto& options) {
    if constexpr (requires { options.*member; }) {
      return options.*member;
    } else {
      return options.policy.*member;
    }
  }
  static OptionField Field(Options& options) { return &Of(options); }
  static bool* Switch(Options& options) { return &Of(options); }
  static int Meaning(const Options& options) {
    const auto& value = Of(options);
    if constexpr (std::same_as<decltype(value), const std::optional<bool>&>) {
      return value ? static_cast<int>(*value) : -1;
    } else {
      return static_cast<int>(value);
    }
  }
  static void SetMeaning(Options& options, int meaning) {
    auto& value = Of(options);
    if constexpr (std::same_as<decltype(value), std::optional<bool>&>) {
      value = meaning != 0;
    } else {
      value = static_cast<std::remove_reference_t<decltype(value)>>(meaning);
    }
  }
  static constexpr RecordingOption::WordAccess kWord{Meaning, SetMeaning};
};

inline Options::Event& EventOf(Options& options) {
  return options.event ? *options.event : options.event.emplace(Options::Event{});
}
inline NamedPerfEvent& CallsOf(Options& options) {
  return options.call_counter ? *options.call_counter : options.call_counter.emplace();
}
inline bool HasEvent(const Options& options) {
  return options.stacks == Options::Stacks::kHpm && options.event && !options.event->name.empty();
}
inline bool HasCallCounter(const Options& options) { return options.call_counter.has_value(); }

// What is told of edges, listeners and contexts of counted calls is told once, and what compilers
// do in one file.
inline bool CanLoop(const Options& options) {
  return options.mode != Mode::kEdges && options.mode != Mode::kPatching && !options.jit &&
         !options.CountsContexts();
}
inline bool Always(const Options&, const Facts&) { return true; }
inline bool HasWindows(const Options& options) { return options.HasWindows(); }
inline bool HasWindowsToDescribe(const Options& options, const Facts&) {
  return options.HasWindows();
}
inline bool SamplesPatched(const Options& options) { return options.mode == Mode::kPatching; }
inline bool IsByWindows(const Options& options) {
  return options.mode == Mode::kCbs && options.policy.kind == PolicyKind::kCounterBased;
}
// The other modes have no policy to tell the agent.
inline bool HasPolicyOfWindows(const Options& options) {
  return options.mode == Mode::kCbs && options.policy.kind != PolicyKind::kCountdown;
}
inline bool HasSampler(const Options& options, const Facts&) {
  return options.SamplesCalls() && options.probe != Probe::kNone;
}

// What yp aos records. Nothing is no recording's mode: the first.
enum class Profiler { kNone, kCbs, kCountdown, kTimer, kExhaustive };
inline int ProfilerOf(const Options& options) {
  const bool counts_down = options.policy.kind == PolicyKind::kCountdown;
  return static_cast<int>(options.mode == Mode::kExact   ? Profiler::kExhaustive
                          : options.mode == Mode::kTimer ? Profiler::kTimer
                          : counts_down                  ? Profiler::kCountdown
                                                         : Profiler::kCbs);
}
inline void SetProfiler(Options& options, int meaning) {
  const auto profiler = static_cast<Profiler>(meaning);
  options.mode = profiler == Profiler::kExhaustive ? Mode::kExact
                 : profiler == Profiler::kTimer    ? Mode::kTimer
                                                   : Mode::kCbs;
  options.policy.kind = profiler == Profiler::kTimer       ? PolicyKind::kTimer
                        : profiler == Profiler::kCountdown ? PolicyKind::kCountdown
                                                           : PolicyKind::kCounterBased;
}

inline constexpr std::string_view kTickNeeds =
    "ticks at fixed times: windows, and no --budget above 0 at compiled entries; or --mechanism "
    "immediate";
inline constexpr std::string_view kWindowNeeds = "--mode cbs with --policy cbs";
inline constexpr std::string_view kCorrectNeeds =
    "windows: --mode timer by polling, or --mode cbs with --policy cbs";

inline constexpr OptionWord kModes[] = {{"exact", Mode::kExact},
                                        {"cbs", Mode::kCbs},
                                        {"timer", Mode::kTimer},
                                        {"patching", Mode::kPatching},
                                        {"edges", Mode::kEdges}};
inline constexpr OptionWord kProfilers[] = {{"none", Profiler::kNone},
                                            {"cbs", Profiler::kCbs},
                                            {"countdown", Profiler::kCountdown},
                                            {"timer", Profiler::kTimer},
                                            {"exhaustive", Profiler::kExhaustive}};
inline constexpr OptionWord kLevels[] = {{"own", Options::Levels::kOwn},
                                         {"again", Options::Levels::kAgain}};
inline constexpr OptionWord kInlining[] = {{"none", Options::Inlining::kNone},
                                           {"fixed", Options::Inlining::kFixed},
                                           {"online", Options::Inlining::kOnline}};
inline constexpr OptionWord kScopes[] = {{"app", Options::Scope::kApplication},
                                         {"all", Options::Scope::kAll}};
inline constexpr OptionWord kTrivial[] = {{"include", true}, {"exclude", false}};
inline constexpr OptionWord kStrideKinds[] = {{"random", Strides::kRandomized},
                                              {"fixed", Strides::kFixed}};
inline constexpr OptionWord kSkips[] = {{"random", Skip::kRandom},
                                        {"round-robin", Skip::kRoundRobin}};
inline constexpr OptionWord kPolicies[] = {{"cbs", PolicyKind::kCounterBased},
                                           {"countdown", PolicyKind::kCountdown},
                                           {"timer", PolicyKind::kTimer, false}};
inline constexpr OptionWord kContexts[] = {{"edge", false}, {"tree", true}};
inline constexpr OptionWord kProbes[] = {{"auto", Probe::kAuto},
                                         {"patch", Probe::kPatch},
                                         {"barrier", Probe::kBarrier},
                                         {"bytecode", Probe::kBytecode},
                                         {"none", Probe::kNone}};
inline constexpr OptionWord kCorrections[] = {
    {"none", BiasCorrection::kNone},
    {"density", BiasCorrection::kDensity},
    {"density+latency", BiasCorrection::kDensityAndLatency},
    {"shrunk", BiasCorrection::kShrunkDensity}};
inline constexpr OptionWord kYesNo[] = {{"yes", true}, {"no", false}};
inline constexpr OptionWord kTrueFalse[] = {{"true", true}, {"false", false}};
// Of the command line alone: what they make of the options below depends on others.
inline constexpr OptionWord kTriggers[] = {
    {"auto", 0}, {"nanosleep", 1}, {"setitimer", 2}, {"hpm", 3}};
inline constexpr OptionWord kMechanisms[] = {{"polling", 0}, {"immediate", 1}};
inline constexpr OptionWord kCommands[] = {
    {"start", Options::Command::kStart},   {"stop", Options::Command::kStop},
    {"status", Options::Command::kStatus}, {"dump", Options::Command::kDump},
    {"budget", Options::Command::kBudget}, {"mark", Options::Command::kMark}};
inline constexpr OptionWord kTickTriggers[] = {{"nanosleep", Options::Trigger::kNanosleep},
                                               {"setitimer", Options::Trigger::kIntervalTimer}};
inline constexpr OptionWord kStacks[] = {{"none", Options::Stacks::kNone},
                                         {"setitimer", Options::Stacks::kIntervalTimer},
                                         {"hpm", Options::Stacks::kHpm}};

}  // namespace yp::option_table

#endif  // YP_CORE_OPTIONS_OPTION_TABLE_PARTS_H_
