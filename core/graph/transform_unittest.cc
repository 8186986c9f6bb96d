#include "core/graph/transform.h"

#include <gtest/gtest.h>

#include "core/graph/graph_for_test.h"
#include "core/graph/overlap.h"

namespace yp {
namespace {

Method Named(const char* name) {
  Method m;
  m.class_name = "a.B";
  m.name = name;
  m.descriptor = "()V";
  return m;
}

TEST(TransformTest, LeavesOutCallsOfTrivialMethodsOnly) {
  Method getter;
  getter.class_name = "a.B";
  getter.name = "get";
  getter.descriptor = "()I";
  getter.flags = Method::kTrivial | Method::kObserved;
  MethodTable methods;
  const MethodId trivial = methods.Intern(getter);
  getter.name = "compute";
  getter.flags = Method::kObserved;
  const MethodId other = methods.Intern(getter);
  DynamicCallGraph graph;
  graph.Add({other, 3, trivial}, 40);
  graph.Add({kNoMethod, kNoBci, other}, 2);
  const DynamicCallGraph rest = WithoutTrivialCallees(graph, methods);
  EXPECT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest.total(), 2);
  EXPECT_EQ(rest.WeightOf({kNoMethod, kNoBci, other}), 2);
}

TEST(TransformTest, MergeAddsTheWeightsOfEqualEdges) {
  const DynamicCallGraph merged =
      Merge(Graph({{0, 1, 2, 5}, {0, 4, 3, 3}}), Graph({{0, 1, 2, 7}, {1, 0, 2, 1}}));
  EXPECT_EQ(merged.edges(), Graph({{0, 1, 2, 12}, {0, 4, 3, 3}, {1, 0, 2, 1}}).edges());
  EXPECT_EQ(merged.total(), 16);
}

TEST(TransformTest, ScaleKeepsTheShares) {
  const DynamicCallGraph graph = Graph({{0, 1, 2, 6}, {0, 4, 3, 2}});
  const DynamicCallGraph decayed = Scale(graph, 0.5);
  EXPECT_EQ(decayed.edges(), Graph({{0, 1, 2, 3}, {0, 4, 3, 1}}).edges());
  EXPECT_EQ(decayed.total(), 4);
}

TEST(TransformTest, CollapsingCallSitesAddsUpTheCallsOfEachPair) {
  EXPECT_EQ(CollapseCallSites(Graph({{0, 1, 2, 6}, {0, 4, 2, 2}, {2, 4, 0, 1}})).edges(),
            Graph({{0, kNoBci, 2, 8}, {2, kNoBci, 0, 1}}).edges());
}

TEST(TransformTest, UnifiedGraphsNameMethodsByOneTable) {
  MethodTable a_methods, b_methods;
  a_methods.Intern(Named("f"));
  a_methods.Intern(Named("g"));
  b_methods.Intern(Named("h"));
  b_methods.Intern(Named("g"));
  b_methods.Intern(Named("f"));
  const uint32_t none = ToIndex(kNoMethod);
  const UnifiedGraphs unified =
      Unify(Graph({{none, -1, 0, 1}, {0, 3, 1, 9}}), a_methods,
            Graph({{none, -1, 2, 1}, {2, 3, 1, 8}, {1, 5, 0, 1}}), b_methods);
  EXPECT_EQ(unified.methods.size(), 3u);
  EXPECT_EQ(
      unified.a.WeightOf({unified.methods.Find("a.B.f()V"), 3, unified.methods.Find("a.B.g()V")}),
      9);
  EXPECT_EQ(
      unified.b.WeightOf({unified.methods.Find("a.B.g()V"), 5, unified.methods.Find("a.B.h()V")}),
      1);
  const Comparison c = Compare(unified.a, unified.b);
  EXPECT_DOUBLE_EQ(c.overlap, 90);
  EXPECT_EQ(c.common_edges, 2u);
  EXPECT_EQ(c.only_b, 1u);
}

}  // namespace
}  // namespace yp
