#include "core/graph/confidence.h"
#include "base/chance_test_util.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace yp {
namespace {

// A program that is in one of several phases when a window opens, and samples of its calls.
struct Phase {
  double chance;               // That a window falls into it.
  uint32_t samples;            // Per window.
  double weight;               // Of each sample.
  std::vector<double> shares;  // Of each edge's calls.
};

// Edge 0 is common everywhere, edge 1 belongs to one phase, edge 2 is rare everywhere, edge 3 comes
// in bursts: half of the calls of one window in ten.
const std::vector<Phase> kProgram = {{0.6, 64, 1.0, {0.80, 0.15, 0.002, 0.0, 0.048}},
                                     {0.3, 40, 2.5, {0.70, 0.00, 0.002, 0.0, 0.298}},
                                     {0.1, 16, 0.5, {0.45, 0.00, 0.002, 0.5, 0.048}}};
constexpr uint32_t kEdges = 5;

uint32_t Choose(const std::vector<double>& chances, RandomSource& random) {
  double u = random.UniformOpenClosed();
  for (uint32_t i = 0; i + 1 < chances.size(); ++i) {
    if (u <= chances[i]) return i;
    u -= chances[i];
  }
  return static_cast<uint32_t>(chances.size() - 1);
}

std::vector<WindowSamples> SampleRun(const std::vector<Phase>& program, size_t windows,
                                     RandomSource& random) {
  std::vector<double> chances;
  for (const Phase& phase : program) chances.push_back(phase.chance);
  std::vector<WindowSamples> run(windows);
  for (WindowSamples& window : run) {
    const Phase& phase = program[Choose(chances, random)];
    window.weight = phase.weight;
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t i = 0; i < phase.samples; ++i) ++counts[Choose(phase.shares, random)];
    for (const auto& [edge, count] : counts) window.samples.emplace_back(EdgeId{edge}, count);
  }
  return run;
}

double TrueShare(const std::vector<Phase>& program, uint32_t edge) {
  double of_edge = 0, all = 0;
  for (const Phase& phase : program) {
    const double samples = phase.chance * phase.weight * phase.samples;
    of_edge += samples * phase.shares[edge];
    all += samples;
  }
  return of_edge / all;
}

using Estimator = std::function<std::vector<EdgeEstimate>(std::span<const WindowSamples>)>;

// How often, of `runs` runs, the interval held the true share: per edge. An edge that no window saw
// has no interval; it counts as held, as no claim was made.
std::vector<double> Coverage(const Estimator& estimate, size_t windows, int runs) {
  Xoshiro256 random(1);
  std::vector<double> missed(kEdges);
  for (int run = 0; run < runs; ++run) {
    for (const EdgeEstimate& e : estimate(SampleRun(kProgram, windows, random))) {
      const double truth = TrueShare(kProgram, ToIndex(e.edge));
      if (truth < e.low || truth > e.high) ++missed[ToIndex(e.edge)];
    }
  }
  std::vector<double> coverage;
  for (const double m : missed) coverage.push_back(1 - m / runs);
  return coverage;
}

// The error that the intervals are there to avoid: each sample taken as a window of its own.
std::vector<EdgeEstimate> AsIfIndependent(std::span<const WindowSamples> windows) {
  std::vector<WindowSamples> single;
  for (const WindowSamples& window : windows) {
    for (const auto& [edge, count] : window.samples) {
      for (uint32_t i = 0; i < count; ++i)
        single.push_back({.weight = window.weight, .samples = {{edge, 1}}});
    }
  }
  return EstimateShares(single);
}

// The check of an estimator: no edge's coverage falls so far below 95 % in 1,000 runs as would
// happen, were it 95 %, for one seed in 10,000 (4.3 standard deviations for ten edges).
bool Covers(const std::vector<double>& coverage) {
  return std::all_of(coverage.begin(), coverage.end(), [](double c) { return c >= 0.92; });
}

TEST(ConfidenceTest, IntervalsCoverTheTruthOfClusteredWindows) {
  YP_LONG_TEST_OF_CHANCE();
  for (const size_t windows : {30u, 200u}) {
    const std::vector<double> coverage = Coverage(EstimateShares, windows, 1'000);
    EXPECT_TRUE(Covers(coverage)) << windows << " windows";
    for (const size_t common : {0u, 1u, 4u}) {
      EXPECT_LT(coverage[common], 0.99) << "wider than they need be, edge " << common;
    }
  }
}

TEST(ConfidenceTest, TheSameCheckFindsIntervalsThatTakeSamplesForIndependent) {
  YP_LONG_TEST_OF_CHANCE();
  EXPECT_FALSE(Covers(Coverage(AsIfIndependent, 200, 1'000)));
}

TEST(ConfidenceTest, TheBootstrapAgrees) {
  Xoshiro256 random(2);
  const std::vector<WindowSamples> run = SampleRun(kProgram, 2'000, random);
  const std::vector<EdgeEstimate> estimates = EstimateShares(run);
  const std::vector<EdgeEstimate> bootstrap = BootstrapShares(run, 2'000, random);
  ASSERT_EQ(estimates.size(), kEdges);
  ASSERT_EQ(bootstrap.size(), kEdges);
  for (size_t e = 0; e < kEdges; ++e) {
    EXPECT_EQ(estimates[e].edge, bootstrap[e].edge);
    EXPECT_EQ(estimates[e].value, bootstrap[e].value);
    // 2,000 replicates know a standard error to 1.6 %, and an end of the interval to 6 % of it.
    const double error = std::sqrt(estimates[e].variance);
    EXPECT_NEAR(std::sqrt(bootstrap[e].variance), error, 0.1 * error) << "edge " << e;
    EXPECT_NEAR(bootstrap[e].low, estimates[e].low, 0.35 * error) << "edge " << e;
    EXPECT_NEAR(bootstrap[e].high, estimates[e].high, 0.35 * error) << "edge " << e;
  }
}

WindowSamples Window(std::vector<std::pair<uint32_t, uint32_t>> samples, double weight = 1) {
  WindowSamples window{.weight = weight, .samples = {}};
  for (const auto& [edge, count] : samples) window.samples.emplace_back(EdgeId{edge}, count);
  return window;
}

TEST(ConfidenceTest, TheVarianceIsThatOfTheRatioEstimator) {
  // p = 4 / 8; the windows are 1 above and 1 below 2: 2 / 1 * (1 + 1) / 8^2.
  const std::vector<WindowSamples> windows = {Window({{0, 3}, {1, 1}}), Window({{0, 1}, {1, 3}})};
  const std::vector<EdgeEstimate> estimates = EstimateShares(windows);
  ASSERT_EQ(estimates.size(), 2u);
  EXPECT_DOUBLE_EQ(estimates[0].value, 0.5);
  EXPECT_DOUBLE_EQ(estimates[0].variance, 0.0625);
}

TEST(ConfidenceTest, WindowsCountByTheWeightOfTheirSamples) {
  const std::vector<WindowSamples> windows = {Window({{7, 10}}, 3), Window({{3, 10}}, 1)};
  const std::vector<EdgeEstimate> estimates = EstimateShares(windows);
  ASSERT_EQ(estimates.size(), 2u);
  EXPECT_EQ(estimates[0].edge, EdgeId{3}) << "in the order of ids";
  EXPECT_DOUBLE_EQ(estimates[0].value, 0.25);
  EXPECT_DOUBLE_EQ(estimates[1].value, 0.75);
}

TEST(ConfidenceTest, WindowsOfAUnitCountAsOneWindow) {
  std::vector<WindowSamples> apart = {Window({{0, 3}}), Window({{1, 2}}), Window({{1, 1}}),
                                      Window({{0, 1}, {1, 1}}), Window({{0, 4}})};
  apart[0].unit = apart[2].unit = -7;
  apart[1].unit = apart[3].unit = 0;
  const std::vector<WindowSamples> together = {Window({{0, 3}, {1, 1}}), Window({{0, 1}, {1, 3}}),
                                               Window({{0, 4}})};
  const std::vector<EdgeEstimate> a = EstimateShares(apart), b = EstimateShares(together);
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  for (size_t e = 0; e < a.size(); ++e) {
    EXPECT_DOUBLE_EQ(a[e].value, b[e].value);
    EXPECT_DOUBLE_EQ(a[e].variance, b[e].variance);
    EXPECT_DOUBLE_EQ(a[e].low, b[e].low);
    EXPECT_DOUBLE_EQ(a[e].high, b[e].high);
  }
}

TEST(ConfidenceTest, TheUnitOfTheWeightsAndEmptyWindowsDoNotMatter) {
  Xoshiro256 random(3);
  const std::vector<WindowSamples> run = SampleRun(kProgram, 50, random);
  std::vector<WindowSamples> same = run;
  for (WindowSamples& window : same) window.weight *= 1024;
  same.push_back(Window({}));
  same.push_back(Window({{9, 0}}));
  const std::vector<EdgeEstimate> a = EstimateShares(run), b = EstimateShares(same);
  ASSERT_EQ(a.size(), b.size());
  for (size_t e = 0; e < a.size(); ++e) {
    EXPECT_DOUBLE_EQ(a[e].low, b[e].low);
    EXPECT_DOUBLE_EQ(a[e].high, b[e].high);
  }
}

TEST(ConfidenceTest, AnEdgeOfOneWindowCountsAsAboutOneObservation) {
  std::vector<WindowSamples> windows(199, Window({{0, 50}}));
  windows.push_back(Window({{0, 10}, {1, 40}}));
  const EdgeEstimate burst = EstimateShares(windows)[1];
  // The 95 % interval of a Poisson mean after one event is 0.025 to 5.57.
  EXPECT_NEAR(burst.low / burst.value, 0.025, 0.005);
  EXPECT_NEAR(burst.high / burst.value, 5.57, 0.2);
}

TEST(ConfidenceTest, EdgesSeenEverywhereAlikeAreAsUncertainAsIndependentSamples) {
  const std::vector<WindowSamples> windows(100, Window({{0, 9}, {1, 1}}));
  const EdgeEstimate e = EstimateShares(windows)[1];
  EXPECT_NEAR(e.variance, 0.1 * 0.9 / 1'000, 1e-9);
  // Clopper and Pearson's interval for 100 of 1,000 is 0.0821 to 0.1203; a little wider here.
  EXPECT_NEAR(e.low, 0.0821, 0.001);
  EXPECT_NEAR(e.high, 0.1203, 0.001);
}

TEST(ConfidenceTest, UnequalWeightsCostSamples) {
  std::vector<WindowSamples> windows(50, Window({{0, 9}, {1, 1}}, 1));
  windows.insert(windows.end(), 50, Window({{0, 9}, {1, 1}}, 3));
  // 1,000 samples are worth (500 + 3 * 500)^2 / (500 + 9 * 500) = 800 of equal weight.
  EXPECT_NEAR(EstimateShares(windows)[1].variance, 0.1 * 0.9 / 800, 1e-9);
}

TEST(ConfidenceTest, TheOnlyEdgeIsNotCertainToBeTheOnlyOne) {
  const EdgeEstimate e = EstimateShares(std::vector<WindowSamples>(10, Window({{0, 10}})))[0];
  EXPECT_EQ(e.value, 1);
  EXPECT_EQ(e.high, 1);
  EXPECT_LT(e.low, 0.97) << "at least as wide as for 100 of 100: 0.964";
  EXPECT_GT(e.low, 0.9);
}

TEST(ConfidenceTest, OneWindowSaysNothingOfTheOthers) {
  const std::vector<WindowSamples> one = {Window({{0, 30}, {1, 10}})};
  const EdgeEstimate e = EstimateShares(one)[0];
  EXPECT_EQ(e.value, 0.75);
  EXPECT_EQ(e.low, 0);
  EXPECT_EQ(e.high, 1);
  EXPECT_TRUE(EstimateShares({}).empty());
  Xoshiro256 random(4);
  EXPECT_TRUE(BootstrapShares({}, 10, random).empty());
}

TEST(ConfidenceTest, AShareTimesAllCallsIsAnEstimateOfCalls) {
  const EdgeEstimate calls = EdgeEstimate{EdgeId{1}, 0.5, 0.25, 0.75, 0.01}.Times(1'000);
  EXPECT_EQ(calls.value, 500);
  EXPECT_EQ(calls.low, 250);
  EXPECT_EQ(calls.high, 750);
  EXPECT_EQ(calls.variance, 10'000);
}

TEST(ConfidenceTest, ExactCountsHaveNoError) {
  const EdgeEstimate e = ExactCount(EdgeId{2}, 123);
  EXPECT_EQ(e.low, 123);
  EXPECT_EQ(e.value, 123);
  EXPECT_EQ(e.high, 123);
  EXPECT_EQ(e.variance, 0);
}

TEST(ConfidenceTest, OneWindowThatOutweighsAllOthersLeavesAnInterval) {
  for (const double weight : {1e2, 1e3, 1e4, 1e5, 1e6, 1e9, 1e12, 1e15}) {
    const std::vector<std::pair<EdgeId, uint32_t>> one = {{EdgeId{0}, 1}};
    const std::vector<std::pair<EdgeId, uint32_t>> other = {{EdgeId{1}, 1}};
    const std::vector<WindowSamples> windows = {{.weight = weight, .samples = one},
                                                {.weight = 1, .samples = other}};
    for (const EdgeEstimate& share : EstimateShares(windows)) {
      EXPECT_LE(0, share.low);
      EXPECT_LE(share.low, share.value) << weight;
      EXPECT_LE(share.value, share.high) << weight;
      EXPECT_LE(share.high, 1);
    }
  }
}

}  // namespace
}  // namespace yp
