#include "core/sampling/bias_correction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.h"

namespace yp {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double kHalf = kHalfWeightLatencyNs;

// 10 calls a microsecond over an interval of 1 ms: 10,000 calls, of which it saw 101.
WindowMeasures Dense(uint32_t thread = 0) {
  return {.thread = ThreadId{thread},
          .samples = 4,
          .calls = 101,
          .duration_ns = 10'000,
          .interval_ns = 1'000'000};
}
// A tenth of that.
WindowMeasures Sparse(uint32_t thread = 0) {
  WindowMeasures window = Dense(thread);
  window.duration_ns *= 10;
  return window;
}
WindowMeasures Late(double latency_ns, uint32_t thread = 0) {
  WindowMeasures window = Dense(thread);
  window.latency_ns = static_cast<int64_t>(latency_ns);
  return window;
}

double Sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(BiasCorrectionTest, NamesReadBack) {
  for (const auto* name : {"none", "density", "density+latency", "shrunk"}) {
    ASSERT_TRUE(BiasCorrectionFrom(name)) << name;
    EXPECT_EQ(ToString(*BiasCorrectionFrom(name)), name);
  }
  EXPECT_FALSE(BiasCorrectionFrom("latency"));
}

TEST(BiasCorrectionTest, DensityTimesIntervalIsWhatTheThreadCalledMeanwhile) {
  EXPECT_THAT(CallsBehind({Dense(1), Sparse(2)}, {.correction = BiasCorrection::kDensity}),
              ElementsAre(DoubleNear(10'000, 1e-6), DoubleNear(1'000, 1e-6)));
}

TEST(BiasCorrectionTest, WindowsShareTheTimeBetweenThem) {
  std::vector<WindowMeasures> windows{Dense(1), Sparse(2), Dense(1), Dense(1)};
  windows[2].interval_ns = 3'000'000;
  windows[3].interval_ns = 500'000;
  // Of thread 1: 1 + 3 / 2 ms, (3 + 0.5) / 2 ms and 0.5 / 2 ms.
  EXPECT_THAT(CallsBehind(windows, {}),
              ElementsAre(DoubleNear(25'000, 1e-6), DoubleNear(1'000, 1e-6),
                          DoubleNear(17'500, 1e-6), DoubleNear(2'500, 1e-6)));
}

TEST(BiasCorrectionTest, WhatTheProcessorCountedSharesTheCalls) {
  // The last one's thread has no counter.
  std::vector<WindowMeasures> windows{Dense(1), Sparse(1), Sparse(2), Dense(3)};
  windows[0].near_calls = 300;
  windows[1].near_calls = 100;
  windows[2].near_calls = 50;
  const std::vector<double> by_density{15'000, 500, 1'000, 10'000};
  const double all = Sum(by_density) - 10'000;
  // 300 + 100 / 2, 100 / 2, 50.
  EXPECT_THAT(
      CallsBehind(windows, {}),
      Pointwise(DoubleNear(1e-6), {all * 350 / 450, all * 50 / 450, all * 50 / 450, 10'000.0}));
}

TEST(BiasCorrectionTest, FewCountsOfTheProcessorAreNotUsed) {
  std::vector<WindowMeasures> windows{Dense(1), Sparse(2), Dense(3)};
  const std::vector<double> without = CallsBehind(windows, {});
  windows[1].near_calls = 1e9;
  EXPECT_THAT(CallsBehind(windows, {}), Pointwise(DoubleNear(1e-6), without));
}

TEST(BiasCorrectionTest, ATickWithoutACallIsTimeWithoutCalls) {
  WindowMeasures after_silence = Dense(1);
  after_silence.interval_ns = 50'000'000;
  EXPECT_THAT(CallsBehind({Dense(1), after_silence}, {.tick_ns = 1'000'000}),
              ElementsAre(DoubleNear(15'000, 1e-6), DoubleNear(5'000, 1e-6)));
}

TEST(BiasCorrectionTest, AWindowWithoutASampleHasItsTime) {
  WindowMeasures unsampled = Sparse(1);
  unsampled.samples = 0;
  EXPECT_THAT(
      CallsBehind({Dense(1), unsampled, Dense(1)}, {}),
      ElementsAre(DoubleNear(15'000, 1e-6), DoubleNear(1'000, 1e-6), DoubleNear(5'000, 1e-6)));
}

TEST(BiasCorrectionTest, AnUnknownDurationIsTakenForThatOfTheOthers) {
  WindowMeasures unknown = Dense(3);
  unknown.duration_ns = 0;
  EXPECT_THAT(CallsBehind({Dense(1), Sparse(2), unknown}, {}).back(), DoubleNear(5'500, 1e-6));
}

TEST(BiasCorrectionTest, AWindowOfOneCallStandsForThatCall) {
  const WindowMeasures single{
      .thread = ThreadId{3}, .samples = 1, .calls = 1, .interval_ns = 1'000'000};
  EXPECT_THAT(CallsBehind({Dense(1), Sparse(2), single}, {}).back(), DoubleEq(1));
}

TEST(BiasCorrectionTest, WithoutCorrectionEverySampleStandsForAsMany) {
  WindowMeasures full = Sparse(2);
  full.samples = 12;
  EXPECT_THAT(CallsBehind({Dense(1), full}, {.correction = BiasCorrection::kNone}),
              ElementsAre(DoubleNear(2'750, 1e-6), DoubleNear(8'250, 1e-6)));
}

TEST(BiasCorrectionTest, AWindowThatBeganLateTellsLessOfItsThread) {
  // Intervals of 1.5, 1 and 0.5 ms, weights 1, 1/2 and 1/4.
  const std::vector<double> calls = CallsBehind({Late(0), Late(kHalf), Late(3 * kHalf)},
                                                {.correction = BiasCorrection::kDensityAndLatency});
  EXPECT_THAT(calls,
              ElementsAre(DoubleNear(30'000 * 12.0 / 17, 1e-3), DoubleNear(30'000 * 4.0 / 17, 1e-3),
                          DoubleNear(30'000 * 1.0 / 17, 1e-3)));
}

TEST(BiasCorrectionTest, AThreadThatIsAlwaysLateKeepsItsCalls) {
  const std::vector<double> calls =
      CallsBehind({Late(0, 1), Late(5 * kHalf, 2), Late(5 * kHalf, 2)},
                  {.correction = BiasCorrection::kDensityAndLatency});
  EXPECT_THAT(calls, Pointwise(DoubleNear(1e-6), std::vector<double>{10'000, 15'000, 5'000}));
}

TEST(BiasCorrectionTest, LatencyCountsWhereThereIsNoDensity) {
  WindowMeasures prompt{.samples = 1, .calls = 1, .interval_ns = 1000};
  WindowMeasures late = prompt;
  late.latency_ns = static_cast<int64_t>(kHalf);
  EXPECT_THAT(
      CallsBehind({prompt, late}, {.correction = BiasCorrection::kDensityAndLatency, .stride = 3}),
      ElementsAre(DoubleNear(4, 1e-9), DoubleNear(2, 1e-9)));
}

TEST(BiasCorrectionTest, NoCorrectionChangesTheSum) {
  Xoshiro256 random(7);
  std::vector<WindowMeasures> windows;
  for (int i = 0; i < 200; ++i) {
    const auto draw = [&](uint64_t most) {
      return static_cast<int64_t>(random.UniformFromOneTo(most));
    };
    windows.push_back({.thread = ThreadId{static_cast<uint32_t>(i % 3)},
                       .samples = static_cast<double>(draw(9)),
                       .calls = static_cast<double>(draw(500)),
                       .duration_ns = draw(100'000) - 1,
                       .interval_ns = draw(1'000'000) - 1,
                       .near_calls = static_cast<double>(draw(i < 150 ? 1000 : 1) - 1),
                       .latency_ns = draw(2'000'000'000)});
  }
  const double sum = Sum(CallsBehind(windows, {.correction = BiasCorrection::kDensity}));
  for (const BiasCorrection other : {BiasCorrection::kNone, BiasCorrection::kDensityAndLatency}) {
    EXPECT_NEAR(Sum(CallsBehind(windows, {.correction = other})) / sum, 1, 1e-9);
  }
}

TEST(BiasCorrectionTest, OnlyAFewDensitiesAreCapped) {
  std::vector<WindowMeasures> windows(99, Sparse());
  windows.push_back(Dense(1));
  windows.back().duration_ns = 1;
  EXPECT_THAT(CallsBehind(windows, {}).back(), DoubleNear(1'000, 1e-6));
  EXPECT_THAT(CallsBehind(windows, {.caps_density = false}).back(), DoubleNear(1e8, 1e-3));
}

TEST(BiasCorrectionTest, ContinuousWindowsStandForWhatTheySaw) {
  EXPECT_THAT(CallsBehind({Dense(), Sparse()}, {.is_continuous = true}),
              ElementsAre(DoubleEq(101), DoubleEq(101)));
}

TEST(BiasCorrectionTest, NothingGivesNothing) {
  EXPECT_TRUE(CallsBehind({}, {}).empty());
  EXPECT_THAT(CallsBehind({{}}, {.correction = BiasCorrection::kNone}), ElementsAre(0));
  EXPECT_THAT(CallsBehind({{}}, {.correction = BiasCorrection::kDensityAndLatency}),
              ElementsAre(0));
}

// Threads that find a lock taken sample right behind it (Lee's Figure 3): one call in two is call
// A, and A is what a late window begins with. Time behind the lock is as dense as all other.
TEST(BiasCorrectionTest, LatencyUndoesTheBiasOfALock) {
  Xoshiro256 random(11);
  std::vector<WindowMeasures> windows;
  std::vector<bool> is_a;
  for (int i = 0; i < 20'000; ++i) {
    const bool waited = random.UniformFromOneTo(4) == 1;
    windows.push_back(Late(waited ? 50 * kHalf : 0));
    is_a.push_back(waited || random.UniformFromOneTo(2) == 1);
  }
  const auto share_of_a = [&](BiasCorrection correction) {
    const std::vector<double> calls = CallsBehind(windows, {.correction = correction});
    double a = 0;
    for (size_t i = 0; i < calls.size(); ++i) a += is_a[i] ? calls[i] : 0;
    return a / Sum(calls);
  };
  EXPECT_NEAR(share_of_a(BiasCorrection::kDensity), 5.0 / 8, 0.02);
  EXPECT_NEAR(share_of_a(BiasCorrection::kDensityAndLatency), 0.5, 0.02);
}

}  // namespace
}  // namespace yp
