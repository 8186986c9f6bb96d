#include "core/graph/diff.h"

#include <gtest/gtest.h>

#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

TEST(DiffTest, ComparesSharesAndPutsTheLargestChangeFirst) {
  const std::vector<EdgeChange> changes = Diff(Graph({{0, 0, 1, 50}, {0, 0, 2, 40}, {0, 0, 3, 10}}),
                                               Graph({{0, 0, 1, 5}, {0, 0, 2, 1}, {0, 0, 4, 4}}));
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
  const std::vector<EdgeChange> changes = Diff({}, Graph({{2, 0, 1, 1}, {1, 0, 1, 1}}));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].edge, MakeEdge(1, 0, 1));
  EXPECT_EQ(changes[1].edge, MakeEdge(2, 0, 1));
}

}  // namespace
}  // namespace yp
