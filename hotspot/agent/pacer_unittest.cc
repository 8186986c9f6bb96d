#include "hotspot/agent/pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

namespace yp::hotspot {
namespace {

using Kind = PolicyOptions::Kind;
using Mode = AgentOptions::Mode;

constexpr int64_t kMs = 1'000'000;
constexpr bool kAtEntries = true, kInBytecode = false;
constexpr uint64_t kSeed = 7;

AgentOptions With(Kind kind, double budget, double open_share, int64_t open_ns = 0) {
  AgentOptions options;
  options.policy.kind = kind;
  options.budget = budget;
  options.open_share = open_share;
  options.open_ns = open_ns;
  return options;
}

// Of many paces.
struct Closed {
  double mean_ns = 0;
  int64_t min_ns = INT64_MAX, max_ns = 0;
  std::set<int64_t> lengths;
};

constexpr int kPaces = 20'000;

Closed Draw(Pacer& pacer, int64_t open_ns) {
  Closed closed;
  for (int i = 0; i < kPaces; ++i) {
    const TickThread::Pace pace = pacer.Next();
    EXPECT_EQ(pace.open_ns, open_ns);
    closed.mean_ns += static_cast<double>(pace.closed_ns) / kPaces;
    closed.min_ns = std::min(closed.min_ns, pace.closed_ns);
    closed.max_ns = std::max(closed.max_ns, pace.closed_ns);
    closed.lengths.insert(pace.closed_ns);
  }
  return closed;
}

// The rest of one period and what precedes the tick in the next, each uniform from nothing to the
// mean: their sum's deviation is 0.41 of it. As the next one begins where this one ends, that of
// the mean of kPaces is less than 1e-4 of it.
void ExpectMean(const Closed& closed, double mean_ns) {
  EXPECT_NEAR(closed.mean_ns, mean_ns, 0.001 * mean_ns);
  EXPECT_LE(closed.max_ns, static_cast<int64_t>(2 * mean_ns) + 1);
  EXPECT_LT(static_cast<double>(closed.min_ns), 0.05 * mean_ns) << "the whole range is used";
  EXPECT_GT(static_cast<double>(closed.max_ns), 1.95 * mean_ns);
  EXPECT_GT(closed.lengths.size(), size_t{kPaces / 2});
}

TEST(PacerTest, InBytecodeATickIsOneInEachPeriodAndAFifthOfItAtMost) {
  AgentOptions options = With(Kind::kCounterBased, 0.005, 0.1);
  options.tick_ns = 10 * kMs;
  Pacer pacer(options, kInBytecode, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget()) << "that is for compiled entries";
  for (int i = 0; i < 10; ++i) {
    const TickThread::Pace pace = pacer.Next();
    EXPECT_EQ(pace.closed_ns, 8 * kMs);
    EXPECT_EQ(pace.open_ns, 2 * kMs);
  }
}

TEST(PacerTest, ACountdownInBytecodeHasItsBudgetToo) {
  Pacer pacer(With(Kind::kCountdown, 0.005, 0.1), kInBytecode, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_TRUE(pacer.has_budget());
  EXPECT_EQ(pacer.Next().open_ns, Pacer::kOpenInClassesNs);
  const Pacer always(With(Kind::kCountdown, 0, 1), kInBytecode, kSeed);
  EXPECT_FALSE(always.has_ticks());
}

TEST(PacerTest, TicksStandForTheirPeriods) {
  Pacer pacer(With(Kind::kCountdown, 0.005, 0.1), kAtEntries, kSeed);
  int64_t periods_ns = 0, ticks_ns = 0;
  for (int i = 0; i < 2000; ++i) {
    const TickThread::Pace pace = pacer.Next();
    EXPECT_GE(pacer.period_ns(), pace.open_ns);
    EXPECT_EQ(pacer.open_ns(), pace.open_ns);
    periods_ns += pacer.period_ns();
    ticks_ns += pace.closed_ns + pace.open_ns;
  }
  // But for what is left of the last period.
  EXPECT_NEAR(static_cast<double>(ticks_ns) / static_cast<double>(periods_ns), 1, 0.001);
}

TEST(PacerTest, CountingEveryCallHasNoTicks) {
  for (const Mode mode : {Mode::kExact, Mode::kPatching}) {
    for (const bool at_entries : {kAtEntries, kInBytecode}) {
      for (const Kind kind : {Kind::kCounterBased, Kind::kTimer, Kind::kCountdown}) {
        AgentOptions options = With(kind, 0.005, 0.1);
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
    const auto open = static_cast<double>(Pacer::kOpenNs);
    const Closed closed = Draw(pacer, Pacer::kOpenNs);
    ExpectMean(closed, open * (1 / share - 1));
    EXPECT_NEAR(open / (open + closed.mean_ns), share, 0.001 * share);
  }
}

TEST(PacerTest, EachPeriodHasItsTick) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.1, kMs), kAtEntries, kSeed);
  int64_t now_ns = 0;
  double sum = 0;
  for (int period = 0; period < kPaces; ++period) {
    now_ns += pacer.Next().closed_ns;
    const double place = static_cast<double>(now_ns - period * 10 * kMs) / (9.0 * kMs);
    ASSERT_GE(place, -0.002);
    ASSERT_LE(place, 1.002);
    sum += place;
    now_ns += kMs;
  }
  // Of uniform places; a deviation of 0.289, six of the mean.
  EXPECT_NEAR(sum / kPaces, 0.5, 6 * 0.289 / std::sqrt(kPaces));
}

TEST(PacerTest, WithoutABudgetAndWithAWholeShareACountdownIsContinuous) {
  Pacer pacer(With(Kind::kCountdown, 0, 1), kAtEntries, kSeed);
  EXPECT_FALSE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget());
}

TEST(PacerTest, WindowsWithoutABudgetComeOncePerTick) {
  AgentOptions options = With(Kind::kCounterBased, 0, 1);
  options.tick_ns = 10 * kMs;
  Pacer pacer(options, kAtEntries, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_FALSE(pacer.has_budget());
  ExpectMean(Draw(pacer, Pacer::kOpenForWindowsNs), 5.0 * kMs);

  options.tick_ns = 4 * kMs;  // Shorter than what is open.
  Pacer continuous(options, kAtEntries, kSeed);
  EXPECT_TRUE(continuous.has_ticks());
  EXPECT_EQ(continuous.Next().closed_ns, 0);
  EXPECT_EQ(continuous.Next().open_ns, Pacer::kOpenForWindowsNs);
}

TEST(PacerTest, HowLongATickLastsCanBeAskedFor) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.25, 3 * kMs), kAtEntries, kSeed);
  ExpectMean(Draw(pacer, 3 * kMs), 9.0 * kMs);
}

TEST(PacerTest, TicksAreNeverMoreThanTenSecondsApart) {
  Pacer pacer(With(Kind::kTimer, 0, 1, 1), kAtEntries, kSeed);
  AgentOptions options = With(Kind::kCountdown, 0, 1e-9);
  Pacer rare(options, kAtEntries, kSeed);
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(pacer.Next().closed_ns, 1);
    EXPECT_EQ(rare.Next().closed_ns, 10'000 * kMs);
  }
}

TEST(PacerTest, ABudgetBeginsWithItsFirstShareAndFollowsWhatWasSpent) {
  Pacer pacer(With(Kind::kCountdown, 0.01, 1), kAtEntries, kSeed);
  EXPECT_TRUE(pacer.has_ticks());
  EXPECT_TRUE(pacer.has_budget());
  EXPECT_EQ(pacer.Next().closed_ns, 20 * kMs) << "the first tick comes at once";
  for (int64_t elapsed_ns = 20 * kMs; elapsed_ns < Pacer::kStartNs;) {
    const TickThread::Pace pace = pacer.Next();
    EXPECT_EQ(pace.open_ns, Pacer::kOpenAtStartNs) << "short ones, and many, at the start";
    elapsed_ns += pace.closed_ns + pace.open_ns;
  }
  pacer.Next();  // Whose period began at the start.
  const auto open = static_cast<double>(Pacer::kOpenNs);
  ExpectMean(Draw(pacer, Pacer::kOpenNs), open * (1 / OverheadBudget::kFirstShare - 1));
  // A round that cost ten times the budget: by the greatest step.
  pacer.Spent({.program_cpu_ns = 1000 * kMs, .observing_cpu_ns = 100 * kMs, .fixed_cpu_ns = 0});
  const double halved = OverheadBudget::kFirstShare / OverheadBudget::kMaxStep;
  ExpectMean(Draw(pacer, Pacer::kOpenNs), open * (1 / halved - 1));
  // Rounds that cost nothing.
  for (int i = 2; i < 200; ++i) {
    pacer.Spent(
        {.program_cpu_ns = i * 1000 * kMs, .observing_cpu_ns = 100 * kMs, .fixed_cpu_ns = 0});
  }
  EXPECT_EQ(pacer.Next().closed_ns, 0) << "continuous";
  EXPECT_EQ(pacer.Next().open_ns, Pacer::kOpenNs);
}

TEST(PacerTest, WindowsWithABudgetAreShort) {
  Pacer pacer(With(Kind::kCounterBased, 0.01, 1), kAtEntries, kSeed);
  EXPECT_TRUE(pacer.has_budget());
  pacer.Next();
  ExpectMean(Draw(pacer, Pacer::kOpenForWindowsNs),
             static_cast<double>(Pacer::kOpenForWindowsNs) * (1 / OverheadBudget::kFirstShare - 1));
}

constexpr int64_t kSecond = 1'000'000'000;

TEST(ProfilePaceTest, WithoutABudgetTheTimesOfReadingsGrowFourfold) {
  ProfilePace pace(0);
  EXPECT_FALSE(pace.IsDue(4 * kSecond, 0, 1'000'000));
  EXPECT_TRUE(pace.IsDue(5 * kSecond, 0, 1'000'000));
  pace.WereRead(6 * kSecond, kSecond);
  EXPECT_FALSE(pace.IsDue(23 * kSecond, 0, 1));
  EXPECT_TRUE(pace.IsDue(24 * kSecond, 0, 1));
}

TEST(ProfilePaceTest, AFifthOfTheBudgetPaysForAllReadings) {
  ProfilePace pace(0.005);          // A thousandth of the program's CPU time for them.
  constexpr size_t kMethods = 533;  // 8 ms.
  EXPECT_FALSE(pace.IsDue(7 * kSecond, 7 * kSecond, kMethods));
  EXPECT_FALSE(pace.IsDue(9 * kSecond, 7 * kSecond, kMethods)) << "CPU time counts";
  EXPECT_TRUE(pace.IsDue(9 * kSecond, 8 * kSecond, kMethods));
  pace.WereRead(9 * kSecond, 50 * kMs);
  EXPECT_FALSE(pace.IsDue(36 * kSecond, 57 * kSecond, kMethods));
  EXPECT_TRUE(pace.IsDue(36 * kSecond, 58 * kSecond, kMethods));
  EXPECT_FALSE(pace.IsDue(35 * kSecond, 58 * kSecond, kMethods));
}

TEST(PacerTest, WithoutABudgetWhatWasSpentChangesNothing) {
  Pacer pacer(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  pacer.Spent({.program_cpu_ns = 1000 * kMs, .observing_cpu_ns = 900 * kMs, .fixed_cpu_ns = 0});
  ExpectMean(Draw(pacer, Pacer::kOpenNs), 150.0 * kMs);
}

TEST(PacerTest, ASeedGivesTheSameTicksAgain) {
  Pacer one(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  Pacer same(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed);
  Pacer other(With(Kind::kCountdown, 0, 0.25), kAtEntries, kSeed + 1);
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t closed_ns = one.Next().closed_ns;
    EXPECT_EQ(closed_ns, same.Next().closed_ns);
    differ += closed_ns != other.Next().closed_ns ? 1 : 0;
  }
  EXPECT_GT(differ, 90);
}

}  // namespace
}  // namespace yp::hotspot
