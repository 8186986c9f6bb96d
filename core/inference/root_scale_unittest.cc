#include "core/inference/root_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/inference/samples_for_test.h"

namespace yp {
namespace {

TEST(RootScaleTest, EffectiveSamplesAreThoseOfEqualWeight) {
  EXPECT_DOUBLE_EQ(Samples(7).EffectiveSamples(), 7);
  // One sample of 300 and three of 100: 600^2 / (90,000 + 30,000).
  EXPECT_DOUBLE_EQ((SampledCalls{600, 120'000}.EffectiveSamples()), 3);
  EXPECT_EQ(SampledCalls{}.EffectiveSamples(), 0);
}

TEST(RootScaleTest, EntriesAloneAreTakenAsTheyAre) {
  const RootScale scale = EstimateRootScale(Samples(10), {});
  EXPECT_DOUBLE_EQ(scale.entries, 1'000);
  EXPECT_DOUBLE_EQ(scale.log_variance, 0.1);
  EXPECT_EQ(scale.outgoing_weight, 0);
}

TEST(RootScaleTest, OutgoingCallsAloneAreDividedByTheirRatio) {
  const RootScale scale = EstimateRootScale(std::nullopt, {Samples(40), 8, 0.09});
  EXPECT_DOUBLE_EQ(scale.entries, 500);
  EXPECT_DOUBLE_EQ(scale.log_variance, 0.025 + 0.09);
  EXPECT_EQ(scale.outgoing_weight, 1);
}

TEST(RootScaleTest, SamplesOfACertainRatioArePooled) {
  // 3 + 17 samples of 1 + 4 calls per entry.
  const RootScale scale = EstimateRootScale(Samples(3), {Samples(17), 4, 0});
  EXPECT_NEAR(scale.entries, 400, 1e-9);
  EXPECT_NEAR(scale.log_variance, 1.0 / 20, 1e-12);
  EXPECT_NEAR(scale.outgoing_weight, 0.8, 1e-12);
}

TEST(RootScaleTest, SamplesThatDidNotComeAreEvidenceToo) {
  EXPECT_NEAR(EstimateRootScale(Samples(1), {{}, 9, 0}).entries, 10, 1e-9);
  EXPECT_NEAR(EstimateRootScale(SampledCalls{}, {Samples(20), 1, 0}).entries, 1'000, 1e-9);
}

TEST(RootScaleTest, ManySamplesAreAveragedByTheirLogarithms) {
  // log 100 (precision 100) and log 200 (precision 1 / (1e-6 + 0.01) = 99.99): the geometric mean.
  // With so few samples the two estimators differ by some percent.
  EXPECT_NEAR(EstimateRootScale(Samples(100), {Samples(1e6), 5'000, 0.01}).entries, 14'142, 700);
  const RootScale many = EstimateRootScale(Samples(1e6), {Samples(1e6), 0.99, 1e-6});
  // log 1 (precision 1e6) and log 1 / 0.99 (precision 5e5): a third of the way.
  EXPECT_NEAR(many.entries, 1e8 * std::pow(1 / 0.99, 1.0 / 3), 1e3);
  EXPECT_NEAR(many.log_variance, 1 / 1.5e6, 1e-8);
}

TEST(RootScaleTest, AnUncertainRatioLeavesTheDecisionToTheEntries) {
  EXPECT_NEAR(EstimateRootScale(Samples(1e6), {Samples(1'000), 1, 4}).entries, 1e8, 1e4);
}

TEST(RootScaleTest, NothingObservedIsNothingKnown) {
  EXPECT_EQ(EstimateRootScale(std::nullopt, {}).entries, 0);
  EXPECT_EQ(EstimateRootScale(SampledCalls{}, {{}, 5, 0.09}).entries, 0);
  EXPECT_EQ(EstimateRootScale(std::nullopt, {Samples(5), 0, 0}).entries, 0);
}

TEST(RootScaleTest, AnExpectationIsWorthItsWeightInSamples) {
  // Three samples of 10 calls, and two that expect 40: 10 (2 + 3) / (2 10 / 40 + 1).
  const SampledCalls both = WithExpectation({30, 300}, 1, 40, 2);
  EXPECT_DOUBLE_EQ(both.calls, 50 / 1.5);
  EXPECT_DOUBLE_EQ(both.variance, 100 * 5 / 2.25);
  // Where fewer calls are expected than a sample stands for, that there is none tells little.
  const SampledCalls none = WithExpectation({}, 1000, 10, 1);
  EXPECT_NEAR(none.calls, 10, 0.1);
  EXPECT_NEAR(none.variance, 100, 2);
  // Of what was counted nearly all is known.
  EXPECT_NEAR(WithExpectation({5000, 5000}, 1000, 1000, 3).calls, 5000, 20);
  const SampledCalls unexpected = WithExpectation({30, 300}, 1, 0, 2);
  EXPECT_DOUBLE_EQ(unexpected.calls, 30);
  EXPECT_DOUBLE_EQ(unexpected.variance, 300);
}

TEST(RootScaleTest, IsFiniteForExtremes) {
  for (const double n : {0.0, 1.0, 1e9}) {
    for (const double ratio : {1e-9, 1.0, 1e15}) {
      for (const double v : {0.0, 0.09, 16.0}) {
        const RootScale scale = EstimateRootScale(Samples(n), {Samples(1e6), ratio, v});
        EXPECT_GE(scale.entries, 0);
        EXPECT_TRUE(std::isfinite(scale.entries));
        EXPECT_TRUE(std::isfinite(scale.log_variance));
      }
    }
  }
  EXPECT_DOUBLE_EQ(EstimateRootScale(SampledCalls{50, 0}, {}).entries, 50) << "an exact count";
}

}  // namespace
}  // namespace yp
