#include "hotspot/support/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/options/option_table.h"
#include "recorder/triggers/signal_triggers.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = PolicyOptions::Kind;

AgentOptions Parsed(const std::string& text) {
  Result<AgentOptions> options = AgentOptions::Parse(text);
  EXPECT_TRUE(options.ok()) << text << ": " << options.message();
  return options.ok() ? *options : AgentOptions{};
}

std::string ErrorOf(const std::string& text) {
  return std::string(AgentOptions::Parse(text).message());
}

TEST(AgentOptionsTest, ASpoolIsAllThatARecordingNeeds) {
  const AgentOptions options = Parsed("spool=/tmp/x.spool");
  EXPECT_EQ(options.command, AgentOptions::Command::kStart);
  EXPECT_EQ(options.spool, "/tmp/x.spool");
  EXPECT_EQ(options.mode, AgentOptions::Mode::kCbs);
  EXPECT_EQ(options.policy.kind, Kind::kCounterBased);
  EXPECT_EQ(options.scope, AgentOptions::Scope::kApplication);
  EXPECT_EQ(options.duration_ns, std::nullopt);
}

TEST(AgentOptionsTest, SamplingLeavesTrivialMethodsOutUnlessAskedAndExactCountingDoesNot) {
  EXPECT_TRUE(Parsed("spool=s").skip_trivial);
  EXPECT_TRUE(Parsed("spool=s,mode=timer").skip_trivial);
  EXPECT_FALSE(Parsed("mode=exact,spool=s").skip_trivial);
  EXPECT_FALSE(Parsed("trivial=include,spool=s,mode=cbs").skip_trivial);
  EXPECT_TRUE(Parsed("trivial=exclude,spool=s,mode=exact").skip_trivial);
}

TEST(AgentOptionsTest, StacksHaveATriggerAndAnEvent) {
  const AgentOptions options = Parsed(
      "spool=s,mode=timer,probe=none,stacks=hpm,stack_interval_ns=1000000,event=misses,"
      "event_type=4,event_config=18446744073709551615,event_config1=2,event_config2=3,"
      "event_period=77");
  EXPECT_EQ(options.probe, AgentOptions::Probe::kNone);
  EXPECT_EQ(options.stacks, AgentOptions::Stacks::kHpm);
  EXPECT_EQ(options.stack_interval_ns, 1'000'000);
  EXPECT_EQ(StackEventOf(options).name, "misses");
  EXPECT_EQ(StackEventOf(options).type, 4u);
  EXPECT_EQ(StackEventOf(options).config, ~uint64_t{0});
  EXPECT_EQ(StackEventOf(options).config1, 2u);
  EXPECT_EQ(StackEventOf(options).config2, 3u);
  EXPECT_EQ(StackEventOf(options).period, 77u);
  EXPECT_EQ(Parsed("spool=s").stacks, AgentOptions::Stacks::kNone);
  EXPECT_EQ(Parsed("spool=s,stacks=setitimer").stacks, AgentOptions::Stacks::kIntervalTimer);
  EXPECT_THAT(ErrorOf("spool=s,probe=none"), HasSubstr("mode=timer and stacks"));
  EXPECT_THAT(ErrorOf("spool=s,probe=none,mode=timer"), HasSubstr("mode=timer and stacks"));
  EXPECT_THAT(ErrorOf("spool=s,event_period=0"), HasSubstr("event_period"));
  EXPECT_EQ(Parsed("spool=s,trigger=setitimer").trigger, AgentOptions::Trigger::kIntervalTimer);
  EXPECT_THAT(ErrorOf("spool=s,trigger=setitimer,stacks=hpm"), HasSubstr("profiling signal"));
}

TEST(AgentOptionsTest, EveryCorrectionHasItsName) {
  for (const BiasCorrection correction : kBiasCorrections) {
    const std::string name(ToString(correction));
    EXPECT_EQ(Parsed("spool=s,correct=" + name).correction, correction) << name;
  }
  EXPECT_THAT(ErrorOf("spool=s,correct=latency"), HasSubstr("correct takes no correction"));
}

TEST(AgentOptionsTest, WhatTheProcessorCountsIsAnEventOfItsOwn) {
  const AgentOptions options = Parsed(
      "spool=s,event=a,event_type=1,call_event=b,call_event_type=4,call_event_config=708,"
      "call_event_config1=5,call_event_config2=6,call_event_wanted=true");
  EXPECT_EQ(StackEventOf(options).name, "a");
  EXPECT_EQ(StackEventOf(options).type, 1u);
  EXPECT_EQ(options.CallEvent().name, "b");
  EXPECT_EQ(options.CallEvent().type, 4u);
  EXPECT_EQ(options.CallEvent().config, 708u);
  EXPECT_EQ(options.CallEvent().config1, 5u);
  EXPECT_EQ(options.CallEvent().config2, 6u);
  EXPECT_TRUE(options.call_counter_is_wanted);
  EXPECT_EQ(Parsed("spool=s").CallEvent().name, "");
  EXPECT_THAT(ErrorOf("spool=s,call_event_size=1"), HasSubstr("no option of the agent"));
}

TEST(AgentOptionsTest, EveryKeyHasItsEffect) {
  const AgentOptions options = Parsed(
      "command=start,spool=s,mode=exact,policy=countdown,tick_ns=100000,stride=7,samples=9,"
      "interval=11,delay=12,skip=round-robin,stride_kind=fixed,seed=18446744073709551615,scope=all,"
      "include=a.*,include=b.?,exclude=c,trivial=exclude,correct=density+latency,duration_ms=1500");
  EXPECT_EQ(options.mode, AgentOptions::Mode::kExact);
  EXPECT_EQ(options.policy.kind, Kind::kCountdown);
  EXPECT_EQ(options.tick_ns, 100'000);
  EXPECT_EQ(options.policy.stride, 7u);
  EXPECT_EQ(options.policy.samples, 9u);
  EXPECT_EQ(options.policy.delay, 12u);
  EXPECT_EQ(options.policy.mean_interval, 11u);
  EXPECT_EQ(options.policy.initial_skip, CounterBasedSampling::InitialSkip::kRoundRobin);
  EXPECT_EQ(options.policy.strides, CounterBasedSampling::Strides::kFixed);
  EXPECT_EQ(options.seed, ~uint64_t{0});
  EXPECT_EQ(options.scope, AgentOptions::Scope::kAll);
  EXPECT_THAT(options.include, ElementsAre("a.*", "b.?"));
  EXPECT_THAT(options.exclude, ElementsAre("c"));
  EXPECT_TRUE(options.skip_trivial);
  EXPECT_EQ(options.correction, BiasCorrection::kDensityAndLatency);
  EXPECT_EQ(options.duration_ns, 1'500'000'000);
}

TEST(AgentOptionsTest, TheOtherWordOfEachPairIsUnderstoodToo) {
  const AgentOptions options = Parsed(
      "spool=s,mode=cbs,policy=cbs,skip=random,stride_kind=random,scope=app,trivial=include");
  EXPECT_EQ(options.mode, AgentOptions::Mode::kCbs);
  EXPECT_EQ(options.policy.kind, Kind::kCounterBased);
  EXPECT_EQ(options.policy.initial_skip, CounterBasedSampling::InitialSkip::kRandom);
  EXPECT_EQ(options.policy.strides, CounterBasedSampling::Strides::kRandomized);
  EXPECT_EQ(options.scope, AgentOptions::Scope::kApplication);
  EXPECT_FALSE(options.skip_trivial);
}

TEST(AgentOptionsTest, ContextsAreCountedOrSampled) {
  EXPECT_TRUE(Parsed("spool=s,mode=exact,context=tree").CountsContexts());
  EXPECT_FALSE(Parsed("spool=s,mode=exact,context=edge").CountsContexts());
  EXPECT_TRUE(Parsed("spool=s,context=tree").SamplesContexts());
  EXPECT_EQ(Parsed("spool=s,context=tree,stack_every=7").stack_every, 7u);
  EXPECT_THAT(ErrorOf("spool=s,context=tree,stack_every=0"), HasSubstr("stack_every"));
  EXPECT_TRUE(Parsed("spool=s,mode=timer,probe=patch,context=tree").SamplesContexts());
  EXPECT_THAT(ErrorOf("spool=s,mode=edges,context=tree"), HasSubstr("context=tree"));
  EXPECT_THAT(ErrorOf("spool=s,stacks=hpm,context=tree"), HasSubstr("whole anyway"));
}

TEST(AgentOptionsTest, TheIntervalFollowsTheProbeUnlessOneIsGiven) {
  EXPECT_FALSE(Parsed("spool=s,policy=countdown").interval_is_given);
  EXPECT_TRUE(Parsed("spool=s,policy=countdown,interval=7").interval_is_given);
}

TEST(AgentOptionsTest, TimerModeIsTheTimerPolicyWhereverTheModeStands) {
  EXPECT_EQ(Parsed("spool=s,mode=timer").policy.kind, Kind::kTimer);
  EXPECT_EQ(Parsed("mode=timer,policy=cbs,spool=s").policy.kind, Kind::kTimer);
}

TEST(AgentOptionsTest, PercentSignsBringBackWhatSeparates) {
  EXPECT_EQ(Parsed("spool=a%2Cb%3dc%25d%20%0a%3B").spool, "a,b=c%%d \n;");
  EXPECT_EQ(Parsed("spool=a=b").spool, "a=b");
  for (const std::string bad : {"spool=%", "spool=%2", "spool=a%2", "spool=%2g", "spool=%-1"}) {
    EXPECT_THAT(ErrorOf(bad), HasSubstr("spool: '%' without two hexadecimal digits")) << bad;
  }
}

TEST(AgentOptionsTest, EmptyItemsMeanNothing) {
  EXPECT_EQ(Parsed(",spool=s,,mode=exact,").mode, AgentOptions::Mode::kExact);
}

TEST(AgentOptionsTest, OnlyAStopNeedsNoSpool) {
  EXPECT_EQ(Parsed("command=stop").command, AgentOptions::Command::kStop);
  EXPECT_THAT(ErrorOf(""), HasSubstr("spool is missing"));
  EXPECT_THAT(ErrorOf("spool="), HasSubstr("spool is missing"));
}

TEST(AgentOptionsTest, WhoWaitsForAReplyMayAskForAnotherRecordingLikeTheLast) {
  EXPECT_EQ(Parsed("reply=/r").reply, "/r");
}

TEST(AgentOptionsTest, ARecordingThatGoesOnAndOnIsOneForProduction) {
  const AgentOptions usual = Parsed("spool=/a/%p-%t,loop=1h");
  EXPECT_EQ(usual.probe, AgentOptions::Probe::kAuto);
  EXPECT_EQ(usual.policy.kind, PolicyOptions::Kind::kCountdown);
  EXPECT_EQ(usual.keep, 24u);
  EXPECT_EQ(Parsed("spool=/a/%t,probe=bytecode,loop=1h").probe, AgentOptions::Probe::kBytecode);
  EXPECT_EQ(Parsed("spool=/a/%t,loop=1h,mode=exact").probe, AgentOptions::Probe::kBytecode);
  EXPECT_EQ(Parsed("spool=/a/%t,loop=1h,policy=cbs").policy.kind,
            PolicyOptions::Kind::kCounterBased);
}

TEST(AgentOptionsTest, PartsNeedNamesAndAModeThatHasThem) {
  EXPECT_THAT(ErrorOf("spool=/a/%p,loop=1h"), HasSubstr("%t"));
  EXPECT_THAT(ErrorOf("spool=/a/%t,loop=1h,mode=edges"), HasSubstr("leave loop out"));
  EXPECT_THAT(ErrorOf("spool=/a/%t,loop=1h,jit=yes,probe=patch,policy=countdown"),
              HasSubstr("leave loop out"));
  EXPECT_THAT(ErrorOf("spool=/a/%t,loop=1h,mode=exact,context=tree"), HasSubstr("leave loop out"));
  EXPECT_THAT(ErrorOf("spool=/a/%t,maxsize=10m"), HasSubstr("give loop as well"));
}

TEST(AgentOptionsTest, AnErrorNamesTheKeyAndWhatItTakes) {
  EXPECT_EQ(ErrorOf("spool=s,mode=fast"),
            "mode takes exact or cbs or timer or patching or edges, not 'fast'");
  EXPECT_EQ(ErrorOf("spool=s,stride=many"),
            "stride takes a whole number from 1 to 1073741824, not 'many'");
  EXPECT_EQ(ErrorOf("spool=s,colour=red"), "colour is no option of the agent");
  EXPECT_EQ(ErrorOf("spool=s,exact"), "exact has no value");
}

TEST(AgentOptionsTest, AProbeOnCompiledEntriesHasABudget) {
  EXPECT_EQ(Parsed("spool=s").probe, AgentOptions::Probe::kBytecode);
  const AgentOptions defaults = Parsed("spool=s,probe=patch");
  EXPECT_EQ(defaults.probe, AgentOptions::Probe::kPatch);
  EXPECT_EQ(defaults.budget_of_ticks(), 0.005);
  EXPECT_EQ(Parsed("spool=s,probe=patch,stacks=hpm").budget_of_ticks(), 0.0025);
  EXPECT_FALSE(defaults.force);
  EXPECT_EQ(Parsed("spool=s,probe=barrier,budget_ppm=0").budget_of_ticks(), 0);
  EXPECT_EQ(Parsed("spool=s,probe=auto,open_permille=250").open_share, 0.25);
  EXPECT_TRUE(Parsed("spool=s,probe=auto,force=true").force);
  EXPECT_THAT(ErrorOf("spool=s,probe=all"), HasSubstr("probe takes auto or patch or barrier or"));
}

TEST(AgentOptionsTest, WhatAProbeCannotDoIsRefused) {
  EXPECT_THAT(ErrorOf("spool=s,mode=exact,probe=barrier"), HasSubstr("does not see every call"));
  EXPECT_THAT(ErrorOf("spool=s,mode=patching"), HasSubstr("give probe=patch"));
  EXPECT_THAT(ErrorOf("spool=s,mode=edges,probe=patch"), HasSubstr("takes probe=bytecode"));
  EXPECT_EQ(Parsed("spool=s,mode=edges").mode, AgentOptions::Mode::kEdges);
  EXPECT_FALSE(Parsed("spool=s,mode=edges").skip_trivial);
  EXPECT_EQ(Parsed("spool=s,mode=patching,probe=patch").mode, AgentOptions::Mode::kPatching);
  EXPECT_EQ(Parsed("spool=s,mode=exact,probe=patch").mode, AgentOptions::Mode::kExact);
}

TEST(AgentOptionsTest, NumbersOutOfRangeAreRefused) {
  for (const std::string key : {"tick_ns", "stride", "samples", "interval", "seed", "duration_ms",
                                "budget_ppm", "open_permille", "open_ns"}) {
    for (const std::string value :
         {"-1", "", "1.5", "0x10", " 1", "1 ", "+1", "99999999999999999999999"}) {
      EXPECT_THAT(ErrorOf("spool=s," + key + "=" + value), HasSubstr(key + " takes a whole number"))
          << key << "=" << value;
    }
  }
  for (const std::string key : {"stride", "samples", "interval"}) {
    EXPECT_THAT(ErrorOf("spool=s," + key + "=0"), HasSubstr("not '0'"));
  }
  EXPECT_NE(ErrorOf("spool=s,tick_ns=99999"), "");
  EXPECT_NE(ErrorOf("spool=s,tick_ns=3600000000001"), "");
  EXPECT_EQ(Parsed("spool=s,tick_ns=3600000000000").tick_ns, 3'600'000'000'000);
}

TEST(AgentOptionsTest, APolicyThatCannotBeMadeIsRefusedUnlessEveryCallIsCounted) {
  EXPECT_THAT(ErrorOf("spool=s,stride=16777217"), HasSubstr("stride"));
  EXPECT_THAT(ErrorOf("spool=s,skip=round-robin"), HasSubstr("round-robin"));
  EXPECT_EQ(Parsed("spool=s,mode=exact,skip=round-robin").mode, AgentOptions::Mode::kExact);
  EXPECT_EQ(Parsed("command=stop,skip=round-robin").command, AgentOptions::Command::kStop);
}

TEST(AgentOptionsTest, TheSpoolSpeaksOfModesAndScopesInTheWordsOfTheOptions) {
  for (const std::string mode : {"exact", "cbs", "timer"}) {
    EXPECT_EQ(TextsOf(*FindOption("mode"), Parsed("spool=s,mode=" + mode)).front(), mode);
  }
  for (const std::string scope : {"app", "all"}) {
    EXPECT_EQ(TextsOf(*FindOption("scope"), Parsed("spool=s,scope=" + scope)).front(), scope);
  }
}

}  // namespace
}  // namespace yp::hotspot
