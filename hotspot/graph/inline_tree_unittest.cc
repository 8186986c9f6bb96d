#include "hotspot/graph/inline_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using CallSite = spool::Compilation::CallSite;
using Node = std::tuple<uint32_t, int32_t, uint32_t>;  // Parent, bci, method.

constexpr uint32_t kNobody = 0xffffffff;  // kNoMethod's number.
constexpr size_t kGlue = 50;              // The first number of a method that is glue.

// The VM's methods by number. A number below kGlue is the registry's, too.
const void* M(size_t number) {
  static const std::array<char, 100> methods{};
  return &methods[number];
}

// Its ConstMethod, if it were one.
const void* BodyOf(const void* method) { return static_cast<const char*>(method) + 50; }

class NamedTreeTest : public ::testing::Test {
 protected:
  // Nodes as parent, bci and method, the root being first.
  NamedTree Named(const std::vector<Node>& raw, const std::set<uint32_t>& observed = {}) {
    DebugInfo::InlineTree tree;
    for (const auto& [parent, bci, method] : raw) tree.nodes.push_back({parent, bci, M(method)});
    return NamedTree(std::move(tree), [&](const void* method) {
      ++asked_;
      const auto number =
          static_cast<uint32_t>(static_cast<const char*>(method) - static_cast<const char*>(M(0)));
      if (number >= kGlue) return NamedTree::Name{};
      return NamedTree::Name{MethodId{number}, observed.contains(number), BodyOf(method)};
    });
  }
  static std::vector<Node> Nodes(const NamedTree& tree) {
    std::vector<Node> nodes;
    for (const auto& node : tree.nodes()) {
      nodes.emplace_back(node.parent, node.bci, ToIndex(node.method));
    }
    return nodes;
  }
  // Scopes as method and bci, innermost first.
  static CallSite PlaceOf(const NamedTree& tree,
                          const std::vector<std::pair<size_t, int32_t>>& scopes) {
    std::vector<DebugInfo::Scope> described;
    for (const auto& [method, bci] : scopes) described.push_back({M(method), bci});
    return tree.PlaceOf(described);
  }
  static CallSite PlaceOf(const NamedTree& tree, uint32_t raw, int32_t bci) {
    return tree.PlaceOf(DebugInfo::Position{raw, bci});
  }

  int asked_ = 0;
};

TEST_F(NamedTreeTest, WithoutGlueItIsTheRawTree) {
  const NamedTree tree = Named({{0, -1, 1}, {0, 3, 2}, {1, 8, 1}, {0, 3, 4}});
  EXPECT_THAT(Nodes(tree),
              ElementsAre(Node{0, -1, 1}, Node{0, 3, 2}, Node{1, 8, 1}, Node{0, 3, 4}));
  EXPECT_EQ(PlaceOf(tree, 2, 7), (CallSite{2, 7}));
  EXPECT_THAT(tree.methods(),
              UnorderedElementsAre(Pair(VmMethod{M(1), BodyOf(M(1))}, MethodId{1}),
                                   Pair(VmMethod{M(2), BodyOf(M(2))}, MethodId{2}),
                                   Pair(VmMethod{M(4), BodyOf(M(4))}, MethodId{4})));
  EXPECT_EQ(asked_, 3) << "once for each method";
}

TEST_F(NamedTreeTest, WhatGlueCallsIsCalledFromWhereTheGlueIs) {
  const NamedTree tree =
      Named({{0, -1, 1}, {0, 5, kGlue}, {1, 2, kGlue + 1}, {2, 7, 2}, {3, 1, 3}, {3, 4, kGlue}});
  EXPECT_THAT(Nodes(tree), ElementsAre(Node{0, -1, 1}, Node{0, 5, 2}, Node{1, 1, 3}));
  EXPECT_EQ(PlaceOf(tree, 0, 8), (CallSite{0, 8}));
  EXPECT_EQ(PlaceOf(tree, 1, 8), (CallSite{0, 5}));
  EXPECT_EQ(PlaceOf(tree, 2, 8), (CallSite{0, 5}));
  EXPECT_EQ(PlaceOf(tree, 3, 8), (CallSite{1, 8}));
  EXPECT_EQ(PlaceOf(tree, 5, 8), (CallSite{1, 4}));
  EXPECT_EQ(tree.methods().size(), 3u) << "glue has no name";
}

// No two children of a node have the same bci and method.
TEST_F(NamedTreeTest, AMethodThatGlueCallsTwiceIsOneNode) {
  const NamedTree tree = Named({{0, -1, 1},
                                {0, 5, kGlue},
                                {1, 2, 2},
                                {1, 9, 2},
                                {1, 9, 3},
                                {2, 4, 3},
                                {3, 4, 3},
                                {3, 6, 3}});
  EXPECT_THAT(Nodes(tree), ElementsAre(Node{0, -1, 1}, Node{0, 5, 2}, Node{0, 5, 3}, Node{1, 4, 3},
                                       Node{1, 6, 3}));
  EXPECT_EQ(PlaceOf(tree, 3, 8), (CallSite{1, 8}));
  EXPECT_EQ(PlaceOf(tree, 7, 8), (CallSite{4, 8}));
}

TEST_F(NamedTreeTest, AnAdapterThatHasNothingButOneMethodInlinedIsThatMethod) {
  const NamedTree tree = Named({{0, -1, kGlue}, {0, 4, kGlue + 1}, {1, 6, 2}, {2, 1, 3}});
  EXPECT_THAT(Nodes(tree), ElementsAre(Node{0, -1, 2}, Node{0, 1, 3}));
  EXPECT_EQ(PlaceOf(tree, 0, 9), (CallSite{0, kNoBci}));
  EXPECT_EQ(PlaceOf(tree, 1, 9), (CallSite{0, kNoBci}));
  EXPECT_EQ(PlaceOf(tree, 2, 9), (CallSite{0, 9}));
  EXPECT_EQ(PlaceOf(tree, {{3, 0}, {2, 1}, {kGlue + 1, 6}, {kGlue, 4}}), (CallSite{1, 0}));
}

TEST_F(NamedTreeTest, AnAdapterThatHasMoreInlinedIsNobody) {
  const NamedTree two = Named({{0, -1, kGlue}, {0, 4, 2}, {0, 9, 3}});
  EXPECT_THAT(Nodes(two), ElementsAre(Node{0, -1, kNobody}, Node{0, 4, 2}, Node{0, 9, 3}));
  EXPECT_EQ(PlaceOf(two, 0, 12), (CallSite{0, 12}));
  const NamedTree below =
      Named({{0, -1, kGlue}, {0, 4, kGlue + 1}, {1, 6, 2}, {2, 5, 4}, {1, 9, 3}});
  EXPECT_THAT(Nodes(below),
              ElementsAre(Node{0, -1, kNobody}, Node{0, 4, 2}, Node{1, 5, 4}, Node{0, 4, 3}));
}

TEST_F(NamedTreeTest, NothingButGlueIsNobody) {
  EXPECT_THAT(Nodes(Named({{0, -1, kGlue}})), ElementsAre(Node{0, -1, kNobody}));
  const NamedTree chain = Named({{0, -1, kGlue}, {0, 4, kGlue + 1}});
  EXPECT_THAT(Nodes(chain), ElementsAre(Node{0, -1, kNobody}));
  EXPECT_THAT(chain.methods(), IsEmpty());
  EXPECT_FALSE(chain.inlines_observed());
}

TEST_F(NamedTreeTest, TellsWhetherAnInlinedMethodIsObserved) {
  const std::vector<Node> raw = {{0, -1, 1}, {0, 3, 2}, {1, 8, 3}};
  EXPECT_FALSE(Named(raw).inlines_observed());
  EXPECT_FALSE(Named(raw, {1}).inlines_observed()) << "the compiled method itself";
  EXPECT_TRUE(Named(raw, {3}).inlines_observed());
  // Recursion.
  EXPECT_TRUE(Named({{0, -1, 1}, {0, 3, 1}}, {1}).inlines_observed());
  // What an adapter is taken for is inlined into it.
  EXPECT_TRUE(Named({{0, -1, kGlue}, {0, 4, 2}}, {2}).inlines_observed());
}

TEST_F(NamedTreeTest, ScopesAreFoundByTheirMethodsAndPlaces) {
  const NamedTree tree = Named({{0, -1, 1}, {0, 3, 2}, {0, 3, 3}, {2, 8, 1}, {3, 3, 3}, {0, 9, 3}});
  EXPECT_EQ(PlaceOf(tree, {{1, 20}}), (CallSite{0, 20}));
  EXPECT_EQ(PlaceOf(tree, {{2, 20}, {1, 3}}), (CallSite{1, 20})) << "two callees of a call";
  EXPECT_EQ(PlaceOf(tree, {{3, 20}, {1, 3}}), (CallSite{2, 20}));
  EXPECT_EQ(PlaceOf(tree, {{3, 20}, {1, 9}}), (CallSite{5, 20}));
  EXPECT_EQ(PlaceOf(tree, {{3, 20}, {1, 3}, {3, 8}, {1, 3}}), (CallSite{4, 20})) << "recursion";
}

TEST_F(NamedTreeTest, UnknownScopesAreNowhere) {
  const NamedTree tree = Named({{0, -1, 1}, {0, 3, 2}});
  const CallSite nowhere{0, kNoBci};
  EXPECT_EQ(PlaceOf(tree, {{2, 20}, {1, 4}}), nowhere);
  EXPECT_EQ(PlaceOf(tree, {{4, 20}, {1, 3}}), nowhere);
  EXPECT_EQ(PlaceOf(tree, {{4, 20}, {2, 1}, {1, 3}}), nowhere);
  EXPECT_EQ(PlaceOf(tree, {}), nowhere);
  EXPECT_EQ(PlaceOf(NamedTree(), {{1, 20}}), nowhere);
}

}  // namespace
}  // namespace yp::hotspot
