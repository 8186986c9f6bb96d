#include "cli/profiling_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Reason = CommandLine::Stop::Reason;

Result<ProfilingOptions> Parse(const std::vector<std::string>& arguments,
                               ProfilingFlags::Set set = ProfilingFlags::Set::kRun) {
  CommandLine line("yp", "", "");
  ProfilingFlags flags(line.flags(), set);
  if (const std::optional<CommandLine::Stop> stop = line.Parse(arguments)) throw stop->reason;
  return flags.Get();
}

// Why the line is refused before any of its values is looked at; nothing if it is not.
std::optional<Reason> ReasonAgainst(const std::vector<std::string>& arguments,
                                    ProfilingFlags::Set set = ProfilingFlags::Set::kRun) {
  try {
    (void)Parse(arguments, set);
    return std::nullopt;
  } catch (Reason reason) {
    return reason;
  }
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  const Result<ProfilingOptions> options = Parse(arguments);
  return options ? "" : std::string(options.message());
}

TEST(ProfilingFlagsTest, TakesTheDefaultsOfTheSampler) {
  const Result<ProfilingOptions> options = Parse({});
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->mode, ProfilingOptions::Mode::kCbs);
  EXPECT_EQ(options->probe, ProfilingOptions::Probe::kAuto);
  EXPECT_EQ(options->policy.kind, PolicyOptions::Kind::kCountdown);
  EXPECT_FALSE(options->interval_is_given);
  EXPECT_FALSE(options->trivial.has_value());
  EXPECT_FALSE(options->seed.has_value());
}

TEST(ProfilingFlagsTest, ReadsEverything) {
  const Result<ProfilingOptions> options = Parse(
      {"--tick",    "4ms", "--stride",  "127",     "--samples",  "128", "--stride-kind", "fixed",
       "--seed",    "9",   "--scope",   "all",     "--include",  "a.*", "--include",     "b",
       "--exclude", "c",   "--trivial", "exclude", "--duration", "1.5"});
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->tick_ns, 4'000'000);
  EXPECT_EQ(options->policy.stride, 127u);
  EXPECT_EQ(options->policy.samples, 128u);
  EXPECT_EQ(options->policy.strides, CounterBasedSampling::Strides::kFixed);
  EXPECT_EQ(options->seed, 9u);
  EXPECT_EQ(options->scope, ProfilingOptions::Scope::kAll);
  EXPECT_THAT(options->include, ElementsAre("a.*", "b"));
  EXPECT_THAT(options->exclude, ElementsAre("c"));
  EXPECT_EQ(options->trivial, false);
  EXPECT_EQ(options->duration_ns, 1'500'000'000);
}

TEST(ProfilingFlagsTest, TakesRoundRobinForFixedStrides) {
  const Result<ProfilingOptions> options = Parse({"--skip", "round-robin"});
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->policy.strides, CounterBasedSampling::Strides::kFixed);
  EXPECT_NE(ErrorOf({"--skip", "round-robin", "--stride-kind", "random"}), "");
}

TEST(ProfilingFlagsTest, RefusesWhatHasNoEffectInTheMode) {
  for (const char* flag : {"--stride", "--samples", "--interval"}) {
    EXPECT_THAT(ErrorOf({"--mode", "exact", flag, "5"}), HasSubstr(flag));
    EXPECT_THAT(ErrorOf({"--mode", "timer", flag, "5"}), HasSubstr(flag));
  }
  EXPECT_THAT(ErrorOf({"--mode", "exact", "--tick", "1ms"}), HasSubstr("--tick"));
  EXPECT_THAT(ErrorOf({"--mode", "exact", "--seed", "1"}), HasSubstr("--seed"));
  EXPECT_THAT(ErrorOf({"--mode", "timer", "--policy", "countdown"}), HasSubstr("--policy"));
  EXPECT_EQ(ErrorOf({"--mode", "timer", "--tick", "1ms"}), "");
}

TEST(ProfilingFlagsTest, TellsTheTwoPoliciesOptionsApart) {
  EXPECT_EQ(ErrorOf({"--interval", "5"}), "");
  EXPECT_THAT(ErrorOf({"--interval", "5", "--policy", "cbs"}), HasSubstr("countdown"));
  EXPECT_THAT(ErrorOf({"--policy", "countdown", "--stride", "5"}), HasSubstr("--stride"));
  EXPECT_THAT(ErrorOf({"--policy", "countdown", "--tick", "1ms"}), HasSubstr("--tick"));
  EXPECT_EQ(ErrorOf({"--policy", "countdown", "--interval", "5"}), "");
}

TEST(ProfilingFlagsTest, TicksComeFromAThreadThatSleepsOrATimer) {
  EXPECT_FALSE(Parse({"--mode", "timer"})->trigger == ProfilingOptions::Trigger::kIntervalTimer);
  EXPECT_TRUE(Parse({"--mode", "timer", "--trigger", "setitimer"})->trigger ==
              ProfilingOptions::Trigger::kIntervalTimer);
  EXPECT_THAT(ErrorOf({"--probe", "patch", "--trigger", "setitimer"}), HasSubstr("--trigger"));
}

TEST(ProfilingFlagsTest, WindowsAreCorrectedAsAsked) {
  EXPECT_EQ(Parse({})->correction, kDefaultBiasCorrection);
  EXPECT_EQ(Parse({"--mode", "timer", "--correct", "density+latency"})->correction,
            BiasCorrection::kDensityAndLatency);
  EXPECT_EQ(Parse({"--policy", "cbs", "--correct", "none"})->correction, BiasCorrection::kNone);
  EXPECT_THAT(ErrorOf({"--correct", "none"}), HasSubstr("--correct works only with windows"));
  EXPECT_THAT(ErrorOf({"--mode", "timer", "--correct", "more"}), HasSubstr("choose none"));
}

TEST(ProfilingFlagsTest, ContextsAreOfAllCallsOrOfThoseThatAreSampled) {
  EXPECT_FALSE(Parse({})->context_tree);
  EXPECT_TRUE(Parse({"--context", "tree"})->context_tree);
  EXPECT_EQ(Parse({"--context", "tree", "--stack-every", "9"})->stack_every, 9u);
  EXPECT_EQ(Parse({"--context", "tree"})->stack_every, std::nullopt);
  EXPECT_FALSE(Parse({"--stack-every", "9"}));
  EXPECT_EQ(ReasonAgainst({"--context", "tree", "--stack-every", "0"}), Reason::kInvalid);
  EXPECT_FALSE(Parse({"--mode", "exact", "--context", "tree", "--stack-every", "9"}));
  EXPECT_TRUE(Parse({"--mode", "exact", "--context", "tree"})->context_tree);
  EXPECT_THAT(ErrorOf({"--mode", "edges", "--context", "tree"}), HasSubstr("--context works only"));
  EXPECT_THAT(ErrorOf({"--mechanism", "immediate", "--context", "tree"}),
              HasSubstr("whole anyway"));
}

TEST(ProfilingFlagsTest, SaysWhichValuesThereAre) {
  EXPECT_EQ(ErrorOf({"--mode", "quick"}),
            "--mode quick: unknown; choose exact, cbs, timer, patching or edges");
}

TEST(ProfilingFlagsTest, EdgesAreFoundByTheProbeInBytecodeAndNotSampled) {
  const Result<ProfilingOptions> options = Parse({"--mode", "edges"});
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_EQ(options->mode, ProfilingOptions::Mode::kEdges);
  EXPECT_EQ(options->probe, ProfilingOptions::Probe::kBytecode);
  EXPECT_THAT(ErrorOf({"--mode", "edges", "--probe", "patch"}), HasSubstr("leave --probe out"));
  EXPECT_THAT(ErrorOf({"--mode", "edges", "--stride", "5"}), HasSubstr("--stride"));
  EXPECT_THAT(ErrorOf({"--mode", "edges", "--seed", "5"}), HasSubstr("--seed"));
}

TEST(ProfilingFlagsTest, AProbeOnCompiledEntriesCountsAllAlongWithinItsBudget) {
  const Result<ProfilingOptions> options = Parse({"--probe", "auto", "--budget", "0.25"});
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->probe, ProfilingOptions::Probe::kAuto);
  EXPECT_EQ(options->policy.kind, PolicyOptions::Kind::kCountdown);
  EXPECT_EQ(options->budget_percent, 0.25);
  EXPECT_FALSE(options->HasTicks());
}

TEST(ProfilingFlagsTest, TheProbeFollowsWhatIsAskedFor) {
  using Probe = ProfilingOptions::Probe;
  EXPECT_EQ(Parse({"--mode", "exact"})->probe, Probe::kBytecode);
  EXPECT_EQ(Parse({"--mode", "timer"})->probe, Probe::kBytecode);
  EXPECT_EQ(Parse({"--policy", "countdown"})->probe, Probe::kAuto);
  EXPECT_EQ(Parse({"--policy", "cbs"})->probe, Probe::kBytecode);
  for (const char* flag : {"--stride", "--samples"}) {
    const Result<ProfilingOptions> windows = Parse({flag, "100"});
    ASSERT_TRUE(windows) << windows.message();
    EXPECT_EQ(windows->probe, Probe::kBytecode);
    EXPECT_EQ(windows->policy.kind, PolicyOptions::Kind::kCounterBased);
  }
  EXPECT_EQ(Parse({"--tick", "4ms"})->probe, Probe::kBytecode);
}

TEST(ProfilingFlagsTest, SignalsTakeStacksBesideTheCallsOrAlone) {
  using Probe = ProfilingOptions::Probe;
  using Stacks = ProfilingOptions::Stacks;
  EXPECT_EQ(Parse({})->stacks, Stacks::kNone);
  const Result<ProfilingOptions> beside = Parse({"--mechanism", "immediate", "--tick", "1ms"});
  ASSERT_TRUE(beside) << beside.message();
  EXPECT_EQ(beside->stacks, Stacks::kHpm);
  EXPECT_EQ(beside->probe, Probe::kAuto);
  EXPECT_EQ(beside->tick_ns, 1'000'000);
  const Result<ProfilingOptions> alone =
      Parse({"--mode", "timer", "--mechanism", "immediate", "--trigger", "setitimer"});
  ASSERT_TRUE(alone) << alone.message();
  EXPECT_EQ(alone->stacks, Stacks::kIntervalTimer);
  EXPECT_EQ(alone->probe, Probe::kNone);
  EXPECT_FALSE(alone->HasTicks());
  EXPECT_THAT(ErrorOf({"--mechanism", "immediate", "--trigger", "nanosleep"}),
              HasSubstr("sends no signals"));
  EXPECT_THAT(ErrorOf({"--mode", "timer", "--trigger", "hpm"}),
              HasSubstr("needs --mechanism immediate"));
  EXPECT_THAT(ErrorOf({"--probe", "none"}), HasSubstr("observes no calls"));
  EXPECT_THAT(ErrorOf({"--probe", "none", "--mode", "timer"}), HasSubstr("observes no calls"));
}

TEST(ProfilingFlagsTest, SignalsSampleMethodsForTheCompiler) {
  using Stacks = ProfilingOptions::Stacks;
  const auto parse = [](const std::vector<std::string>& arguments) {
    return Parse(arguments, ProfilingFlags::Set::kAos);
  };
  for (const char* profiler : {"cbs", "timer"}) {
    EXPECT_EQ(parse({"--adaptive", "--profiler", profiler})->stacks, Stacks::kNone);
    const Result<ProfilingOptions> immediate =
        parse({"--adaptive", "--profiler", profiler, "--mechanism", "immediate"});
    ASSERT_TRUE(immediate) << immediate.message();
    EXPECT_EQ(immediate->stacks, Stacks::kHpm);
    EXPECT_TRUE(immediate->HasTicks()) << "calls are sampled at yieldpoints all the same";
  }
  EXPECT_EQ(parse({"--adaptive", "--profiler", "cbs", "--mechanism", "immediate", "--trigger",
                   "setitimer"})
                ->stacks,
            Stacks::kIntervalTimer);
  EXPECT_THAT(parse({"--profiler", "cbs", "--mechanism", "immediate"}).message(),
              HasSubstr("needs --adaptive"));
  EXPECT_THAT(parse({"--adaptive", "--profiler", "cbs", "--trigger", "hpm"}).message(),
              HasSubstr("needs --mechanism immediate"));
}

TEST(ProfilingFlagsTest, AnEventHasANameAndAPeriod) {
  const Result<ProfilingOptions> cycles =
      Parse({"--mechanism", "immediate", "--event", "cycles", "--period", "9000000"});
  ASSERT_TRUE(cycles) << cycles.message();
  ASSERT_TRUE(cycles->event.has_value());
  EXPECT_EQ(cycles->event->name, "cycles");
  EXPECT_EQ(cycles->event->period, 9'000'000u);
  EXPECT_FALSE(Parse({"--mechanism", "immediate", "--event", "cpu-clock"})->event.has_value())
      << "as without: the time between stacks says when";
  EXPECT_THAT(ErrorOf({"--mechanism", "immediate", "--event", "no-such"}), HasSubstr("no-such"));
  EXPECT_THAT(ErrorOf({"--event", "cycles"}), HasSubstr("--event"));
  EXPECT_THAT(ErrorOf({"--mechanism", "immediate", "--trigger", "setitimer", "--event", "cycles"}),
              HasSubstr("--event"));
  EXPECT_THAT(ErrorOf({"--mechanism", "immediate", "--period", "5"}), HasSubstr("--period"));
}

TEST(ProfilingFlagsTest, CallsAreCountedDownUnlessWindowsAreAskedFor) {
  using Kind = PolicyOptions::Kind;
  for (const char* probe : {"auto", "patch", "barrier", "bytecode"}) {
    EXPECT_EQ(Parse({"--probe", probe})->policy.kind, Kind::kCountdown);
    EXPECT_EQ(Parse({"--probe", probe, "--policy", "cbs"})->policy.kind, Kind::kCounterBased);
  }
  for (const char* flag : {"--stride", "--samples", "--delay"}) {
    const Result<ProfilingOptions> options = Parse({flag, "5"});
    EXPECT_EQ(options->policy.kind, Kind::kCounterBased) << flag;
    EXPECT_EQ(options->probe, ProfilingOptions::Probe::kBytecode) << flag;
  }
  EXPECT_EQ(Parse({"--tick", "5ms"})->policy.kind, Kind::kCounterBased);
}

TEST(ProfilingFlagsTest, WindowsAtCompiledEntriesHaveTheirTicksFromTheBudgetOrTheTick) {
  EXPECT_THAT(ErrorOf({"--probe", "patch", "--policy", "cbs", "--tick", "1ms"}),
              HasSubstr("--tick"));
  EXPECT_EQ(ErrorOf({"--probe", "patch", "--policy", "cbs", "--tick", "1ms", "--budget", "0"}), "");
}

TEST(ProfilingFlagsTest, RefusesWhatHasNoEffectWithTheProbe) {
  EXPECT_EQ(ErrorOf({"--budget", "1", "--probe", "bytecode"}), "");
  EXPECT_THAT(ErrorOf({"--budget", "1", "--probe", "bytecode", "--policy", "cbs"}),
              HasSubstr("--budget"));
  EXPECT_THAT(ErrorOf({"--budget", "1", "--mode", "exact"}), HasSubstr("--budget"));
  EXPECT_EQ(ErrorOf({"--force", "--mode", "exact"}), "");
  EXPECT_EQ(ErrorOf({"--probe", "barrier", "--force"}), "");
  EXPECT_EQ(ReasonAgainst({"--probe", "patch", "--budget", "101"}), Reason::kInvalid);
}

TEST(ProfilingFlagsTest, PatchingIsDoneByPatching) {
  const Result<ProfilingOptions> options = Parse({"--mode", "patching", "--samples", "50"});
  ASSERT_TRUE(options) << options.message();
  EXPECT_EQ(options->probe, ProfilingOptions::Probe::kPatch);
  EXPECT_EQ(options->policy.samples, 50u);
  EXPECT_THAT(ErrorOf({"--mode", "patching", "--probe", "bytecode"}), HasSubstr("--probe patch"));
}

TEST(ProfilingFlagsTest, RefusesValuesOutOfRange) {
  EXPECT_THAT(ErrorOf({"--stride", "0"}), HasSubstr("stride"));
  EXPECT_THAT(ErrorOf({"--tick", "1us"}), HasSubstr("--tick"));
  EXPECT_THAT(ErrorOf({"--tick", "10"}), HasSubstr("unit"));
  EXPECT_THAT(ErrorOf({"--duration", "-3"}), HasSubstr("--duration"));
  EXPECT_THAT(ErrorOf({"--include", "org/example/*"}), HasSubstr("dots"));
  EXPECT_EQ(ReasonAgainst({"--stride", "many"}), Reason::kInvalid);
}

TEST(ProfilingFlagsTest, LeavesTheModeToSelfcheck) {
  EXPECT_EQ(ReasonAgainst({"--mode", "exact"}, ProfilingFlags::Set::kSelfcheck), Reason::kLeftOver);
  EXPECT_TRUE(Parse({"-d", "3"}, ProfilingFlags::Set::kAttach));
}

}  // namespace
}  // namespace yp
