#include "core/graph/chance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace yp {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

double Chance(const Measured& before, const Measured& after, const BetweenRuns& between = {}) {
  return ChanceOf({&before, 1}, {&after, 1}, between);
}

// Knuth's; for means of some hundreds at most.
int Poisson(double mean, RandomSource& random) {
  const double limit = std::exp(-mean);
  int count = -1;
  for (double product = 1; product > limit; product *= random.UniformOpenClosed()) ++count;
  return count;
}

TEST(ChanceTest, HolmsAdjustedValuesAreThoseOfTheTextbook) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  EXPECT_THAT(HolmAdjusted(p), ElementsAre(DoubleNear(0.03, 1e-12), DoubleNear(0.06, 1e-12),
                                           DoubleNear(0.06, 1e-12), DoubleNear(0.02, 1e-12)));
  EXPECT_TRUE(HolmAdjusted({}).empty());
}

TEST(ChanceTest, CountedNumbersAreEqualOrNot) {
  EXPECT_EQ(Chance({.value = 3}, {.value = 3}), 1);
  EXPECT_EQ(Chance({.value = 3}, {.value = 4}), 0);
  EXPECT_LT(Chance({}, {.value = 4}), 1e-9);
  EXPECT_EQ(Chance({}, {}), 1);
}

TEST(ChanceTest, PValuesOfSamplesAreThatLikelyWhateverTheNumber) {
  Xoshiro256 random(1);
  for (const double mean : {15.0, 50.0, 300.0}) {
    constexpr int kRuns = 20'000;
    int below_5_percent = 0, below_1_permille = 0;
    for (int i = 0; i < kRuns; ++i) {
      // The second recording is twice as long: half of a call stands for each.
      const double a = Poisson(mean, random), b = Poisson(2 * mean, random) / 2.0;
      const double p = Chance({.value = a, .unit = 1}, {.value = b, .unit = 0.5});
      below_5_percent += p < 0.05 ? 1 : 0;
      below_1_permille += p < 0.001 ? 1 : 0;
    }
    EXPECT_LT(below_5_percent, kRuns * 0.056) << mean;
    EXPECT_GT(below_5_percent, kRuns * 0.03) << mean;
    EXPECT_LT(below_1_permille, kRuns * 0.0016) << mean;
  }
}

TEST(ChanceTest, NoneIsAsLikelyAsPoissonsLawSays) {
  EXPECT_NEAR(Chance({.unit = 1}, {.value = 5, .unit = 1}), std::exp(-5), 1e-4);
  // What one sample of another stands for says little.
  EXPECT_GT(Chance({.unit = 1}, {.value = 50, .unit = 1, .excess = 1}), 0.3);
}

TEST(ChanceTest, InferredNumbersHaveLongTails) {
  const Measured once{.value = 100, .unit = 0.01}, twice{.value = 200, .unit = 0.01};
  EXPECT_LT(Chance(once, twice), 1e-6);
  Measured inferred = twice;
  inferred.is_inferred = true;
  EXPECT_NEAR(Chance(once, inferred), std::exp(-std::log(2) / 0.55), 0.01);
  inferred.value *= 500;
  EXPECT_LT(Chance(once, inferred), 1e-5);
}

TEST(ChanceTest, WhatSeveralRecordingsOfOneSideDifferByIsNoChange) {
  const auto side = [](std::vector<double> values) {
    std::vector<Measured> recordings;
    for (const double value : values) {
      recordings.push_back({.value = value, .unit = 0.01, .is_inferred = true});
    }
    return recordings;
  };
  EXPECT_GT(ChanceOf(side({10, 40, 90, 20, 60}), side({20, 80, 180, 40, 120})), 0.05);
  EXPECT_LT(ChanceOf(side({10, 11, 10, 9, 10}), side({20, 19, 21, 20, 20})), 1e-4);
  EXPECT_GT(ChanceOf(side({10, 11}), side({20, 19})), 0.01) << "two of each do not say enough";
}

TEST(ChanceTest, IntervalsHoldTheMean) {
  Xoshiro256 random(2);
  int held = 0;
  constexpr int kRuns = 2'000;
  for (int i = 0; i < kRuns; ++i) {
    std::vector<Measured> recordings;
    for (int r = 0; r < 3; ++r) {
      recordings.push_back({.value = static_cast<double>(Poisson(100, random)), .unit = 1});
    }
    const ValueInterval interval = IntervalOf(recordings);
    held += interval.low <= 100 && 100 <= interval.high ? 1 : 0;
  }
  EXPECT_GT(held, kRuns * 0.93);
  const Measured none{.unit = 1};
  EXPECT_EQ(IntervalOf({&none, 1}).low, 0);
  EXPECT_NEAR(IntervalOf({&none, 1}).high, 3.69, 0.01);
}

}  // namespace
}  // namespace yp
