#include "core/graph/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/chance_test_util.h"
#include "base/random.h"
#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

constexpr size_t kGroups = 10;

// Each at a call site of its own.
Edge EdgeOf(size_t i) { return MakeEdge(0, static_cast<int32_t>(i), static_cast<uint32_t>(i)); }

RecordedGraph Counted(std::vector<std::pair<Edge, double>> calls) {
  RecordedGraph graph;
  graph.is_counted = true;
  for (const auto& [edge, number] : calls) {
    if (number > 0) graph.edges[edge] = {.calls = number};
  }
  return graph;
}

// Zipf's law, as call graphs have it; the last edge has 0.1 % of the calls.
std::vector<double> Program(size_t edges) {
  std::vector<double> shares;
  double sum = 0;
  for (size_t i = 1; i < edges; ++i) sum += 1.0 / static_cast<double>(i);
  for (size_t i = 1; i < edges; ++i) shares.push_back(0.999 / static_cast<double>(i) / sum);
  shares.push_back(0.001);
  return shares;
}

// How a program is recorded.
struct Recorder {
  int samples = 20'000;
  // Every so many edges one is inferred; 0: none.
  size_t inferred_every = 0;
  // Of the exponential distribution of the logarithm of what is inferred.
  double scale = 0.3;
  bool tells_inferred = true;
};

RecordedGraph Recorded(const std::vector<double>& shares, const Recorder& recorder,
                       RandomSource& random) {
  std::vector<std::vector<uint32_t>> counts(shares.size(), std::vector<uint32_t>(kGroups));
  std::vector<double> ends;
  double sum = 0;
  for (const double share : shares) ends.push_back(sum += share);
  for (int i = 0; i < recorder.samples; ++i) {
    const double u = random.UniformOpenClosed() * sum;
    const auto edge = std::ranges::lower_bound(ends, u) - ends.begin();
    ++counts[std::min(static_cast<size_t>(edge), shares.size() - 1)]
            [random.UniformFromOneTo(kGroups) - 1];
  }
  RecordedGraph graph;
  for (size_t i = 0; i < shares.size(); ++i) {
    double samples = 0;
    for (const uint32_t count : counts[i]) samples += count;
    if (samples == 0) continue;
    const bool is_inferred = recorder.inferred_every > 0 && i % recorder.inferred_every == 0;
    double factor = 1000;
    if (is_inferred) {
      const double size = -recorder.scale * std::log(random.UniformOpenClosed());
      factor *= std::exp(random.Next() % 2 == 0 ? size : -size);
    }
    RecordedEdge& edge = graph.edges[EdgeOf(i)];
    edge.calls = samples * factor;
    const double share = samples / recorder.samples,
                 width = 2 * std::sqrt(samples) / recorder.samples;
    edge.share_low = std::max(0.0, share - width);
    edge.share_high = std::min(1.0, share + width);
    edge.relative_variance = 1 / samples;
    edge.samples = static_cast<uint64_t>(samples);
    edge.is_inferred = is_inferred && recorder.tells_inferred;
    for (const uint32_t count : counts[i]) {
      edge.replicates.push_back(static_cast<float>((samples - count) * factor));
    }
    graph.samples += edge.samples;
  }
  return graph;
}

std::vector<EdgeChange> Compare(const RecordedGraph& a, const RecordedGraph& b,
                                DiffRows rows = DiffRows::kCallSites, const DiffBasis& basis = {}) {
  return Diff({&a, 1}, {&b, 1}, rows, basis);
}

const EdgeChange& Find(const std::vector<EdgeChange>& changes, const Edge& edge) {
  return *std::ranges::find(changes, edge, &EdgeChange::edge);
}

// Of so many pairs of recordings of one program, how many list anything.
int FalseAlarms(const Recorder& recorder, int pairs, uint64_t seed) {
  const std::vector<double> program = Program(200);
  Xoshiro256 random(seed);
  int alarms = 0;
  for (int i = 0; i < pairs; ++i) {
    const RecordedGraph a = Recorded(program, recorder, random);
    alarms += CountSignificant(Compare(a, Recorded(program, recorder, random)), 0.05) > 0 ? 1 : 0;
  }
  return alarms;
}

TEST(DiffTest, OfOneProgramAtMostOneComparisonInTwentyListsAnything) {
  YP_LONG_TEST_OF_CHANCE();
  // More than 21 of 200 at a rate of 5 % are one seed in 1,000.
  EXPECT_LE(FalseAlarms({.samples = 10'000}, 200, 1), 21);
  EXPECT_LE(FalseAlarms({.samples = 10'000, .inferred_every = 3}, 200, 2), 21);
}

TEST(DiffTest, WithoutTheVarianceBetweenRunsMostComparisonsWouldListSomething) {
  YP_LONG_TEST_OF_CHANCE();
  EXPECT_GT(FalseAlarms({.samples = 10'000, .inferred_every = 3, .tells_inferred = false}, 50, 2),
            40);
}

TEST(DiffTest, FindsTwiceTheCallsOfAnEdgeWithOneCallInAThousand) {
  YP_LONG_TEST_OF_CHANCE();
  const std::vector<double> before = Program(200);
  std::vector<double> after = before;
  after.back() *= 2;
  Xoshiro256 random(3);
  constexpr int kRuns = 60;
  const auto found = [&](const Recorder& recorder) {
    int count = 0;
    for (int i = 0; i < kRuns; ++i) {
      const RecordedGraph a = Recorded(before, recorder, random);
      const std::vector<EdgeChange> changes = Compare(a, Recorded(after, recorder, random));
      count += Find(changes, EdgeOf(before.size() - 1)).adjusted_p <= 0.05 ? 1 : 0;
    }
    return count;
  };
  EXPECT_GE(found({.samples = 100'000}), kRuns * 9 / 10) << "100 samples of the edge";
  EXPECT_LT(found({.samples = 20'000}), kRuns / 2) << "20 samples of it say little";
}

TEST(DiffTest, SeveralRecordingsFindSmallerChangesOfInferredCalls) {
  const std::vector<double> before = Program(60);
  std::vector<double> after = before;
  after[10] *= 2;
  const Recorder recorder{.samples = 60'000, .inferred_every = 5, .scale = 0.05};
  Xoshiro256 random(4);
  std::vector<RecordedGraph> a, b;
  for (int i = 0; i < 6; ++i) {
    a.push_back(Recorded(before, recorder, random));
    b.push_back(Recorded(after, recorder, random));
  }
  EXPECT_GT(Find(Compare(a[0], b[0]), EdgeOf(10)).adjusted_p, 0.05);
  EXPECT_LE(Find(Diff(a, b), EdgeOf(10)).adjusted_p, 0.05);
}

TEST(DiffTest, AMethodThatIsInlinedInOneRecordingMayBeInTheOther) {
  // Its samples alone would say that it is called nine times as often.
  RecordedGraph before, after;
  for (RecordedGraph* graph : {&before, &after}) {
    graph->edges[EdgeOf(9)] = {.calls = 1e6, .relative_variance = 1e-4, .samples = 10'000};
    graph->samples = 10'000;
  }
  before.edges[EdgeOf(1)] = {.calls = 1e4,
                             .share_low = 0.008,
                             .share_high = 0.012,
                             .relative_variance = 0.01,
                             .samples = 100};
  after.edges[EdgeOf(1)] = {.calls = 9e4,
                            .share_low = 0.077,
                            .share_high = 0.088,
                            .relative_variance = 0.0011,
                            .samples = 900};
  EXPECT_LT(Find(Compare(before, after), EdgeOf(1)).adjusted_p, 0.001);
  RecordedGraph inlined = before;
  inlined.edges[MakeEdge(7, 0, 1)] = {.calls = 100, .is_inferred = true};
  EXPECT_GT(Find(Compare(inlined, after), EdgeOf(1)).adjusted_p, 0.05);
  // Or another receiver at its call site.
  before.edges[MakeEdge(0, 1, 8)] = {.calls = 100, .is_inferred = true};
  EXPECT_GT(Find(Compare(before, after), EdgeOf(1)).adjusted_p, 0.05);
}

TEST(DiffTest, ComparesSharesAndPutsTheLargestChangeFirst) {
  const std::vector<EdgeChange> changes =
      Compare(Counted({{EdgeOf(1), 50}, {EdgeOf(2), 40}, {EdgeOf(3), 10}}),
              Counted({{EdgeOf(1), 5}, {EdgeOf(2), 1}, {EdgeOf(4), 4}}));
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[0].edge, EdgeOf(4)) << "new: +40 %";
  EXPECT_DOUBLE_EQ(changes[0].Change(), 0.4);
  EXPECT_EQ(changes[0].calls_after, 4);
  EXPECT_EQ(changes[1].edge, EdgeOf(2));
  EXPECT_EQ(changes[2].edge, EdgeOf(3)) << "gone: -10 %";
  EXPECT_EQ(changes[3].edge, EdgeOf(1)) << "half of both";
  EXPECT_EQ(changes[3].adjusted_p, 1);
}

TEST(DiffTest, CountedCallsAreComparedThemselves) {
  const std::vector<EdgeChange> changes =
      Compare(Counted({{EdgeOf(1), 1'000'000}, {EdgeOf(2), 30}, {EdgeOf(3), 5}}),
              Counted({{EdgeOf(1), 1'000'000}, {EdgeOf(2), 31}, {EdgeOf(3), 9}}),
              DiffRows::kCallSites, {.kind = DiffBasis::Kind::kCalls});
  EXPECT_EQ(CountSignificant(changes, 0), 2u);
  EXPECT_EQ(changes[0].edge, EdgeOf(3)) << "the largest difference";
  EXPECT_EQ(changes[0].Change(), 4);
  EXPECT_EQ(changes[0].low, changes[0].high);
}

TEST(DiffTest, CallsPerCallOfAMethodDoNotDependOnHowOftenItIsCalled) {
  const DiffBasis basis{.kind = DiffBasis::Kind::kMethod, .methods = {MethodId{1}}};
  const std::vector<EdgeChange> changes =
      Compare(Counted({{MakeEdge(0, 0, 1), 10}, {MakeEdge(1, 0, 2), 30}, {MakeEdge(1, 4, 3), 10}}),
              Counted({{MakeEdge(0, 0, 1), 20}, {MakeEdge(1, 0, 2), 60}, {MakeEdge(1, 4, 3), 80}}),
              DiffRows::kCallSites, basis);
  EXPECT_EQ(CountSignificant(changes, 0), 1u);
  EXPECT_DOUBLE_EQ(changes[0].before, 1);
  EXPECT_DOUBLE_EQ(changes[0].after, 4);
}

TEST(DiffTest, CallsThatMovedFromSiteToSiteAreNoChangeOfTheCallee) {
  const RecordedGraph a = Counted({{MakeEdge(0, 0, 1), 1}, {MakeEdge(0, 5, 1), 2}});
  const RecordedGraph b = Counted({{MakeEdge(0, 0, 1), 2}, {MakeEdge(2, 5, 1), 1}});
  EXPECT_GT(CountSignificant(Compare(a, b), 0), 0u);
  EXPECT_GT(CountSignificant(Compare(a, b, DiffRows::kMethodPairs), 0), 0u);
  const std::vector<EdgeChange> callees = Compare(a, b, DiffRows::kCallees);
  ASSERT_EQ(callees.size(), 1u);
  EXPECT_EQ(callees[0].edge, (Edge{kNoMethod, kNoBci, MethodId{1}}));
  EXPECT_EQ(callees[0].adjusted_p, 1);
}

TEST(DiffTest, AFewSamplesSayNothing) {
  Xoshiro256 random(5);
  const RecordedGraph few = Recorded(Program(20), {.samples = 50}, random);
  const RecordedGraph many = Recorded(Program(20), {.samples = 50'000}, random);
  for (const RecordedGraph& other : {RecordedGraph(), few}) {
    const std::vector<EdgeChange> changes = Compare(other, many);
    EXPECT_EQ(CountSignificant(changes, 0.99), 0u);
    EXPECT_EQ(changes[0].low, -1);
    EXPECT_EQ(changes[0].high, 1);
  }
}

TEST(DiffTest, NoIntervalOfAShareIsImpossible) {
  Xoshiro256 random(6);
  std::vector<double> other = Program(30);
  std::ranges::reverse(other);
  for (int run = 0; run < 20; ++run) {
    RecordedGraph a = Recorded(Program(30), {.samples = 200, .inferred_every = 2}, random);
    for (auto& [edge, recorded] : a.edges) recorded.share_high = 1;
    const RecordedGraph b = Recorded(other, {.samples = 200}, random);
    for (const EdgeChange& change : Compare(a, b)) {
      EXPECT_GE(change.low, -1);
      EXPECT_LE(change.high, 1);
      EXPECT_LE(change.low, change.Change());
      EXPECT_GE(change.high, change.Change());
    }
  }
}

TEST(DiffTest, TheIntervalOfAChangeHoldsIt) {
  const std::vector<double> before = Program(40);
  std::vector<double> after = before;
  std::swap(after[3], after[12]);
  Xoshiro256 random(7);
  int held = 0, all = 0;
  for (int run = 0; run < 100; ++run) {
    const RecordedGraph a = Recorded(before, {.samples = 3'000}, random);
    for (const EdgeChange& change : Compare(a, Recorded(after, {.samples = 2'000}, random))) {
      const size_t edge = ToIndex(change.edge.callee);
      if (before[edge] + after[edge] < 0.01) continue;
      const double truth = after[edge] - before[edge];
      held += change.low <= truth && truth <= change.high ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(static_cast<double>(held) / all, 0.93);
}

TEST(DiffTest, AChangeThatMayBeNoneByItsIntervalIsNotReported) {
  Xoshiro256 random(8);
  std::vector<double> program = Program(20);
  const Recorder recorder{.samples = 100'000};
  RecordedGraph a = Recorded(program, recorder, random);
  program.back() *= 3;
  const RecordedGraph b = Recorded(program, recorder, random);
  const Edge changed = EdgeOf(program.size() - 1);
  EXPECT_LT(Find(Compare(a, b), changed).adjusted_p, 1e-3);
  a.edges[changed].share_high = 0.01;
  const std::vector<EdgeChange> changes = Compare(a, b);
  const EdgeChange& change = Find(changes, changed);
  EXPECT_LT(change.low, 0);
  EXPECT_GT(change.high, 0);
  EXPECT_GE(change.p_value, 0.1);
  EXPECT_EQ(CountSignificant(changes, 0.05), 0u);
}

TEST(DiffTest, QValuesAreThoseOfBenjaminiAndHochberg) {
  Xoshiro256 random(8);
  const RecordedGraph a = Recorded(Program(50), {.samples = 5'000}, random);
  std::vector<EdgeChange> changes = Compare(a, Recorded(Program(60), {.samples = 5'000}, random));
  std::erase_if(changes, [](const EdgeChange& change) { return !change.is_tested; });
  std::ranges::sort(changes, {}, &EdgeChange::p_value);
  const auto m = static_cast<double>(changes.size());
  // The step-up rule, as the paper has it: the largest k with p(k) <= k/m q, and all below it.
  for (const double rate : {0.01, 0.05, 0.2, 0.5, 0.9}) {
    std::ptrdiff_t expected = 0;
    for (size_t k = 1; k <= changes.size(); ++k) {
      if (changes[k - 1].p_value <= static_cast<double>(k) / m * rate) {
        expected = static_cast<std::ptrdiff_t>(k);
      }
    }
    EXPECT_EQ(std::ranges::count_if(changes, [&](auto& c) { return c.q_value <= rate; }), expected);
  }
}

}  // namespace
}  // namespace yp
