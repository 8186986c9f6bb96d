#include "core/amortize/uncertain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace yp {
namespace {

void ExpectNear(const Uncertain& a, const Uncertain& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance);
  EXPECT_NEAR(a.low, b.low, tolerance);
  EXPECT_NEAR(a.high, b.high, tolerance);
}

// Garwood's table (as in Johnson, Kemp and Kotz, "Univariate Discrete Distributions", 2005).
TEST(UncertainTest, OfCounts) {
  ExpectNear(OfCount(0), {0, 0, 3.689}, 0.001);
  ExpectNear(OfCount(1), {1, 0.0253, 5.572}, 0.001);
  ExpectNear(OfCount(10), {10, 4.795, 18.39}, 0.01);
  ExpectNear(OfCount(100), {100, 81.36, 121.63}, 0.01);
}

TEST(UncertainTest, WhatIsExactStaysExact) {
  const Uncertain two = Uncertain::Exactly(2), six = Uncertain::Exactly(6);
  ExpectNear(Product(two, six), Uncertain::Exactly(12), 1e-12);
  ExpectNear(Ratio(six, two), Uncertain::Exactly(3), 1e-12);
  ExpectNear(Difference(two, six), Uncertain::Exactly(-4), 1e-12);
  ExpectNear(Sum(two, six), Uncertain::Exactly(8), 1e-12);
  ExpectNear(Times(two, 5), Uncertain::Exactly(10), 1e-12);
}

TEST(UncertainTest, DistancesAddUpInSquares) {
  ExpectNear(Difference({10, 7, 14}, {5, 1, 9}), {5, 5 - 5, 5 + std::sqrt(32)}, 1e-12);
  ExpectNear(Sum({10, 7, 14}, {5, 1, 8}), {15, 10, 20}, 1e-12);
  // Factors of e^3 and e^4: e^5.
  const Uncertain a{1, std::exp(-3), std::exp(3)}, b{1, std::exp(-4), std::exp(4)};
  ExpectNear(Product(a, b), {1, std::exp(-5), std::exp(5)}, 1e-9);
  ExpectNear(Ratio(a, b), {1, std::exp(-5), std::exp(5)}, 1e-9);
}

TEST(UncertainTest, NothingTimesSomethingIsBoundedAbove) {
  ExpectNear(Product(OfCount(0), {2, 1, 4}), {0, 0, 3.689 * 4}, 0.01);
  ExpectNear(Product({1, 0, 2}, {3, 3, 3}), {3, 0, 6}, 1e-12);
  ExpectNear(Product({0, 0, std::numeric_limits<double>::infinity()}, {}), {0, 0, 0}, 0);
}

TEST(UncertainTest, ByWhatMayBeNothingEverythingIsPossible) {
  const Uncertain ratio = Ratio({4, 2, 6}, {2, 0, 5});
  EXPECT_EQ(ratio.value, 2);
  EXPECT_EQ(ratio.low, 0);
  EXPECT_EQ(ratio.high, std::numeric_limits<double>::infinity());
}

// 2,000 pairs of Poisson counts each.
TEST(UncertainTest, IntervalsHoldWhatTheyShould) {
  std::mt19937_64 random(20261123);
  const double means[] = {3, 20, 400};
  for (const double x : means) {
    for (const double y : means) {
      int of_product = 0, of_ratio = 0, of_difference = 0;
      constexpr int kRuns = 2000;
      for (int i = 0; i < kRuns; ++i) {
        const Uncertain a = OfCount(static_cast<double>(std::poisson_distribution<>(x)(random)));
        const Uncertain b = OfCount(static_cast<double>(std::poisson_distribution<>(y)(random)));
        const auto holds = [](const Uncertain& interval, double truth) {
          return interval.low <= truth && truth <= interval.high;
        };
        of_product += holds(Product(a, b), x * y);
        of_ratio += holds(Ratio(a, b), x / y);
        of_difference += holds(Difference(a, b), x - y);
      }
      // Exact intervals of small counts hold more than they promise.
      EXPECT_GE(of_product, 0.94 * kRuns) << x << " " << y;
      EXPECT_GE(of_ratio, 0.94 * kRuns) << x << " " << y;
      EXPECT_GE(of_difference, 0.94 * kRuns) << x << " " << y;
    }
  }
}

}  // namespace
}  // namespace yp
