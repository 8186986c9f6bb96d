#include "compiler/aos/call_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/aos/methods_for_test.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CallGraph, NumbersEachMethodSiteAndEdgeOnce) {
  CallGraph graph;
  const MethodId caller = graph.AddMethod(Named("caller"));
  const MethodId callee = graph.AddMethod(Named("callee"));
  EXPECT_NE(ToIndex(caller), 0u);
  EXPECT_NE(caller, callee);
  EXPECT_EQ(graph.AddMethod(Named("caller")), caller);
  const uint32_t site = graph.AddSite(caller, 7);
  EXPECT_NE(site, CallGraph::kNoSite);
  EXPECT_EQ(graph.AddSite(caller, 7), site);
  EXPECT_NE(graph.AddSite(caller, 8), site);
  const EdgeId edge = graph.AddEdge(site, callee);
  EXPECT_EQ(graph.AddEdge(site, callee), edge);
  EXPECT_NE(graph.AddEdge(CallGraph::kNoSite, callee), edge);
}

TEST(CallGraph, TellsMethodsOnceTheyAreInAnEdgeAndBeforeIt) {
  CallGraph graph;
  const MethodId caller = graph.AddMethod(Named("caller"));
  const MethodId callee = graph.AddMethod(Named("callee"));
  graph.AddMethod(Named("never_called"));
  EXPECT_THAT(graph.TakeUpdates().methods, IsEmpty());
  graph.AddEdge(graph.AddSite(caller, 7), callee);
  const CallGraph::Updates updates = graph.TakeUpdates();
  ASSERT_THAT(updates.methods, SizeIs(2));
  EXPECT_EQ(updates.methods[0].id, caller);
  EXPECT_EQ(updates.methods[1].method.name, "callee");
  ASSERT_THAT(updates.edges, SizeIs(1));
  EXPECT_EQ(updates.edges[0].edge, (Edge{caller, 7, callee}));
  graph.AddEdge(graph.AddSite(caller, 9), callee);
  EXPECT_THAT(graph.TakeUpdates().methods, IsEmpty());
}

TEST(CallGraph, TellsAMethodAgainWhenItsLinesAreKnown) {
  CallGraph graph;
  const MethodId callee = graph.AddMethod(Named("callee"));
  graph.AddEdge(CallGraph::kNoSite, callee);
  graph.TakeUpdates();
  Method compiled = Named("callee");
  compiled.lines = {{0, 12}};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(graph.AddMethod(compiled), callee);
  const CallGraph::Updates updates = graph.TakeUpdates();
  ASSERT_THAT(updates.methods, SizeIs(1));
  EXPECT_EQ(updates.methods[0].method.LineOf(0), 12);
}

TEST(CallGraph, ACallSiteThatDoesNotExistHasNoCaller) {
  CallGraph graph;
  const MethodId callee = graph.AddMethod(Named("callee"));
  graph.AddEdge(99, callee);
  const CallGraph::Updates updates = graph.TakeUpdates();
  ASSERT_THAT(updates.edges, SizeIs(1));
  EXPECT_EQ(updates.edges[0].edge, (Edge{kNoMethod, kNoBci, callee}));
}

TEST(EdgeCache, AsksForEachEdgeUntilAnotherTakesItsPlace) {
  EdgeCache cache;
  int asked = 0;
  const auto find = [&](uint32_t site, MethodId callee) {
    ++asked;
    return EdgeId{site * 100'000 + ToIndex(callee)};
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(cache.Get(3, MethodId{4}, find), EdgeId{300'004});
  }
  EXPECT_EQ(asked, 1);
  for (uint32_t round = 0; round < 2; ++round) {
    for (uint32_t site = 0; site < 5000; ++site) {
      ASSERT_EQ(cache.Get(site, MethodId{1}, find), EdgeId{site * 100'000 + 1});
    }
  }
}

}  // namespace
}  // namespace yp::compiler
