#include "recorder/pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/time_test_util.h"

namespace yp {
namespace {

using Kind = PolicyOptions::Kind;
using Mode = RecordingOptions::Mode;

constexpr bool kAtEntries = true, kInBytecode = false;
constexpr uint64_t kSeed = 7;

RecordingOptions With(Kind kind, double budget, double open_share, int64_t open_ns = 0) {
  RecordingOptions options;
  options.policy.kind = kind;
  options.budget_percent = 100 * budget;
  options.open_share = open_share;
  options.open_ns = open_ns;
  return options;
}

// A program on some processors, until time has passed, and what the pacer makes of it.
struct Program {
  int64_t now_ns = 1, cpu_ns = 0;
  double processors = 1;

  // Until the next tick has ended.
  TickPace Tick(Pacer& pacer) {
    TickPace pace;
    do {
      pace = pacer.Next(now_ns, cpu_ns);
      Wait(pace);
    } while (pace.open.ns == 0);
    return pace;
  }
  // As TickThread does.
  void Wait(const TickPace& pace) {
    Pass(pace.closed_cpu_ns == 0 ? pace.closed_ns
                                 : std::min(pace.closed_ns, TimeOf(pace.closed_cpu_ns)));
    for (const TickSpan& span : {pace.settle, pace.open}) {
      Pass(std::max(span.ns, std::min(span.most_ns, TimeOf(span.cpu_ns))));
    }
  }
  void Pass(int64_t ns) {
    now_ns += ns;
    cpu_ns += static_cast<int64_t>(static_cast<double>(ns) * processors);
  }
  // In which it uses so much CPU time.
  int64_t TimeOf(int64_t used_ns) const {
    return static_cast<int64_t>(std::ceil(static_cast<double>(used_ns) / processors));
  }
};

// Of many ticks: when they began.
struct Ticks {
  std::vector<double> begin_ns;
  double mean_ns = 0;  // From one to the next.
};

constexpr int kDrawnTicks = 20'000;

Ticks Draw(Pacer& pacer, int64_t open_ns) {
  Ticks ticks;
  Program run;
  for (int i = 0; i < kDrawnTicks; ++i) {
    EXPECT_EQ(run.Tick(pacer).open.ns, open_ns);
    ticks.begin_ns.push_back(static_cast<double>(run.now_ns - open_ns));
  }
  ticks.mean_ns = (ticks.begin_ns.back() - ticks.begin_ns.front()) / (kDrawnTicks - 1);
  return ticks;
}

// One in each period: the ends of many are within two periods of where they are expected.
void ExpectMean(const Ticks& ticks, double mean_ns) {
  EXPECT_NEAR(ticks.mean_ns, mean_ns, 3 * mean_ns / kDrawnTicks);
}

TEST(PacerTest, InBytecodeATickIsOneInEachPeriodAndAFifthOfItAtMost) {
  RecordingOptions options = With(Kind::kCounterBased, 0.005, 0.1);
  options.tick_ns = 10 * kMs;
  Pacer pacer(options, kInBytecode, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget()) << "that is for compiled entries";
  for (int i = 0; i < 10; ++i) {
    const TickPace pace = pacer.Next(i, i);
    EXPECT_EQ(pace.closed_ns, 8 * kMs);
    EXPECT_EQ(pace.open.ns, 2 * kMs);
  }
}

TEST(PacerTest, ACountdownInBytecodeHasItsBudgetToo) {
  Pacer pacer(With(Kind::kCountdown, 0.005, 0.1), kInBytecode, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_TRUE(pacer.has_budget());
  EXPECT_EQ(Program().Tick(pacer).open.ns, Pacer::kOpenInClassesNs);
  const Pacer always(With(Kind::kCountdown, 0, 1), kInBytecode, kSeed);
  EXPECT_FALSE(always.has_ticks());
}

// A program that works on so many processors at a time of each cycle.
struct Phases {
  int64_t busy_ns = 0, cycle_ns = 0;
  double busy = 0, otherwise = 0;
  Program run;
  bool is_busy() const { return run.now_ns % cycle_ns < busy_ns; }

  // Until the next tick begins; false where that is only looked at.
  bool WaitForTick(const TickPace& pace) {
    const int64_t end_ns = run.now_ns + pace.closed_ns;
    const int64_t end_cpu_ns = run.cpu_ns + pace.closed_cpu_ns;
    while (run.now_ns < end_ns && run.cpu_ns < end_cpu_ns) {
      run.processors = is_busy() ? busy : otherwise;
      run.Pass(std::min(kMs / 10, end_ns - run.now_ns));
    }
    return pace.open.ns != 0;
  }
};

TEST(PacerTest, TicksStandForAllCpuTime) {
  Pacer pacer(With(Kind::kCountdown, 0.005, 0.1), kAtEntries, kSeed);
  // The load changes by a factor of 1000: then one tick in ten seconds comes into play.
  Phases program{
      .busy_ns = 20 * kSecond, .cycle_ns = 100 * kSecond, .busy = 1, .otherwise = 0.001, .run = {}};
  int64_t periods_ns = 0;
  for (int ticks = 0; ticks < 3000;) {
    if (!program.WaitForTick(pacer.Next(program.run.now_ns, program.run.cpu_ns))) continue;
    periods_ns += pacer.share().period_cpu_ns;
    ++ticks;
  }
  EXPECT_NEAR(static_cast<double>(program.run.cpu_ns) / static_cast<double>(periods_ns), 1, 0.03);
}

TEST(PacerTest, AShareOfCpuTimeIsTimeAtTheRateOfItsTick) {
  const Pacer::Share share{.period_cpu_ns = 800, .open = {.ns = 8, .cpu_ns = 8, .most_ns = 100}};
  EXPECT_EQ(share.PeriodNs(8, 16), 400) << "two processors";
  EXPECT_EQ(share.PeriodNs(80, 8), 8000);
  EXPECT_EQ(share.PeriodNs(100, 4), 10'000) << "as if it had seen all of its 8 ns";
  EXPECT_EQ(share.PeriodNs(4, 4), 400) << "cut short by the recording's end";
}

TEST(PacerTest, AShareOfTimeEndsWithItsTick) {
  const Pacer::Share share{.period_ns = 800, .open = {.ns = 8}};
  EXPECT_EQ(share.PeriodNs(8, 1), 800);
  EXPECT_EQ(share.PeriodNs(9, 1), 800);
  EXPECT_EQ(share.PeriodNs(4, 1), 400);
}

// Each tick costs 2 ms: how often they come follows from the budget of the time, whatever it was
// before, and from nothing that was saved or missing then.
TEST(PacerTest, AnotherBudgetHoldsFromThenOn) {
  constexpr int64_t kTickCostNs = 2 * kMs;
  Pacer pacer(With(Kind::kCountdown, 0.005, 0.1), kAtEntries, kSeed);
  Program run;
  OverheadBudget::Spent spent;
  const auto ticks_in = [&](int64_t cpu_ns) {
    const uint64_t before = spent.ticks;
    for (const int64_t end_ns = run.cpu_ns + cpu_ns; run.cpu_ns < end_ns;) {
      run.Tick(pacer);
      ++spent.ticks;
      spent.cost_ns += kTickCostNs;
      spent.program_cpu_ns = run.cpu_ns;
      pacer.Spent(spent);
    }
    return static_cast<double>(spent.ticks - before);
  };
  const int64_t minutes_ns = 300 * kSecond;
  EXPECT_NEAR(ticks_in(minutes_ns), 0.005 * 300e9 / 2e6, 40);
  pacer.ChangeBudget(0.02);
  EXPECT_NEAR(ticks_in(minutes_ns), 0.02 * 300e9 / 2e6, 100);
  pacer.ChangeBudget(0.001);
  EXPECT_NEAR(ticks_in(minutes_ns), 0.001 * 300e9 / 2e6, 20);
  EXPECT_TRUE(pacer.has_budget());
  spent.program_cpu_ns += 10 * kSecond;
  EXPECT_NEAR(pacer.LeftAtEndNs(spent), 0.001 * 10e9, 0.001 * 20e9);
}

TEST(PacerTest, CountingEveryCallHasNoTicks) {
  for (const Mode mode : {Mode::kExact, Mode::kPatching}) {
    for (const bool at_entries : {kAtEntries, kInBytecode}) {
      for (const Kind kind : {Kind::kCounterBased, Kind::kTimer, Kind::kCountdown}) {
        RecordingOptions options = With(kind, 0.005, 0.1);
        options.mode = mode;
        const Pacer pacer(options, at_entries, kSeed);
        EXPECT_FALSE(pacer.has_ticks());
        EXPECT_FALSE(pacer.has_budget());
      }
    }
  }
}

TEST(PacerTest, WithoutABudgetACountdownIsOpenForItsShareOfTheTime) {
  for (const double share : {0.02, 0.25, 0.5, 0.9}) {
    Pacer pacer(With(Kind::kCountdown, 0, share), kAtEntries, kSeed);
    EXPECT_TRUE(pacer.has_ticks());
    EXPECT_FALSE(pacer.has_budget());
    ExpectMean(Draw(pacer, Pacer::kOpenNs), static_cast<double>(Pacer::kOpenNs) / share);
  }
}

TEST(PacerTest, EachPeriodHasItsTick) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.01, kMs), kAtEntries, kSeed);
  const Ticks ticks = Draw(pacer, kMs);
  // Each is off its period's middle by half a period at most, and later by the one before it.
  double least = 1e9, most = -1e9, squares = 0;
  for (int i = 0; i < kDrawnTicks; ++i) {
    const double off = ticks.begin_ns[static_cast<size_t>(i)] / 100e6 - i;
    least = std::min(least, off);
    most = std::max(most, off);
  }
  EXPECT_LE(most - least, 1 + static_cast<double>(Pacer::kSettleNs + kMs) / 100e6);
  EXPECT_GT(most - least, 0.98) << "the whole period is used";
  for (int i = 0; i < kDrawnTicks; ++i) {
    const double off = ticks.begin_ns[static_cast<size_t>(i)] / 100e6 - i - (most + least) / 2;
    squares += off * off;
  }
  EXPECT_NEAR(squares / kDrawnTicks, 1.0 / 12, 0.005) << "uniformly";
}

TEST(PacerTest, WithoutABudgetAndWithAWholeShareACountdownIsContinuous) {
  Pacer pacer(With(Kind::kCountdown, 0, 1), kAtEntries, kSeed);
  EXPECT_FALSE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget());
}

TEST(PacerTest, WindowsWithoutABudgetComeOncePerTick) {
  RecordingOptions options = With(Kind::kCounterBased, 0, 1);
  options.tick_ns = 10 * kMs;
  Pacer pacer(options, kAtEntries, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget());
  ExpectMean(Draw(pacer, Pacer::kOpenForWindowsNs), 10.0 * kMs);

  options.tick_ns = 4 * kMs;  // Shorter than what is open.
  Pacer continuous(options, kAtEntries, kSeed);
  EXPECT_TRUE(continuous.has_ticks());
  EXPECT_EQ(continuous.Next(1, 1).closed_ns, 0);
  EXPECT_EQ(continuous.Next(2, 2).open.ns, Pacer::kOpenForWindowsNs);
}

TEST(PacerTest, HowLongATickLastsCanBeAskedFor) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.25, 3 * kMs), kAtEntries, kSeed);
  ExpectMean(Draw(pacer, 3 * kMs), 12.0 * kMs);
}

TEST(PacerTest, ThereIsATickInEachTenSeconds) {
  Pacer rare(With(Kind::kCountdown, 0, 1e-9), kAtEntries, kSeed);
  ExpectMean(Draw(rare, Pacer::kOpenNs), 1e10);
  // One with a budget that does next to nothing.
  Pacer idle(With(Kind::kCountdown, 0.005, 1), kAtEntries, kSeed);
  Program run;
  run.processors = 1e-6;
  for (int i = 0; i < 100; ++i) {
    const int64_t before_ns = run.now_ns;
    run.Tick(idle);
    EXPECT_LT(run.now_ns - before_ns, 2 * Pacer::kMaxPeriodNs + kSecond);
  }
}

TEST(PacerTest, TicksComeWhereTheCpuTimeIsUsed) {
  Pacer pacer(With(Kind::kCountdown, 0.005, 1), kAtEntries, kSeed);
  Phases program{
      .busy_ns = 50 * kMs, .cycle_ns = 500 * kMs, .busy = 4, .otherwise = 0.25, .run = {}};
  int in_bursts = 0, ticks = 0;
  while (ticks < 3000) {
    if (!program.WaitForTick(pacer.Next(program.run.now_ns, program.run.cpu_ns))) continue;
    ++ticks;
    in_bursts += program.is_busy() ? 1 : 0;
  }
  const double expected = 4.0 / (4 + 9 * 0.25);
  EXPECT_NEAR(static_cast<double>(in_bursts) / ticks, expected, 0.03);
}

// A program that is observed: what its ticks cost is told a moment after each.
struct Observed {
  Pacer pacer{With(Kind::kCountdown, 0.005, 1), kAtEntries, kSeed};
  Program run;
  double tick_ns = 1e6, cost_ns = 0;
  uint64_t ticks = 0;

  void Tick() {
    run.Tick(pacer);
    cost_ns += tick_ns;
    pacer.Spent({run.cpu_ns, static_cast<int64_t>(cost_ns), 0, ++ticks});
  }
  double share() const { return cost_ns / static_cast<double>(run.cpu_ns); }
};

TEST(PacerTest, ABudgetIsKeptFromFiveSecondsOnOnAnyNumberOfProcessors) {
  for (const double processors : {0.2, 1.0, 2.0}) {
    Observed program;
    program.run.processors = processors;
    while (program.run.cpu_ns < 5 * kSecond) program.Tick();
    while (program.run.cpu_ns < 100 * kSecond) {
      EXPECT_LE(program.share(), 0.005) << processors;
      EXPECT_GE(program.share(), 0.004) << processors;
      program.Tick();
    }
  }
}

TEST(PacerTest, TicksLastUntilAProgramThatWaitsHasUsedAsMuchCpuTimeAsOthers) {
  const auto pace_with = [&](Kind kind, double budget, int64_t option_ns = 0) {
    Pacer pacer(With(kind, budget, 0.5, option_ns), kAtEntries, kSeed);
    const TickPace pace = Program().Tick(pacer);
    EXPECT_EQ(pacer.share().open, pace.open);
    return pace;
  };
  const auto in_cpu_time = [](int64_t ns) {
    return TickSpan{.ns = ns, .cpu_ns = ns, .most_ns = Pacer::kMaxOpenNs};
  };
  const TickPace usual = pace_with(Kind::kCountdown, 0.005);
  EXPECT_EQ(usual.open, in_cpu_time(Pacer::kOpenNs));
  EXPECT_EQ(usual.settle, in_cpu_time(Pacer::kSettleNs));
  EXPECT_EQ(pace_with(Kind::kCountdown, 0.005, 3 * kMs).open, in_cpu_time(3 * kMs));
  const TickPace windows = pace_with(Kind::kCounterBased, 0.005);
  EXPECT_EQ(windows.open, TickSpan{.ns = Pacer::kOpenForWindowsNs}) << "which end by themselves";
  EXPECT_EQ(windows.settle, TickSpan{});
  EXPECT_EQ(pace_with(Kind::kCountdown, 0).open, TickSpan{.ns = Pacer::kOpenNs})
      << "a share of the time";
}

TEST(PacerTest, ManyProcessorsThatBeginToWorkAreSeenAtOnce) {
  Observed program;
  program.run.processors = 0.05;
  while (program.run.now_ns < 300 * kSecond) program.Tick();
  const uint64_t before = program.ticks;
  const int64_t end_ns = program.run.now_ns + 10 * kSecond;
  program.run.processors = 2;
  while (program.run.now_ns < end_ns) program.Tick();
  EXPECT_NEAR(static_cast<double>(program.ticks - before), 100, 25) << "ten a second are paid for";
}

TEST(PacerTest, WhatIsCheapIsObservedForAThirdOfTheTimeAtMost) {
  Observed program;
  program.tick_ns = 1e4;
  while (program.run.now_ns < 10 * kSecond) program.Tick();
  const uint64_t before = program.ticks;
  const int64_t begin_ns = program.run.now_ns;
  while (program.run.now_ns < 60 * kSecond) program.Tick();
  const auto open_ns = static_cast<double>((program.ticks - before) * uint64_t{Pacer::kOpenNs});
  EXPECT_NEAR(open_ns / static_cast<double>(program.run.now_ns - begin_ns), Pacer::kMaxOpenShare,
              0.01);
}

TEST(PacerTest, LooksAreFew) {
  Observed program;
  program.tick_ns = 5e6;
  int looks = 0, ticks = 0;
  while (program.run.now_ns < 100 * kSecond) {
    const TickPace pace = program.pacer.Next(program.run.now_ns, program.run.cpu_ns);
    program.run.Wait(pace);
    if (pace.open.ns == 0) {
      EXPECT_LE(pace.closed_cpu_ns, Pacer::kLookCpuNs);
      ++looks;
      continue;
    }
    program.cost_ns += program.tick_ns;
    program.pacer.Spent(
        {program.run.cpu_ns, static_cast<int64_t>(program.cost_ns), 0, ++program.ticks});
    ++ticks;
  }
  EXPECT_NEAR(ticks, 100, 15);
  EXPECT_LT(looks, 2 * ticks) << "one begins the wait, and there is one each second";
}

TEST(PacerTest, AProcessThatWasStoppedForHoursGoesOnAsBefore) {
  Observed program;
  while (program.run.now_ns < 50 * kSecond) program.Tick();
  program.run.now_ns += 10'000 * kSecond;
  const uint64_t before = program.ticks;
  const int64_t end_ns = program.run.now_ns + 20 * kSecond;
  while (program.run.now_ns < end_ns) program.Tick();
  EXPECT_NEAR(static_cast<double>(program.ticks - before), 100, 25);
}

TEST(PacerTest, WindowsWithABudgetAreShort) {
  Pacer pacer(With(Kind::kCounterBased, 0.01, 1), kAtEntries, kSeed);
  EXPECT_TRUE(pacer.has_budget());
  EXPECT_EQ(Program().Tick(pacer).open.ns, Pacer::kOpenForWindowsNs);
}

TEST(PacerTest, WhatIsLeftAtTheEndIsTwiceTheBudgetOfAShortRun) {
  const Pacer pacer(With(Kind::kCountdown, 0.005, 1), kAtEntries, kSeed);
  EXPECT_NEAR(pacer.LeftAtEndNs({.program_cpu_ns = kSecond, .cost_ns = 4 * kMs}), 6e6, 1);
  EXPECT_NEAR(pacer.LeftAtEndNs({.program_cpu_ns = 4 * kSecond, .cost_ns = 50 * kMs}), -10e6, 1);
  EXPECT_NEAR(pacer.LeftAtEndNs({.program_cpu_ns = 6 * kSecond, .cost_ns = 4 * kMs}), 26e6, 1)
      << "whatever is owed";
  const Pacer fixed(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  EXPECT_GT(fixed.LeftAtEndNs({.program_cpu_ns = kSecond, .cost_ns = kSecond}), 1e18);
}

TEST(PacerTest, WithoutABudgetWhatWasSpentChangesNothing) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  pacer.Spent({.program_cpu_ns = 1000 * kMs, .cost_ns = 900 * kMs, .ticks = 1});
  ExpectMean(Draw(pacer, Pacer::kOpenNs), 4.0 * Pacer::kOpenNs);
}

TEST(PacerTest, ASeedGivesTheSameTicksAgain) {
  Pacer one(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  Pacer same(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  Pacer other(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed + 1);
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t closed_ns = one.Next(i, i).closed_ns;
    EXPECT_EQ(closed_ns, same.Next(i, i).closed_ns);
    differ += closed_ns != other.Next(i, i).closed_ns ? 1 : 0;
  }
  EXPECT_GT(differ, 90);
}

}  // namespace
}  // namespace yp
