#include "core/graph/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "core/graph/confidence.h"
#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

Estimate Exactly(const DynamicCallGraph& graph) { return {graph, graph, graph}; }

Edge EdgeOf(size_t i) { return MakeEdge(0, 0, static_cast<uint32_t>(i)); }

// A recording of a program with these shares: one sample for each window, as with a countdown.
Estimate Sampled(const std::vector<double>& shares, int samples, RandomSource& random) {
  std::vector<uint32_t> counts(shares.size());
  for (int i = 0; i < samples; ++i) {
    double u = random.UniformOpenClosed();
    size_t edge = 0;
    while (edge + 1 < shares.size() && u > shares[edge]) u -= shares[edge++];
    ++counts[edge];
  }
  std::vector<WindowSamples> windows;
  for (uint32_t edge = 0; edge < counts.size(); ++edge) {
    windows.insert(windows.end(), counts[edge], {.weight = 1, .samples = {{EdgeId{edge}, 1}}});
  }
  Estimate estimate;
  for (const EdgeEstimate& e : EstimateShares(windows)) {
    estimate.value.Add(EdgeOf(ToIndex(e.edge)), e.value);
    estimate.low.Add(EdgeOf(ToIndex(e.edge)), e.low);
    estimate.high.Add(EdgeOf(ToIndex(e.edge)), e.high);
  }
  return estimate;
}

// Zipf's law, as call graphs have it.
std::vector<double> Program(size_t edges) {
  std::vector<double> shares;
  double sum = 0;
  for (size_t i = 1; i <= edges; ++i) sum += 1.0 / static_cast<double>(i);
  for (size_t i = 1; i <= edges; ++i) shares.push_back(1.0 / static_cast<double>(i) / sum);
  return shares;
}

const EdgeChange& Find(const std::vector<EdgeChange>& changes, size_t edge) {
  return *std::ranges::find(changes, EdgeOf(edge), &EdgeChange::edge);
}

TEST(DiffTest, ComparesSharesAndPutsTheLargestChangeFirst) {
  const std::vector<EdgeChange> changes =
      Diff(Exactly(Graph({{0, 0, 1, 50}, {0, 0, 2, 40}, {0, 0, 3, 10}})),
           Exactly(Graph({{0, 0, 1, 5}, {0, 0, 2, 1}, {0, 0, 4, 4}})));
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[0].edge, MakeEdge(0, 0, 4)) << "new: +40 %";
  EXPECT_DOUBLE_EQ(changes[0].Change(), 0.4);
  EXPECT_EQ(changes[1].edge, MakeEdge(0, 0, 2));
  EXPECT_DOUBLE_EQ(changes[1].before, 0.4);
  EXPECT_DOUBLE_EQ(changes[1].after, 0.1);
  EXPECT_EQ(changes[2].edge, MakeEdge(0, 0, 3)) << "gone: -10 %";
  EXPECT_EQ(changes[3].edge, MakeEdge(0, 0, 1)) << "half of both";
  double sum = 0;
  for (const EdgeChange& c : changes) sum += c.Change();
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(DiffTest, EqualChangesComeInTheOrderOfEdges) {
  const std::vector<EdgeChange> changes = Diff({}, Exactly(Graph({{2, 0, 1, 1}, {1, 0, 1, 1}})));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].edge, MakeEdge(1, 0, 1));
  EXPECT_EQ(changes[1].edge, MakeEdge(2, 0, 1));
}

TEST(DiffTest, EveryDifferenceOfCountedCallsIsOne) {
  const std::vector<EdgeChange> changes =
      Diff(Exactly(Graph({{0, 0, 1, 500'000}, {0, 0, 2, 300'000}, {0, 0, 3, 200'000}})),
           Exactly(Graph({{0, 0, 1, 500'001}, {0, 0, 2, 299'999}, {0, 0, 3, 200'000}})));
  EXPECT_EQ(CountSignificant(changes, 0), 2u);
  EXPECT_EQ(Find(changes, 3).p_value, 1);
  EXPECT_EQ(Find(changes, 1).low, Find(changes, 1).Change()) << "nothing is uncertain";
  EXPECT_EQ(Find(changes, 1).high, Find(changes, 1).Change());
}

TEST(DiffTest, OfOneProgramHardlyAnyRecordingsDiffer) {
  const std::vector<double> program = Program(300);
  Xoshiro256 random(1);
  constexpr int kRuns = 200;
  int falsely = 0;
  for (int run = 0; run < kRuns; ++run) {
    // Of different length, as recordings are.
    const Estimate a = Sampled(program, 2'000, random), b = Sampled(program, 6'000, random);
    falsely += CountSignificant(Diff(a, b), 0.05) > 0 ? 1 : 0;
  }
  // At a rate of 5 % for recordings with nothing but chance, more than 23 of 200 for one seed in
  // 10,000.
  EXPECT_LE(falsely, 23);
}

TEST(DiffTest, FindsWhatHasChangedAndKeepsTheFalseDiscoveryRate) {
  const std::vector<double> program = Program(300);
  // Every tenth edge with three times its calls, but for the first.
  std::vector<double> changed = program;
  double sum = 0;
  for (size_t i = 0; i < changed.size(); ++i) {
    if (i % 10 == 9) changed[i] *= 3;
    sum += changed[i];
  }
  for (double& share : changed) share /= sum;
  Xoshiro256 random(2);
  double false_part = 0, found = 0;
  constexpr int kRuns = 50;
  for (int run = 0; run < kRuns; ++run) {
    const std::vector<EdgeChange> changes =
        Diff(Sampled(program, 20'000, random), Sampled(changed, 20'000, random));
    double reported = 0, wrong = 0;
    for (const EdgeChange& change : changes) {
      if (change.q_value > 0.05) continue;
      ++reported;
      const size_t edge = ToIndex(change.edge.callee);
      const bool has_grown = edge % 10 == 9;
      // All others have become fewer by what these have more.
      if (has_grown ? change.Change() < 0 : change.Change() > 0) ++wrong;
      if (has_grown) ++found;
    }
    if (reported > 0) false_part += wrong / reported;
  }
  EXPECT_LT(false_part / kRuns, 0.05);
  EXPECT_GT(found / kRuns, 20) << "of 30";
}

TEST(DiffTest, ATestThatTakesNoChanceIntoAccountFailsTheSame) {
  const std::vector<double> program = Program(300);
  Xoshiro256 random(3);
  const Estimate a = Sampled(program, 2'000, random), b = Sampled(program, 2'000, random);
  EXPECT_GT(CountSignificant(Diff(Exactly(a.value), Exactly(b.value)), 0.05), 100u);
}

TEST(DiffTest, TheIntervalOfAChangeHoldsIt) {
  const std::vector<double> before = Program(40);
  std::vector<double> after = before;
  std::swap(after[3], after[12]);
  Xoshiro256 random(4);
  int held = 0, all = 0;
  for (int run = 0; run < 200; ++run) {
    const std::vector<EdgeChange> changes =
        Diff(Sampled(before, 3'000, random), Sampled(after, 1'000, random));
    for (const EdgeChange& change : changes) {
      const size_t edge = ToIndex(change.edge.callee);
      const double truth = after[edge] - before[edge];
      held += change.low <= truth && truth <= change.high ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(static_cast<double>(held) / all, 0.94);
  EXPECT_LT(static_cast<double>(held) / all, 0.99) << "wider than they need be";
}

TEST(DiffTest, AnEdgeThatIsMissingMayHaveBeenMissedByChance) {
  // Two samples of a thousand, then none of a thousand; and two hundred.
  Estimate before, after;
  const auto add = [](Estimate& estimate, size_t edge, double low, double value, double high) {
    estimate.low.Add(EdgeOf(edge), low);
    estimate.value.Add(EdgeOf(edge), value);
    estimate.high.Add(EdgeOf(edge), high);
  };
  add(before, 0, 0.77, 0.798, 0.82);
  add(before, 1, 0.00024, 0.002, 0.0072);
  add(before, 2, 0.176, 0.2, 0.226);
  add(after, 0, 0.9963, 1, 1);
  const std::vector<EdgeChange> changes = Diff(before, after);
  EXPECT_GT(Find(changes, 1).p_value, 0.1);
  EXPECT_GT(Find(changes, 1).high, 0);
  EXPECT_LT(Find(changes, 2).p_value, 1e-6);
  EXPECT_LT(Find(changes, 2).high, -0.15);
}

TEST(DiffTest, ASampleOfAnInferredEdgeStandsForMoreCallsThanOthers) {
  // Edge 1 was inferred from one sample with a loop of a thousand calls: a third of all calls, or
  // hardly any. That the other recording has none of it says nothing.
  Estimate before, after;
  for (Estimate* estimate : {&before, &after}) {
    for (size_t edge = 10; edge < 20; ++edge) {
      estimate->low.Add(EdgeOf(edge), 80);
      estimate->value.Add(EdgeOf(edge), 100);
      estimate->high.Add(EdgeOf(edge), 122);
    }
  }
  before.low.Add(EdgeOf(1), 13);
  before.value.Add(EdgeOf(1), 500);
  before.high.Add(EdgeOf(1), 2'800);
  const std::vector<EdgeChange> changes = Diff(before, after);
  EXPECT_GT(Find(changes, 1).p_value, 0.1);
  EXPECT_GT(Find(changes, 1).high, 0);
}

TEST(DiffByCalleeTest, AMethodWithOneEdgeIsAsSureAsTheEdge) {
  Xoshiro256 random(6);
  const Estimate before = Sampled(Program(20), 300, random);
  const Estimate after = Sampled(Program(25), 200, random);
  const std::vector<EdgeChange> edges = Diff(before, after);
  const std::vector<EdgeChange> methods = DiffByCallee(before, after);
  ASSERT_EQ(methods.size(), edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ(methods[i].edge, (Edge{kNoMethod, kNoBci, edges[i].edge.callee}));
    EXPECT_DOUBLE_EQ(methods[i].Change(), edges[i].Change());
    EXPECT_DOUBLE_EQ(methods[i].low, edges[i].low);
    EXPECT_DOUBLE_EQ(methods[i].high, edges[i].high);
    EXPECT_DOUBLE_EQ(methods[i].q_value, edges[i].q_value);
  }
}

TEST(DiffByCalleeTest, CountedCallsThatOnlyMovedFromSiteToSiteAreNoChange) {
  const std::vector<EdgeChange> changes =
      DiffByCallee(Exactly(Graph({{0, 0, 1, 1}, {0, 5, 1, 2}, {2, 0, 1, 3}, {0, 0, 3, 4}})),
                   Exactly(Graph({{0, 0, 1, 3}, {0, 5, 1, 2}, {4, 0, 1, 1}, {0, 0, 3, 4}})));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(CountSignificant(changes, 0.5), 0u);
  for (const EdgeChange& change : changes) EXPECT_EQ(change.low, change.high);
}

TEST(DiffByCalleeTest, AnEdgeThatIsMissingMayHaveBeenMissedByChance) {
  Estimate before, after;
  for (Estimate* estimate : {&before, &after}) {
    estimate->low.Add(MakeEdge(0, 0, 1), 70);
    estimate->value.Add(MakeEdge(0, 0, 1), 90);
    estimate->high.Add(MakeEdge(0, 0, 1), 112);
  }
  before.low.Add(MakeEdge(0, 9, 1), 0.1);
  before.value.Add(MakeEdge(0, 9, 1), 4);
  before.high.Add(MakeEdge(0, 9, 1), 22);
  for (Estimate* estimate : {&before, &after}) {
    estimate->low.Add(MakeEdge(0, 0, 2), 880);
    estimate->value.Add(MakeEdge(0, 0, 2), 906);
    estimate->high.Add(MakeEdge(0, 0, 2), 930);
  }
  const std::vector<EdgeChange> edges = Diff(before, after);
  const double of_the_missing =
      std::ranges::find(edges, MakeEdge(0, 9, 1), &EdgeChange::edge)->high;
  const std::vector<EdgeChange> methods = DiffByCallee(before, after);
  const double of_the_other = std::ranges::find(edges, MakeEdge(0, 0, 1), &EdgeChange::edge)->high;
  EXPECT_GT(
      std::ranges::find(methods, MethodId{1}, [](const EdgeChange& c) { return c.edge.callee; })
          ->high,
      std::max(of_the_missing, of_the_other));
}

// A recording of windows of one sample each of a program that calls method 1 from `sites` places in
// turn, and method 0 otherwise. What a unit of windows samples of method 1, all its sites share.
Estimate SampledTogether(int sites, int units, RandomSource& random) {
  std::vector<WindowSamples> windows;
  for (int unit = 0; unit < units; ++unit) {
    const bool is_burst = random.UniformOpenClosed() < 0.3;
    for (int site = 0; site <= sites; ++site) {
      const bool is_of_method = site < sites && is_burst;
      windows.push_back(
          {.weight = 1,
           .unit = unit,
           .samples = {{EdgeId{is_of_method ? static_cast<uint32_t>(site) + 1 : 0}, 1}}});
    }
  }
  Estimate estimate;
  for (const EdgeEstimate& e : EstimateShares(windows)) {
    const uint32_t site = ToIndex(e.edge);
    const Edge edge = MakeEdge(0, static_cast<int32_t>(site), site == 0 ? 0 : 1);
    estimate.value.Add(edge, e.value);
    estimate.low.Add(edge, e.low);
    estimate.high.Add(edge, e.high);
  }
  return estimate;
}

TEST(DiffByCalleeTest, EdgesThatComeTogetherAreNotTakenForIndependent) {
  Xoshiro256 random(7);
  constexpr int kRuns = 300, kSites = 8, kUnits = 60;
  int held = 0, held_as_if_independent = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Estimate a = SampledTogether(kSites, kUnits, random);
    const Estimate b = SampledTogether(kSites, kUnits, random);
    const auto holds = [](const std::vector<EdgeChange>& changes) {
      const EdgeChange& change = *std::ranges::find(
          changes, MethodId{1}, [](const EdgeChange& c) { return c.edge.callee; });
      return change.low <= 0 && 0 <= change.high;
    };
    held += holds(DiffByCallee(a, b)) ? 1 : 0;
    held_as_if_independent += holds(Diff(CollapseCallSites(a), CollapseCallSites(b))) ? 1 : 0;
  }
  // At 95 %, fewer than 271 of 300 for one seed in 10,000.
  EXPECT_GE(held, 271);
  EXPECT_LT(held_as_if_independent, 200) << "a sum of squares would do as well";
}

TEST(DiffTest, QValuesAreThoseOfBenjaminiAndHochberg) {
  const std::vector<double> program = Program(50);
  Xoshiro256 random(5);
  std::vector<EdgeChange> changes =
      Diff(Sampled(program, 500, random), Sampled(Program(60), 500, random));
  std::ranges::sort(changes, {}, &EdgeChange::p_value);
  const auto m = static_cast<double>(changes.size());
  // The step-up rule, as the paper has it: the largest k with p(k) <= k/m q, and all below it.
  for (const double rate : {0.01, 0.05, 0.2, 0.5, 0.9}) {
    size_t expected = 0;
    for (size_t k = 1; k <= changes.size(); ++k) {
      if (changes[k - 1].p_value <= static_cast<double>(k) / m * rate) expected = k;
    }
    EXPECT_EQ(CountSignificant(changes, rate), expected) << rate;
  }
}

}  // namespace
}  // namespace yp
