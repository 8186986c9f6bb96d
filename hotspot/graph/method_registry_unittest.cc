#include "hotspot/graph/method_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int32_t kNoLimit = 1000;

Method Named(const std::string& name, uint32_t flags = 0) {
  Method method;
  method.class_name = "app.Main";
  method.name = name;
  method.descriptor = "()V";
  method.flags = flags;
  return method;
}

std::vector<std::string> MethodsIn(const MethodRegistry::Updates& updates) {
  std::vector<std::string> names;
  for (const auto& method : updates.methods) names.push_back(method.method.name);
  return names;
}

classfile::BciMap Shift(uint16_t by) {
  classfile::BciMap map;
  map.Add({0, 0, by});
  return map;
}

TEST(MethodRegistryTest, IdsOfMethodsAreDenseFromOneAndOfOneMeaning) {
  MethodRegistry registry;
  EXPECT_EQ(registry.Intern(Named("a")), MethodId{1});
  EXPECT_EQ(registry.Intern(Named("b")), MethodId{2});
  EXPECT_EQ(registry.Intern(Named("a")), MethodId{1});
  Method overload = Named("a");
  overload.descriptor = "(I)V";
  EXPECT_EQ(registry.Intern(overload), MethodId{3});
}

TEST(MethodRegistryTest, IdsOfEdgesAreDenseFromOneAndSplitByCallSite) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  EXPECT_EQ(registry.InternEdge({a, 3, b}), EdgeId{1});
  EXPECT_EQ(registry.InternEdge({a, 7, b}), EdgeId{2});
  EXPECT_EQ(registry.InternEdge({kNoMethod, kNoBci, b}), EdgeId{3});
  EXPECT_EQ(registry.InternEdge({a, 3, b}), EdgeId{1});
}

TEST(MethodRegistryTest, AnEdgeHasAnIdForEachNumberOfSteps) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  const Edge edge{a, 3, b};
  const EdgeId one = registry.InternEdge(edge), eight = registry.InternEdge(edge, 8);
  EXPECT_NE(one, eight);
  EXPECT_EQ(registry.InternEdge(edge, 8), eight);
  EXPECT_EQ(registry.InternEdge(edge, 1), one);
  EXPECT_EQ(registry.EdgeOf(eight), edge);
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  ASSERT_EQ(updates.edges.size(), 2u);
  EXPECT_EQ(updates.edges[ToIndex(eight) - 1].id, eight);
  EXPECT_EQ(updates.edges[ToIndex(eight) - 1].steps, 8u);
  EXPECT_EQ(updates.edges[ToIndex(one) - 1].steps, 1u);
}

TEST(MethodRegistryTest, TheNextPartOfARecordingIsToldAllAsItIs) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a", Method::kObserved)),
                 b = registry.Intern(Named("b"));
  registry.InternEdge({a, 3, b});
  registry.TakeUpdates();
  EXPECT_THAT(MethodsIn(registry.TakeUpdates()), IsEmpty());
  registry.RetellToNextPart();
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  EXPECT_THAT(MethodsIn(updates), ElementsAre("a", "b"));
  EXPECT_EQ(updates.edges.size(), 1u);
  // Unlike what another recording is told, which may observe others.
  EXPECT_EQ(updates.methods[0].method.flags & Method::kObserved, uint32_t{Method::kObserved});
}

TEST(MethodRegistryTest, AMethodIsToldOnceAndOnlyWhenAnEdgeNamesIt) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  registry.Intern(Named("unused"));
  EXPECT_THAT(registry.TakeUpdates().methods, IsEmpty());
  registry.InternEdge({a, 3, b});
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  EXPECT_THAT(MethodsIn(updates), ElementsAre("a", "b"));
  EXPECT_EQ(updates.methods[0].id, a);
  EXPECT_EQ(updates.methods[1].id, b);
  ASSERT_EQ(updates.edges.size(), 1u);
  EXPECT_EQ(updates.edges[0].id, EdgeId{1});
  EXPECT_EQ(updates.edges[0].edge, (Edge{a, 3, b}));
  registry.InternEdge({b, 1, a});
  const MethodRegistry::Updates later = registry.TakeUpdates();
  EXPECT_THAT(later.methods, IsEmpty());
  ASSERT_EQ(later.edges.size(), 1u);
  EXPECT_EQ(later.edges[0].id, EdgeId{2});
}

TEST(MethodRegistryTest, NoCallerIsNoMethodToTell) {
  MethodRegistry registry;
  registry.InternEdge({kNoMethod, kNoBci, registry.Intern(Named("run"))});
  EXPECT_THAT(MethodsIn(registry.TakeUpdates()), ElementsAre("run"));
}

TEST(MethodRegistryTest, WhatIsLearntLaterIsTold) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a", Method::kStatic));
  registry.InternEdge({a, 1, a});
  registry.TakeUpdates();

  Method more = Named("a", Method::kObserved);
  more.lines = {{0, 12}};
  more.source_file = "Main.java";
  EXPECT_EQ(registry.Intern(more), a);
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  ASSERT_EQ(updates.methods.size(), 1u) << "a method whose edges are all told";
  EXPECT_EQ(updates.methods[0].method.flags, Method::kStatic | Method::kObserved);
  EXPECT_EQ(updates.methods[0].method.lines, more.lines);
  EXPECT_EQ(updates.methods[0].method.source_file, "Main.java");
  registry.Intern(Named("a"));
  EXPECT_THAT(registry.TakeUpdates().methods, IsEmpty());
}

TEST(MethodRegistryTest, AnotherSpoolHearsEverythingUnderTheSameIds) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  registry.InternEdge({a, 3, b});
  registry.TakeUpdates();
  registry.Retell();
  registry.InternEdge({b, 1, a});
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  EXPECT_THAT(MethodsIn(updates), ElementsAre("a", "b"));
  ASSERT_EQ(updates.edges.size(), 2u);
  EXPECT_EQ(updates.edges[0].id, EdgeId{1});
  EXPECT_EQ(updates.edges[0].edge, (Edge{a, 3, b}));
  EXPECT_THAT(registry.TakeUpdates().edges, IsEmpty());
}

TEST(MethodRegistryTest, WhatAnotherRecordingObservesItSaysItself) {
  MethodRegistry registry;
  const uint32_t observed = Method::kObserved | Method::kStatic;
  const MethodId a = registry.Intern(Named("a", observed));
  const MethodId b = registry.Intern(Named("b", observed));
  registry.InternEdge({a, 3, b});
  registry.Retell();
  registry.Intern(Named("b", observed));
  const MethodRegistry::Updates updates = registry.TakeUpdates();
  ASSERT_EQ(updates.methods.size(), 2u);
  EXPECT_EQ(updates.methods[0].method.flags, uint32_t{Method::kStatic});
  EXPECT_EQ(updates.methods[1].method.flags, observed);
}

TEST(MethodRegistryTest, AVersionIsKnownByItsCodeSize) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  registry.AddVersion(a, 10, Shift(4));
  registry.AddVersion(a, 20, Shift(6));
  const MethodRegistry::Map kept = registry.FindVersion(a, 10);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->OriginalBci(5), 1);
  ASSERT_NE(registry.FindVersion(a, 20), nullptr);
  EXPECT_EQ(registry.FindVersion(a, 20)->OriginalBci(7), 1);
  EXPECT_EQ(registry.FindVersion(a, 11), nullptr);
  EXPECT_EQ(registry.FindVersion(b, 10), nullptr);
  registry.AddVersion(a, 10, Shift(3));
  EXPECT_EQ(registry.FindVersion(a, 10)->OriginalBci(5), 2);
  EXPECT_EQ(kept->OriginalBci(5), 1) << "whoever holds the earlier map keeps it";
}

TEST(MethodRegistryTest, CallSitesAreNumberedFromOneAndOneEach) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a")), b = registry.Intern(Named("b"));
  EXPECT_EQ(registry.AddSite(a, 3, true, kNoLimit), 1);
  EXPECT_EQ(registry.AddSite(b, 3, false, kNoLimit), 2);
  EXPECT_EQ(registry.AddSite(a, 3, true, kNoLimit), 1);
  EXPECT_EQ(registry.SiteAt(1).caller, a);
  EXPECT_EQ(registry.SiteAt(1).bci, 3);
  EXPECT_TRUE(registry.SiteAt(1).is_virtual);
  EXPECT_FALSE(registry.SiteAt(2).is_virtual);
  for (const int32_t none : {0, 3, -1}) EXPECT_EQ(registry.SiteAt(none).caller, kNoMethod);
}

TEST(MethodRegistryTest, NoCallSiteHasANumberAtTheLimitOrAbove) {
  MethodRegistry registry;
  const MethodId a = registry.Intern(Named("a"));
  EXPECT_EQ(registry.AddSite(a, 0, false, 3), 1);
  EXPECT_EQ(registry.AddSite(a, 1, false, 3), 2);
  EXPECT_EQ(registry.AddSite(a, 2, false, 3), 0);
  EXPECT_EQ(registry.AddSite(a, 1, false, 3), 2) << "a site that has a number keeps it";
}

}  // namespace
}  // namespace yp::hotspot
