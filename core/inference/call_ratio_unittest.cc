#include "core/inference/call_ratio.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/inference/contexts_for_test.h"

namespace yp {
namespace {

TEST(CallRatioTest, ABranchHasTheVarianceOfABinomialCount) {
  const Ratio ratio = RatioOf(250, 1'000, 0);
  EXPECT_DOUBLE_EQ(ratio.value, 0.25);
  EXPECT_NEAR(ratio.log_variance, 0.75 / 250, 1e-5);  // (1 - p) / (p n).
}

TEST(CallRatioTest, ALoopHasTheVarianceOfGeometricTrips) {
  const Ratio ratio = RatioOf(4'000, 1'000, 0);
  EXPECT_DOUBLE_EQ(ratio.value, 4);
  EXPECT_NEAR(ratio.log_variance, 0.75 / 1'000, 1e-5);  // Variance (1 - q) / q^2, mean 1 / q.
}

TEST(CallRatioTest, ContextsShiftTheOddsOfABranchAndOfALoopsEnd) {
  // Odds of 1 to 3 a hundredth up: log(p) moves by log(p' / p), by that of one trip in four.
  const double odds = std::exp(0.01) / 3;
  const double shift = std::log(odds / (1 + odds) / 0.25);
  EXPECT_NEAR(RatioOf(250'000, 1'000'000, 0.01).log_variance, shift * shift + 0.75 / 250'000, 1e-6);
  EXPECT_NEAR(RatioOf(4'000'000, 1'000'000, 0.01).log_variance, shift * shift + 0.75 / 1e6, 1e-6);
}

TEST(CallRatioTest, ACallOfEveryInvocationIsCertainOnceItWasSeenOften) {
  EXPECT_LT(RatioOf(1'000, 1'000, 0.3).log_variance, 1e-6);
  EXPECT_GT(RatioOf(1, 1, 0.3).log_variance, 0.2);
  EXPECT_EQ(RatioOf(1, 1, 0.3).value, 1);
}

TEST(CallRatioTest, WithoutAProfileEverySiteIsCalledOnce) {
  for (const Ratio ratio : {RatioOfSite(nullptr, 3, 0.3), RatioOfCallee(nullptr, 3, kA, 0.3)}) {
    EXPECT_EQ(ratio.value, 1);
    EXPECT_EQ(ratio.log_variance, 1);
  }
}

TEST(CallRatioTest, ASiteThatWasNeverReachedHasHalfACall) {
  const MethodProfile profile{1'000, {{3, 10, {}}}};
  EXPECT_DOUBLE_EQ(RatioOfSite(&profile, 6, 0.3).value, 0.0005);
  EXPECT_DOUBLE_EQ(RatioOfCallee(&profile, 6, kA, 0.3).value, 0.0005);
  EXPECT_EQ(RatioOfSite(&profile, 6, 0.3).log_variance, 4);
}

TEST(CallRatioTest, CallsWithoutInvocationsAreThoseOfOneInvocation) {
  const MethodProfile profile{0, {{3, 500, {}}, {8, 0, {}}}};
  EXPECT_EQ(RatioOfSite(&profile, 3, 0.3).value, 500);
  EXPECT_GT(RatioOfSite(&profile, 3, 0.3).log_variance, 1);
  EXPECT_EQ(RatioOfSite(&profile, 8, 0.3).value, 0.5);
}

TEST(CallRatioTest, ASiteWithOneCalleeGivesItAllCalls) {
  const MethodProfile profile{100, {{3, 50, {}}, {6, 50, {{kA, 30}, {kA, 15}}}}};
  EXPECT_EQ(RatioOfCallee(&profile, 3, kA, 0.3).value, 0.5) << "not named";
  EXPECT_EQ(RatioOfCallee(&profile, 6, kA, 0.3).value, 0.5) << "5 calls without a record";
}

TEST(CallRatioTest, CalleesOfOneSiteShareItsCalls) {
  // Per invocation 4 calls, of them 50 % to A, 25 % to B and 25 % without a record.
  const MethodProfile profile{100, {{3, 400, {{kA, 150}, {kB, 100}, {kA, 50}}}}};
  EXPECT_DOUBLE_EQ(RatioOfSite(&profile, 3, 0).value, 4);
  EXPECT_DOUBLE_EQ(RatioOfCallee(&profile, 3, kA, 0).value, 2);
  EXPECT_DOUBLE_EQ(RatioOfCallee(&profile, 3, kB, 0).value, 1);
  EXPECT_DOUBLE_EQ(RatioOfCallee(&profile, 3, kC, 0).value, 1) << "what has no record";
  // A loop's 0.75 / 100 and a branch's 0.75 / 100: one call per invocation on average is no
  // certainty here.
  EXPECT_NEAR(RatioOfCallee(&profile, 3, kB, 0).log_variance, 0.015, 0.0005);
  EXPECT_GT(RatioOfCallee(&profile, 3, kC, 0).log_variance, 4);
}

TEST(CallRatioTest, ACalleeThatNothingIsLeftForHasHalfACall) {
  const MethodProfile profile{100, {{3, 400, {{kA, 300}, {kB, 100}}}}};
  EXPECT_DOUBLE_EQ(RatioOfCallee(&profile, 3, kC, 0.3).value, 0.005);
}

}  // namespace
}  // namespace yp
