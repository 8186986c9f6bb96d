#include "core/graph/calls_by_method.h"

#include <gtest/gtest.h>

#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

TEST(CallsByMethodTest, CountsCallsAndDistinctCallersAndCallees) {
  const uint32_t none = ToIndex(kNoMethod);
  // run -> work at two call sites; work -> leaf and, recursively, itself.
  const std::vector<MethodCalls> methods = CallsByMethod(
      Graph({{none, -1, 0, 1}, {0, 3, 1, 10}, {0, 9, 1, 20}, {1, 2, 1, 5}, {1, 6, 2, 40}}));
  ASSERT_EQ(methods.size(), 3u);

  EXPECT_EQ(methods[0].method, MethodId{2});
  EXPECT_EQ(methods[0].calls_in, 40);
  EXPECT_EQ(methods[0].calls_out, 0);
  EXPECT_EQ(methods[0].edges_in, 1u);
  EXPECT_EQ(methods[0].edges_out, 0u);
  EXPECT_EQ(methods[0].callers, 1u);
  EXPECT_EQ(methods[0].callees, 0u);

  EXPECT_EQ(methods[1].method, MethodId{1});
  EXPECT_EQ(methods[1].calls_in, 35);
  EXPECT_EQ(methods[1].calls_out, 45);
  EXPECT_EQ(methods[1].edges_in, 3u) << "two call sites of run, and its own";
  EXPECT_EQ(methods[1].edges_out, 2u);
  EXPECT_EQ(methods[1].callers, 2u);
  EXPECT_EQ(methods[1].callees, 2u);

  EXPECT_EQ(methods[2].method, MethodId{0});
  EXPECT_EQ(methods[2].calls_in, 1);
  EXPECT_EQ(methods[2].calls_out, 30);
  EXPECT_EQ(methods[2].callers, 0u) << "no method is no caller";
  EXPECT_EQ(methods[2].callees, 1u);
}

}  // namespace
}  // namespace yp
