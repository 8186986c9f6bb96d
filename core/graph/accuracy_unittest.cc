#include "core/graph/accuracy.h"

#include <gtest/gtest.h>

#include <array>

#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

TEST(TopPresenceTest, CountsTheTopEdgesOfTheReferenceThatWereFound) {
  const DynamicCallGraph reference =
      Graph({{0, 0, 1, 50}, {0, 0, 2, 30}, {0, 0, 3, 10}, {0, 0, 4, 6}, {0, 0, 5, 4}});
  const DynamicCallGraph sampled = Graph({{0, 0, 1, 1}, {0, 0, 3, 1}, {0, 0, 9, 7}});
  const Presence one = TopPresence(reference, sampled, 20);
  EXPECT_EQ(one.edges, 1u);
  EXPECT_DOUBLE_EQ(one.unweighted, 100);
  const Presence two = TopPresence(reference, sampled, 21);
  EXPECT_EQ(two.edges, 2u) << "part of an edge is an edge";
  EXPECT_DOUBLE_EQ(two.unweighted, 50);
  EXPECT_DOUBLE_EQ(two.weighted, 100 * 50.0 / 80);
  const Presence all = TopPresence(reference, sampled, 100);
  EXPECT_DOUBLE_EQ(all.unweighted, 40);
  EXPECT_DOUBLE_EQ(all.weighted, 60);
}

TEST(TopPresenceTest, EdgesThatTieForTheLastPlaceShareIt) {
  // Two places: the first is edge 1's, the second a third each of edges 2, 3 and 4.
  const DynamicCallGraph reference =
      Graph({{0, 0, 1, 4}, {0, 0, 2, 1}, {0, 0, 3, 1}, {0, 0, 4, 1}});
  const Presence top = TopPresence(reference, Graph({{0, 0, 3, 1}}), 50);
  EXPECT_EQ(top.edges, 2u);
  EXPECT_DOUBLE_EQ(top.unweighted, 100 * (1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(top.weighted, 100 * (1.0 / 3) / 5);
}

TEST(TopPresenceTest, AnEmptyReferenceHasNoTop) {
  EXPECT_EQ(TopPresence({}, Graph({{0, 0, 1, 1}}), 10).edges, 0u);
  EXPECT_EQ(TopPresence(Graph({{0, 0, 1, 0}}), Graph({{0, 0, 1, 1}}), 10).edges, 0u);
}

// x = ((a, 5), (b, 1), (c, 4)), y = ((a, 6), (b, 0), (c, 3)), z = ((a, 5), (b, 2), (c, 3)).
TEST(StabilityTest, GivesTheExampleOfBuytaertEtAl) {
  const std::array runs = {Graph({{0, 0, 1, 5}, {0, 0, 2, 1}, {0, 0, 3, 4}}),
                           Graph({{0, 0, 1, 6}, {0, 0, 3, 3}}),
                           Graph({{0, 0, 1, 5}, {0, 0, 2, 2}, {0, 0, 3, 3}})};
  EXPECT_NEAR(*Stability(runs), 84, 0.5);
}

TEST(StabilityTest, OneRunHasNone) {
  const std::array runs = {Graph({{0, 0, 1, 5}})};
  EXPECT_FALSE(Stability(runs).has_value());
}

TEST(HotEdgeCoverageTest, AHotEdgeHasMoreThanItsShareInBothGraphs) {
  const DynamicCallGraph reference =
      Graph({{0, 0, 1, 960}, {0, 0, 2, 19}, {0, 0, 3, 11}, {0, 0, 4, 10}});
  const DynamicCallGraph sampled = Graph({{0, 0, 1, 97}, {0, 0, 2, 2}, {0, 0, 3, 1}});
  const HotEdges hot = HotEdgeCoverage(reference, sampled);
  EXPECT_EQ(hot.in_reference, 3u) << "exactly 1 % is not hot";
  EXPECT_EQ(hot.in_both, 2u);
  EXPECT_EQ(HotEdgeCoverage(reference, {}).in_both, 0u);
  EXPECT_EQ(HotEdgeCoverage(reference, sampled, 0.5).in_reference, 1u);
}

// Shares 50, 30, 10, 6 and 4 %.
DynamicCallGraph Reference() {
  return Graph({{0, 0, 1, 500}, {0, 0, 2, 300}, {0, 0, 3, 100}, {0, 0, 4, 60}, {0, 0, 5, 40}});
}

TEST(IntervalCoverageTest, AnIntervalHoldsItsEdgesShareOrIsTooLowOrTooHigh) {
  // Of 10 calls each: 5 in [4, 6], 3 in [3.1, 4], 1 in [0.5, 0.9], 1 of an edge that is not there.
  const Estimate estimate{Graph({{0, 0, 1, 5}, {0, 0, 2, 3.5}, {0, 0, 3, 0.7}, {0, 0, 9, 0.8}}),
                          Graph({{0, 0, 1, 4}, {0, 0, 2, 3.1}, {0, 0, 3, 0.5}, {0, 0, 9, 0.1}}),
                          Graph({{0, 0, 1, 6}, {0, 0, 2, 4}, {0, 0, 3, 0.9}, {0, 0, 9, 2}})};
  const Coverage coverage = IntervalCoverage(Reference(), estimate, 0.05);
  EXPECT_EQ(coverage.edges, 4u) << "the last has less than 5 %";
  EXPECT_DOUBLE_EQ(coverage.held, 25);
  EXPECT_DOUBLE_EQ(coverage.too_large, 25);
  EXPECT_DOUBLE_EQ(coverage.too_small, 25);
  EXPECT_DOUBLE_EQ(coverage.missing, 25);
  EXPECT_DOUBLE_EQ(IntervalCoverage(Reference(), estimate, 0).missing, 40);
}

TEST(CollapseCallSitesTest, IndependentErrorsAddUpAsTheirSquares) {
  const Estimate estimate{Graph({{0, 3, 1, 10}, {0, 7, 1, 20}, {0, 3, 2, 5}}),
                          Graph({{0, 3, 1, 7}, {0, 7, 1, 16}, {0, 3, 2, 4}}),
                          Graph({{0, 3, 1, 16}, {0, 7, 1, 28}, {0, 3, 2, 6}})};
  const Estimate collapsed = CollapseCallSites(estimate);
  const Edge first = MakeEdge(0, kNoBci, 1), second = MakeEdge(0, kNoBci, 2);
  EXPECT_EQ(collapsed.value.size(), 2u);
  EXPECT_DOUBLE_EQ(collapsed.value.WeightOf(first), 30);
  EXPECT_DOUBLE_EQ(collapsed.low.WeightOf(first), 25) << "3 and 4";
  EXPECT_DOUBLE_EQ(collapsed.high.WeightOf(first), 40) << "6 and 8";
  EXPECT_DOUBLE_EQ(collapsed.low.WeightOf(second), 4);
  EXPECT_DOUBLE_EQ(collapsed.high.WeightOf(second), 6);
}

TEST(IntervalCoverageTest, ExactCountsHoldAll) {
  const Estimate exact{Reference(), Reference(), Reference()};
  EXPECT_DOUBLE_EQ(IntervalCoverage(Reference(), exact, 0).held, 100);
  EXPECT_EQ(IntervalCoverage({}, exact, 0).edges, 0u);
}

}  // namespace
}  // namespace yp
