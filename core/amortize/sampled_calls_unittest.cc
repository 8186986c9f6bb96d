#include "core/amortize/sampled_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace yp {
namespace {

TEST(SampledCallsTest, AreAsManyForEachStackAsInTheUnits) {
  const std::vector<ObservedUnit> units = {{100, 1}, {300, 3}, {0, 0.5}, {500, 4.5}};
  EXPECT_NEAR(CallsOfAll(units, 90, 9)->number, 9000, 1e-6);
}

TEST(SampledCallsTest, WithoutTheirTimeNobodyKnowsHowManyThereWere) {
  const std::vector<ObservedUnit> units = {{100, 0}, {300, 0}};
  EXPECT_FALSE(CallsOfAll(units, 90, 4).has_value());
}

TEST(SampledCallsTest, NoIntervalIsNarrowerThanTheNumberOfSamplesAllows) {
  const std::vector<ObservedUnit> units(1000, {100, 1});
  EXPECT_EQ(CallsOfAll(units, 1000, 5)->variance, 1.0 / 5);
  EXPECT_LT(CallsOfAll(units, 1000, 1e9)->variance, 2e-6);
  // Nor than the number of their stacks does.
  EXPECT_EQ(CallsOfAll(std::vector<ObservedUnit>(20, {100, 1, 0.5}), 1000, 5)->variance,
            1.0 / 5 + 1.0 / 10);
}

TEST(SampledCallsTest, OneUnitSaysNothingOfHowMuchTheyDiffer) {
  const std::vector<ObservedUnit> one = {{100, 1}};
  EXPECT_EQ(CallsOfAll(one, 90, 1e6)->variance, kPriorDeviation * kPriorDeviation);
  // However much of its time they had.
  const std::vector<ObservedUnit> in_fact_one = {{100, 1}, {1, 0.01}, {1, 0.01}};
  EXPECT_NEAR(CallsOfAll(in_fact_one, 90, 1e6)->variance, 0.25, 0.02);
}

// Units of some milliseconds of a program that is descheduled for parts of them, the calls of each
// sampled; how often the truth lies outside the interval.
class IntervalsTest : public testing::TestWithParam<int> {};

TEST_P(IntervalsTest, HoldTheTruth) {
  constexpr double kCallsOfStack = 10'000, kInterval = 1000, kStacks = 2000;
  constexpr int kRuns = 2000;
  std::mt19937_64 random(7);
  std::exponential_distribution<double> stacks_of_unit(1.0 / 8);
  std::gamma_distribution<double> rate(10, 1.0 / 10);  // Of a unit: a deviation of 0.32.
  int outside = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<ObservedUnit> units;
    double samples = 0;
    for (int i = 0; i < GetParam(); ++i) {
      const double stacks = stacks_of_unit(random);
      const double expected = stacks * rate(random) * kCallsOfStack / kInterval;
      const auto sampled = static_cast<double>(std::poisson_distribution<int>(expected)(random));
      units.push_back({sampled * kInterval, stacks});
      samples += sampled;
    }
    if (samples == 0) continue;
    const Uncertain interval = CallsOfAll(units, kStacks, samples)->interval();
    const double truth = kStacks * kCallsOfStack;
    outside += truth < interval.low || truth > interval.high;
  }
  // 5 % are expected, 7.5 where a few units are all that is known.
  EXPECT_LT(outside, 0.075 * kRuns);
}

// The same where a version had a stack or two in a unit, so that chance decides how long it ran
// there.
TEST_P(IntervalsTest, HoldTheTruthOfFewStacks) {
  constexpr double kCallsOfStack = 20'000, kInterval = 1000, kStacks = 300, kOpenPart = 0.25;
  constexpr int kRuns = 2000;
  std::mt19937_64 random(11);
  std::exponential_distribution<double> time_of_unit(1.0 / 2);
  std::gamma_distribution<double> rate(10, 1.0 / 10);
  int outside = 0, runs = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<ObservedUnit> units;
    double samples = 0;
    for (int i = 0; i < GetParam(); ++i) {
      const double time = time_of_unit(random);
      const double expected = time * kOpenPart * rate(random) * kCallsOfStack / kInterval;
      const auto sampled = static_cast<double>(std::poisson_distribution<int>(expected)(random));
      const auto counted = static_cast<double>(std::poisson_distribution<int>(time)(random));
      if (sampled == 0 && counted == 0) continue;
      units.push_back({sampled * kInterval, kOpenPart * counted, counted});
      samples += sampled;
    }
    double counted = 0;
    for (const ObservedUnit& unit : units) counted += unit.counted;
    if (samples == 0 || counted == 0) continue;
    ++runs;
    const Uncertain interval = CallsOfAll(units, kStacks, samples)->interval();
    const double truth = kStacks * kCallsOfStack;
    outside += truth < interval.low || truth > interval.high;
  }
  EXPECT_LT(outside, 0.075 * runs);
}

INSTANTIATE_TEST_SUITE_P(Units, IntervalsTest, testing::Values(1, 2, 3, 5, 10, 30, 100));

}  // namespace
}  // namespace yp
