#include "core/amortize/pay_off.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace yp {
namespace {

constexpr double kMs = 1e6;

Execution Exactly(double time_ns, double calls) {
  return {Uncertain::Exactly(time_ns), Uncertain::Exactly(calls)};
}

// Figure 6, the paper's LU.factor(): 15 calls of 6.826 ms at BASE, 233 at OPT0, 1799 of 0.783 ms at
// OPT1. The text has no time of OPT0; with 1.2 ms, the first recompilation gains more than the
// second for each of its calls.
TEST(PayOffTest, AsInThePapersExample) {
  const Execution base = Exactly(15 * 6.826 * kMs, 15);
  const Execution opt0 = Exactly(233 * 1.2 * kMs, 233);
  const Execution opt1 = Exactly(1799 * 0.783 * kMs, 1799);
  const PayOff first = JudgeRecompilation(5 * kMs, base, opt0);
  EXPECT_NEAR(first.gain_ns.value, (233 * (6.826 - 1.2) - 5) * kMs, 1);
  EXPECT_EQ(first.verdict, Verdict::kPaidOff);
  EXPECT_NEAR(*first.calls_to_pay, 5 / (6.826 - 1.2), 1e-9);
  const PayOff second = JudgeRecompilation(20 * kMs, opt0, opt1);
  EXPECT_NEAR(second.gain_ns.value, (1799 * (1.2 - 0.783) - 20) * kMs, 1);
  EXPECT_EQ(second.verdict, Verdict::kPaidOff);
  EXPECT_GT(first.gain_ns.value / 233, second.gain_ns.value / 1799);
}

TEST(PayOffTest, AFasterVersionMayNotHaveBeenCalledOftenEnough) {
  const Execution before = Exactly(100 * kMs, 1000), after = Exactly(1 * kMs, 100);
  const PayOff cheap = JudgeRecompilation(8.9 * kMs, before, after);
  EXPECT_NEAR(cheap.before_ns.value, 0.1 * kMs, 1e-6);
  EXPECT_NEAR(cheap.after_ns.value, 0.01 * kMs, 1e-6);
  EXPECT_NEAR(cheap.gain_ns.value, 0.1 * kMs, 1e-3);
  EXPECT_EQ(cheap.verdict, Verdict::kPaidOff);
  const PayOff dear = JudgeRecompilation(9.1 * kMs, before, after);
  EXPECT_EQ(dear.verdict, Verdict::kDidNot);
  EXPECT_NEAR(*dear.calls_to_pay, 9.1 / 0.09, 1e-9) << "a few more calls";
}

TEST(PayOffTest, ASlowerVersionNeverPays) {
  const PayOff slower = JudgeRecompilation(0, Exactly(100, 10), Exactly(110, 10));
  EXPECT_EQ(slower.verdict, Verdict::kDidNot);
  EXPECT_EQ(slower.calls_to_pay, std::nullopt);
}

TEST(PayOffTest, WhatIsNeverCalledIsLost) {
  const PayOff lost = JudgeRecompilation(3 * kMs, Exactly(100 * kMs, 10), Exactly(0, 0));
  EXPECT_NEAR(lost.gain_ns.value, -3 * kMs, 1e-6);
  EXPECT_EQ(lost.verdict, Verdict::kDidNot);
}

TEST(PayOffTest, WhatIsNotKnownIsUndecided) {
  const Execution unknown{OfCount(0), OfCount(0)};
  EXPECT_EQ(JudgeRecompilation(1, unknown, Exactly(5, 5)).verdict, Verdict::kUndecided);
  const Execution few{Times(OfCount(2), kMs), Uncertain::Exactly(1000)};
  EXPECT_EQ(
      JudgeRecompilation(1 * kMs, few, {Times(OfCount(3), kMs), Uncertain::Exactly(1000)}).verdict,
      Verdict::kUndecided);
}

TEST(PayOffTest, VerdictsHaveNames) {
  EXPECT_EQ(ToString(Verdict::kPaidOff), "paid off");
  EXPECT_EQ(ToString(Verdict::kDidNot), "did not");
  EXPECT_EQ(ToString(Verdict::kUndecided), "undecided");
}

// Methods of all sizes: of those that are decided, nearly all are decided rightly; and an estimate
// that takes the samples for the truth decides wrongly much more often.
TEST(PayOffTest, DecidedVerdictsAreRight) {
  std::mt19937_64 random(1);
  const auto sampled = [&](double time_ns) {
    const double mean = time_ns / kMs;  // A sample each millisecond.
    return Times(OfCount(static_cast<double>(std::poisson_distribution<>(mean)(random))), kMs);
  };
  const auto counted = [&](double calls) {
    constexpr double kStride = 1000;
    return Times(OfCount(static_cast<double>(std::poisson_distribution<>(calls / kStride)(random))),
                 kStride);
  };
  std::lognormal_distribution<> times(std::log(30 * kMs), 2), speedups(0.5, 0.7);
  std::lognormal_distribution<> calls(std::log(30000), 1), costs(std::log(5 * kMs), 1);
  int decided = 0, wrong = 0, naively_wrong = 0, held = 0;
  constexpr int kRuns = 3000;
  for (int i = 0; i < kRuns; ++i) {
    const double per_call = times(random) / 30000;
    const double calls_before = calls(random), calls_after = calls(random);
    const double after = per_call / speedups(random), cost = costs(random);
    const double gain = calls_after * (per_call - after) - cost;
    const PayOff judged =
        JudgeRecompilation(cost, {sampled(calls_before * per_call), counted(calls_before)},
                           {sampled(calls_after * after), counted(calls_after)});
    held += judged.gain_ns.low <= gain && gain <= judged.gain_ns.high;
    naively_wrong += (judged.gain_ns.value > 0) != (gain > 0);
    if (judged.verdict == Verdict::kUndecided) continue;
    ++decided;
    wrong += (judged.verdict == Verdict::kPaidOff) != (gain > 0);
  }
  EXPECT_GT(decided, kRuns / 4);
  EXPECT_LT(wrong, 0.02 * decided);
  EXPECT_GT(naively_wrong, 0.05 * kRuns);
  EXPECT_GT(held, 0.94 * kRuns);
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
