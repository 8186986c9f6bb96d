#include "core/amortize/pay_off.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace yp {
namespace {

TEST(PayOffTest, VerdictsHaveNames) {
  EXPECT_EQ(ToString(Verdict::kPaidOff), "paid off");
  EXPECT_EQ(ToString(Verdict::kDidNot), "did not");
  EXPECT_EQ(ToString(Verdict::kUndecided), "undecided");
}

TEST(CallsTest, SampledOnesAreAsUncertainAsTheirSamples) {
  EXPECT_EQ(Calls::Counted(7).number, 7);
  EXPECT_EQ(Calls::Counted(7).variance, 0);
  EXPECT_EQ(Calls::Counted(0).number, 0.5) << "its logarithm is needed";
  EXPECT_EQ(Calls::Counted(4).interval(), (Uncertain{4, 4, 4}));
  const Uncertain sampled = Calls::Sampled(4000, 0.25).interval();
  EXPECT_EQ(sampled.value, 4000);
  EXPECT_NEAR(sampled.low, 1501.2, 0.1);
  EXPECT_NEAR(sampled.high, 10657.8, 0.1);
}

TEST(TimeOfCallTest, CallsAreSpreadOverTheirPeriod) {
  const std::vector<Period> periods = {{10, 0, 200}, {0, 0, 300}, {20, 0, 700}};
  EXPECT_EQ(TimeOfCall(periods, 100, 0), 100);
  EXPECT_EQ(TimeOfCall(periods, 100, 5), 150);
  EXPECT_EQ(TimeOfCall(periods, 100, 10), 200);
  EXPECT_EQ(TimeOfCall(periods, 100, 15), 400);
  EXPECT_EQ(TimeOfCall(periods, 100, 30), 700);
  EXPECT_EQ(TimeOfCall(periods, 100, 31), std::nullopt);
  EXPECT_EQ(TimeOfCall({}, 100, 1), std::nullopt);
}

// As the paper's matmult: each call lasts twice as long as the one before.
TEST(DriftTest, GrowingCallsAreSeen) {
  std::vector<Period> periods;
  for (int i = 0; i < 10; ++i) periods.push_back({1, static_cast<double>(1 << i), 0});
  const std::optional<double> drift = Drift(periods);
  ASSERT_TRUE(drift.has_value());
  EXPECT_NEAR(*drift, 992.5 / 31.5, 1e-9);
  std::vector<Period> shrinking(periods.rbegin(), periods.rend());
  EXPECT_LT(Drift(shrinking).value_or(1), 0.1);
}

TEST(DriftTest, HalvesAreOfTheCallsNotOfTheTime) {
  // Ten times as many calls in the second period, each as long.
  EXPECT_EQ(Drift(std::vector<Period>{{100, 50, 0}, {1000, 500, 0}, {1000, 500, 0}}), std::nullopt);
  EXPECT_NEAR(*Drift(std::vector<Period>{{100, 50, 0}, {900, 450, 0}, {1000, 1500, 0}}), 3, 0.01);
}

TEST(DriftTest, OneCallOrNoSampleTellsNothing) {
  EXPECT_EQ(Drift({}), std::nullopt);
  EXPECT_EQ(Drift(std::vector<Period>{{1, 1000, 0}}), std::nullopt);
  EXPECT_EQ(Drift(std::vector<Period>{{10, 0, 0}, {10, 0, 0}}), std::nullopt);
  EXPECT_EQ(Drift(std::vector<Period>{{0, 10, 0}, {10, 10, 0}}), std::nullopt);
  EXPECT_EQ(Drift(std::vector<Period>{{1000, 1, 0}, {1000, 3, 0}}), std::nullopt) << "chance";
}

TEST(DriftTest, EvenCallsSeemUnevenOnceInTwentyTimes) {
  std::mt19937_64 random(7);
  int seen = 0;
  constexpr int kRuns = 2000;
  for (int i = 0; i < kRuns; ++i) {
    std::vector<Period> periods;
    for (int p = 0; p < 10; ++p) {
      const double calls = std::uniform_real_distribution<>(10, 1000)(random);
      periods.push_back(
          {calls, static_cast<double>(std::poisson_distribution<>(calls / 20)(random)), 0});
    }
    seen += Drift(periods).has_value();
  }
  EXPECT_GT(seen, 0.02 * kRuns);
  EXPECT_LT(seen, 0.06 * kRuns);
}

}  // namespace
}  // namespace yp
