#include "core/sampling/countdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/sampling/statistics_for_test.h"

namespace yp {
namespace {

using Distribution = RandomizedCountdown::Distribution;

constexpr uint32_t kMean = 64;

// Always the same interval, as async-profiler's method counting takes it.
class FixedCountdown final : public SamplingPolicy {
 public:
  uint64_t BeginWindow() override { return kMean; }
  uint64_t AfterSample() override { return kMean; }
  bool NeedsTicks() const override { return false; }
};

// An exponential variate rounded up, which has the mean 1 / (1 - e^(-1/mean)): half a call too
// long.
class RoundedExponential final : public SamplingPolicy {
 public:
  explicit RoundedExponential(RandomSource& random) : random_(random) {}
  uint64_t BeginWindow() override { return AfterSample(); }
  uint64_t AfterSample() override {
    return 1 + static_cast<uint64_t>(-std::log(random_.UniformOpenClosed()) * kMean);
  }
  bool NeedsTicks() const override { return false; }

 private:
  RandomSource& random_;
};

std::vector<double> Intervals(SamplingPolicy& policy, int count) {
  std::vector<double> intervals;
  policy.BeginWindow();
  for (int i = 0; i < count; ++i) intervals.push_back(static_cast<double>(policy.AfterSample()));
  return intervals;
}

bool MeanIntervalIsRight(SamplingPolicy& policy) {
  return MeanIs(kMean, Intervals(policy, 1'000'000));
}

TEST(RandomizedCountdownTest, IntervalsHaveTheirMean) {
  for (const Distribution distribution : {Distribution::kGeometric, Distribution::kUniform}) {
    Xoshiro256 random(1);
    RandomizedCountdown policy(kMean, distribution, random);
    EXPECT_TRUE(MeanIntervalIsRight(policy));
  }
}

TEST(RandomizedCountdownTest, TheSameCheckFindsAnExponentialThatWasMerelyRounded) {
  Xoshiro256 random(1);
  RoundedExponential policy(random);
  EXPECT_FALSE(MeanIntervalIsRight(policy));
}

bool IntervalsAre(Distribution distribution, SamplingPolicy& policy) {
  constexpr int kIntervals = 500'000;
  constexpr uint32_t kCells = 2 * kMean;  // The last one takes all longer intervals.
  std::vector<double> expected(kCells), counts(kCells);
  for (uint32_t k = 1; k < kCells; ++k) {
    expected[k - 1] = distribution == Distribution::kGeometric
                          ? kIntervals * std::pow(1 - 1.0 / kMean, k - 1) / kMean
                          : kIntervals / (2.0 * kMean - 1);
  }
  expected[kCells - 1] = kIntervals * std::pow(1 - 1.0 / kMean, kCells - 1);
  for (const double k : Intervals(policy, kIntervals)) {
    ++counts[std::min(static_cast<uint32_t>(k), kCells) - 1];
  }
  if (distribution == Distribution::kUniform) {
    if (counts.back() != 0) return false;
    counts.pop_back();
    expected.pop_back();
  }
  return FitsByChiSquare(counts, expected);
}

TEST(RandomizedCountdownTest, IntervalsHaveTheirDistributionAndNotTheOther) {
  for (const Distribution drawn : {Distribution::kGeometric, Distribution::kUniform}) {
    for (const Distribution checked : {Distribution::kGeometric, Distribution::kUniform}) {
      Xoshiro256 random(2);
      RandomizedCountdown policy(kMean, drawn, random);
      EXPECT_EQ(IntervalsAre(checked, policy), drawn == checked);
    }
  }
}

// The samples of each phase of a pattern of `period` calls that repeats for ever. Under the
// geometric countdown they are independent trials of chance 1 / kMean.
bool EveryPhaseIsEquallyLikely(SamplingPolicy& policy, uint32_t period) {
  constexpr uint64_t kRepeats = 100'000;
  std::vector<double> counts(period);
  for (uint64_t call = policy.BeginWindow(); call <= kRepeats * period;
       call += policy.AfterSample()) {
    ++counts[call % period];
  }
  return AllBinomial(counts, double{kRepeats}, 1.0 / kMean);
}

TEST(RandomizedCountdownTest, PeriodicCallPatternsDoNotAlias) {
  for (uint32_t period = 2; period <= 64; ++period) {
    Xoshiro256 random(3);
    RandomizedCountdown policy(kMean, Distribution::kGeometric, random);
    EXPECT_TRUE(EveryPhaseIsEquallyLikely(policy, period)) << "period " << period;
  }
}

TEST(RandomizedCountdownTest, TheSameCheckFindsAFixedInterval) {
  for (const uint32_t period : {2u, 3u, 32u, 64u}) {
    FixedCountdown policy;
    EXPECT_EQ(EveryPhaseIsEquallyLikely(policy, period), period == 3)
        << "only a period without a common factor is safe; period " << period;
  }
}

TEST(RandomizedCountdownTest, TheFirstCallsOfAThreadAreAsLikelyAsTheOthers) {
  constexpr int kThreads = 100'000;
  constexpr uint64_t kCalls = 200;
  for (const Distribution distribution : {Distribution::kGeometric, Distribution::kUniform}) {
    Xoshiro256 random(4);
    std::vector<double> counts(kCalls);
    for (int t = 0; t < kThreads; ++t) {
      RandomizedCountdown policy(kMean, distribution, random);
      for (uint64_t call = policy.BeginWindow(); call <= kCalls; call += policy.AfterSample()) {
        ++counts[call - 1];
      }
    }
    EXPECT_TRUE(AllBinomial(counts, kThreads, 1.0 / kMean));
  }
}

TEST(RandomizedCountdownTest, AUniformCountdownsSampleCountVariesAThirdAsMuch) {
  const auto dispersion = [](Distribution distribution) {
    Xoshiro256 random(5);
    RandomizedCountdown policy(kMean, distribution, random);
    constexpr int kRuns = 20'000;
    constexpr double kCalls = 100 * kMean;
    double squares = 0, next = static_cast<double>(policy.BeginWindow());
    for (int r = 0; r < kRuns; ++r) {
      double samples = 0;
      for (; next <= kCalls; next += static_cast<double>(policy.AfterSample())) ++samples;
      next -= kCalls;
      squares += (samples - 100) * (samples - 100);
    }
    return squares / kRuns / 100;
  };
  // The variance of 20,000 counts strays by 1 % (one standard deviation).
  EXPECT_NEAR(dispersion(Distribution::kGeometric), 1.0, 0.05);
  EXPECT_NEAR(dispersion(Distribution::kUniform), 1.0 / 3, 0.03);
}

TEST(RandomizedCountdownTest, AMeanOfOneSamplesEveryCall) {
  for (const Distribution distribution : {Distribution::kGeometric, Distribution::kUniform}) {
    Xoshiro256 random(6);
    RandomizedCountdown policy(1, distribution, random);
    EXPECT_FALSE(policy.NeedsTicks());
    EXPECT_EQ(policy.BeginWindow(), 1u);
    for (int i = 0; i < 1'000; ++i) ASSERT_EQ(policy.AfterSample(), 1u);
  }
}

// A program's methods: how often each is called, and how many steps its calls count down.
struct Counted {
  uint64_t calls_per_round = 0;
  uint32_t steps = 1;
  uint64_t calls = 0, samples = 0;
};

// Samples of calls that come one method after the other, the rarest in the middle of the others.
std::vector<Counted> SampleBySteps(std::vector<Counted> methods, int rounds) {
  Xoshiro256 random(9);
  RandomizedCountdown policy(kMean, Distribution::kGeometric, random);
  auto left = static_cast<int64_t>(policy.BeginWindow());
  for (int round = 0; round < rounds; ++round) {
    for (Counted& method : methods) {
      for (uint64_t i = 0; i < method.calls_per_round; ++i) {
        ++method.calls;
        left -= method.steps;
        if (left > 0) continue;
        ++method.samples;
        left = static_cast<int64_t>(policy.AfterSample());
      }
    }
  }
  return methods;
}

TEST(CallsPerSampleTest, IsWhatASampleStandsForHoweverManyStepsItsCallAndTheOthersCountDown) {
  // 3 * kMean steps: nearly each call is a sample, of which steps alone would make several.
  const auto many = static_cast<uint32_t>(3 * kMean);
  bool is_naive_right = true;
  for (const Counted& method :
       SampleBySteps({{1000, 1}, {2, many}, {30, 8}, {5, 64}, {300, 2}}, 20'000)) {
    const double chance = 1 / CallsPerSample(kMean, method.steps);
    const auto calls = static_cast<double>(method.calls);
    const double deviation = std::sqrt(calls * chance * (1 - chance));
    const auto samples = static_cast<double>(method.samples);
    EXPECT_NEAR(samples, calls * chance, 4 * deviation) << method.steps;
    const double naive = calls * static_cast<double>(method.steps) / kMean;
    is_naive_right = is_naive_right && std::abs(samples - naive) < 4 * deviation;
  }
  EXPECT_FALSE(is_naive_right) << "the simulation could not tell a wrong weight";
}

TEST(CallsPerSampleTest, OneStepIsTheMeanAndManyAreEachCall) {
  EXPECT_EQ(CallsPerSample(1009, 1), 1009);
  EXPECT_NEAR(CallsPerSample(1009, 8), 1009.0 / 8, 4);
  EXPECT_NEAR(CallsPerSample(1009, 1u << 31), 1, 1e-9);
  EXPECT_EQ(CallsPerSample(1, 5), 1);
}

TEST(RandomizedCountdownTest, EqualSeedsGiveEqualIntervalsAndOthersDoNot) {
  Xoshiro256 a(7), b(7), c(8);
  RandomizedCountdown first(kMean, Distribution::kGeometric, a);
  RandomizedCountdown second(kMean, Distribution::kGeometric, b);
  RandomizedCountdown other(kMean, Distribution::kGeometric, c);
  const std::vector<double> intervals = Intervals(first, 100);
  EXPECT_EQ(intervals, Intervals(second, 100));
  EXPECT_NE(intervals, Intervals(other, 100));
}

TEST(RandomizedCountdownTest, TheLongestIntervalFitsItsBound) {
  class Zero final : public RandomSource {
    uint64_t Next() override { return 0; }
  } zero;
  RandomizedCountdown policy(RandomizedCountdown::kMaxMean, Distribution::kGeometric, zero);
  EXPECT_LE(policy.AfterSample(), SamplingPolicy::kMaxCountdown);
  EXPECT_GT(policy.AfterSample(), 36 * uint64_t{RandomizedCountdown::kMaxMean});
}

}  // namespace
}  // namespace yp
