#include "core/graph/overlap.h"

#include <gtest/gtest.h>

#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

TEST(OverlapTest, IsTheSumOfTheSmallerSharesOfCommonEdges) {
  // Shares 50, 30, 20 and 25, 60, 15: 25 + 30.
  const DynamicCallGraph a = Graph({{0, 1, 2, 5}, {0, 4, 3, 3}, {0, 7, 4, 2}});
  const DynamicCallGraph b = Graph({{0, 1, 2, 50}, {0, 4, 3, 120}, {0, 8, 4, 30}});
  const Comparison c = Compare(a, b);
  EXPECT_DOUBLE_EQ(c.overlap, 55);
  EXPECT_EQ(c.common_edges, 2u);
  EXPECT_EQ(c.only_a, 1u) << "another call site is another edge";
  EXPECT_EQ(c.only_b, 1u);
  EXPECT_DOUBLE_EQ(Overlap(b, a), 55);
}

TEST(OverlapTest, TheUnitsOfTheWeightsDoNotMatter) {
  EXPECT_DOUBLE_EQ(
      Overlap(Graph({{0, 1, 2, 3}, {0, 4, 3, 1}}), Graph({{0, 1, 2, 3e12}, {0, 4, 3, 1e12}})), 100);
}

TEST(OverlapTest, NeverPassesAHundred) {
  DynamicCallGraph graph;
  for (uint32_t i = 0; i < 1'000; ++i) graph.Add(MakeEdge(0, 0, i), 0.1 + i);
  EXPECT_LE(Overlap(graph, graph), 100);
  EXPECT_NEAR(Overlap(graph, graph), 100, 1e-9);
}

TEST(OverlapTest, EmptyGraphsAgreeOnNothing) {
  const DynamicCallGraph empty, one = Graph({{0, 1, 2, 5}}), zero = Graph({{0, 1, 2, 0}});
  EXPECT_EQ(Overlap(empty, empty), 0);
  EXPECT_EQ(Overlap(empty, one), 0);
  EXPECT_EQ(Overlap(zero, one), 0);
  EXPECT_EQ(Compare(zero, one).common_edges, 0u);
  EXPECT_EQ(Compare(zero, one).only_a, 0u);
  EXPECT_EQ(Compare(zero, one).only_b, 1u);
  EXPECT_EQ(Compare(empty, empty).CommonPresence(), 0);
}

// x = ((a, 5), (b, 0), (c, 2)) and y = ((a, 30), (b, 4), (c, 0)).
TEST(OverlapTest, TheMetricsGiveTheExamplesOfBuytaertEtAl) {
  const DynamicCallGraph x = Graph({{0, 0, 1, 5}, {0, 0, 2, 0}, {0, 0, 3, 2}});
  const DynamicCallGraph y = Graph({{0, 0, 1, 30}, {0, 0, 2, 4}, {0, 0, 3, 0}});
  EXPECT_NEAR(Compare(x, y).CommonPresence(), 33, 0.5);
  EXPECT_NEAR(Compare(x, y).overlap, 71, 0.5);
}

}  // namespace
}  // namespace yp
