#include "format/profile/periods_of_code.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/time_test_util.h"

namespace yp {
namespace {

constexpr double kStackNs = 1e6;
constexpr MethodId kHot{3};

CodePeriod::Samples Stacks(uint64_t samples) {
  return {kHot, {.compile_id = 1, .level = 4}, samples};
}
CodePeriod::Calls Calls(uint64_t samples) {
  return {kHot, 1, samples, 1000 * static_cast<double>(samples)};
}
spool::Tick Tick(int64_t begin_ms, int64_t open_ms, int64_t cpu_ms) {
  return {.begin_ns = begin_ms * kMs, .open_ns = open_ms * kMs, .open_cpu_ns = cpu_ms * kMs};
}

TEST(PeriodsOfCodeTest, ARoundIsOfThePeriodInWhichItEnds) {
  PeriodsOfCode periods;
  // The drain was late: the stacks' first was taken two periods ago.
  periods.Take(Tick(310, 10, 4));
  periods.Take(90 * kMs, Stacks(12));
  periods.Take(205 * kMs, Stacks(8));
  periods.EndRound(330 * kMs, 10 * kMs);
  periods.Take(330 * kMs, Calls(7));
  const std::vector<CodePeriod> made = periods.Finish(kStackNs);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].end_ns, 400 * kMs);
  EXPECT_EQ(made[0].stacks(), 20u);
  EXPECT_EQ(made[0].open_samples, 4);
  ASSERT_EQ(made[0].calls.size(), 1u);
  EXPECT_EQ(made[0].calls[0].calls, 7000);
}

TEST(PeriodsOfCodeTest, ATickIsSharedByTheRoundsInWhichItWasOpen) {
  PeriodsOfCode periods;
  periods.Take(0, Stacks(30));
  periods.EndRound(100 * kMs, 10 * kMs);
  periods.Take(Tick(90, 40, 20));
  periods.Take(100 * kMs, Stacks(40));
  periods.EndRound(200 * kMs, 30 * kMs);
  periods.Take(100 * kMs, Calls(1));
  periods.Take(200 * kMs, Calls(3));
  const std::vector<CodePeriod> made = periods.Finish(kStackNs);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].open_samples, 5);
  EXPECT_EQ(made[1].open_samples, 15);
}

TEST(PeriodsOfCodeTest, WithoutTicksTheTimeOfTheClockCounts) {
  PeriodsOfCode periods;
  periods.Take(0, Stacks(30));
  periods.EndRound(100 * kMs, 50 * kMs);
  periods.Take(100 * kMs, Stacks(30));
  periods.EndRound(205 * kMs, 105 * kMs);
  const std::vector<CodePeriod> made = periods.Finish(kStackNs);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].open_samples, 15);
  EXPECT_EQ(made[1].open_samples, 30) << "and no more";
}

TEST(PeriodsOfCodeTest, CallsOfAPeriodInWhichNoneWereSampledAreNone) {
  PeriodsOfCode periods;
  periods.EndRound(100 * kMs, 0);
  periods.Take(100 * kMs, Calls(7));
  const std::vector<CodePeriod> made = periods.Finish(kStackNs);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_TRUE(made[0].calls.empty());
}

TEST(PeriodsOfCodeTest, StacksOfARoundThatDidNotEndAreThere) {
  PeriodsOfCode periods;
  periods.Take(250 * kMs, Stacks(9));
  const std::vector<CodePeriod> made = periods.Finish(kStackNs);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].end_ns, 300 * kMs);
  EXPECT_EQ(made[0].stacks(), 9u);
}

TEST(PeriodsOfCodeTest, NeighboursAreTakenTogetherUntilTheyHaveStacks) {
  std::vector<CodePeriod> periods(5);
  const std::vector<uint64_t> stacks = {4, 3, 9, 20, 1};
  for (size_t i = 0; i < periods.size(); ++i) {
    periods[i].end_ns = static_cast<int64_t>(i + 1);
    periods[i].open_samples = 1;
    periods[i].samples.push_back(Stacks(stacks[i]));
  }
  CoalesceUntilSampled(10, &periods);
  ASSERT_EQ(periods.size(), 3u);
  EXPECT_EQ(periods[0].stacks(), 16u);
  EXPECT_EQ(periods[0].end_ns, 3);
  EXPECT_EQ(periods[0].open_samples, 3);
  EXPECT_EQ(periods[1].stacks(), 20u);
  EXPECT_EQ(periods[2].stacks(), 1u);
}

}  // namespace
}  // namespace yp
