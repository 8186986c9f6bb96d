#include "core/graph/cct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "core/graph/graph_for_test.h"

namespace yp {
namespace {

using testing::ElementsAre;

// Each letter a method, called at the bytecode index 5 of the one before it.
ContextId AddStack(CallingContextTree& tree, const std::string& stack, double weight) {
  ContextId context = kRootContext;
  for (const char c : stack) {
    context = tree.Child(context, context == kRootContext ? kNoBci : 5,
                         MethodId{static_cast<uint32_t>(c - 'a')});
  }
  tree.Add(context, weight);
  return context;
}

CallingContextTree Tree(std::initializer_list<std::pair<const char*, double>> stacks) {
  CallingContextTree tree;
  for (const auto& [stack, weight] : stacks) AddStack(tree, stack, weight);
  return tree;
}

TEST(CallingContextTreeTest, StacksWithOneBeginningShareItsNodes) {
  CallingContextTree tree;
  const ContextId abc = AddStack(tree, "abc", 1);
  const ContextId abd = AddStack(tree, "abd", 2);
  EXPECT_EQ(AddStack(tree, "abc", 3), abc);
  EXPECT_EQ(tree.size(), 5u) << "root, a, ab, abc, abd";
  EXPECT_EQ(tree[abc].parent, tree[abd].parent);
  EXPECT_EQ(tree[abc].weight, 4);
  EXPECT_EQ(tree.total(), 6);
  EXPECT_NE(tree.Child(tree[abc].parent, 6, MethodId{2}), abc) << "from another call site";
}

TEST(CallingContextTreeTest, AContextWeighsWhatIsBelowIt) {
  const CallingContextTree tree = Tree({{"a", 1}, {"ab", 2}, {"abc", 4}, {"ad", 8}});
  EXPECT_THAT(InclusiveWeights(tree), ElementsAre(15, 15, 6, 4, 8));
}

TEST(CallingContextTreeTest, WhatIsNotKeptIsItsCallers) {
  CallingContextTree tree;
  const MethodId a{0}, jdk{1}, b{2};
  const ContextId in_a = tree.Child(kRootContext, kNoBci, a);
  const ContextId in_jdk = tree.Child(in_a, 5, jdk);
  const ContextId deeper = tree.Child(in_jdk, 6, jdk);
  tree.Add(in_a, 1);
  tree.Add(in_jdk, 2);
  tree.Add(tree.Child(deeper, 7, b), 4);
  tree.Add(tree.Child(in_a, 5, b), 8);
  const CallingContextTree projected =
      Project(tree, [&](MethodId method) { return method != jdk; });
  EXPECT_EQ(projected.size(), 3u);
  EXPECT_EQ(projected.total(), 15);
  const auto kept_a = projected.FindChild(kRootContext, kNoBci, a);
  ASSERT_TRUE(kept_a);
  EXPECT_EQ(projected[*kept_a].weight, 3);
  const auto kept_b = projected.FindChild(*kept_a, 5, b);
  ASSERT_TRUE(kept_b) << "called from where a left for the JDK";
  EXPECT_EQ(projected[*kept_b].weight, 12);
}

TEST(CallingContextTreeTest, ARecursiveMethodIsCountedOnceInItsTotal) {
  const std::vector<MethodWeight> weights =
      MethodWeights(Tree({{"ab", 1}, {"aba", 2}, {"abab", 4}}));
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0].self, 2);
  EXPECT_EQ(weights[0].total, 7);
  EXPECT_EQ(weights[1].self, 5);
  EXPECT_EQ(weights[1].total, 7);
}

TEST(CompareContextsTest, OverlapIsOfWholeChainsOfCalls) {
  const CallingContextTree a = Tree({{"ab", 50}, {"ac", 30}, {"dc", 20}});
  const CallingContextTree b = Tree({{"ab", 5}, {"dc", 3}, {"ec", 2}});
  const ContextComparison comparison = Compare(a, b);
  EXPECT_DOUBLE_EQ(comparison.overlap, 70) << "ab 50, dc 20";
  EXPECT_EQ(comparison.common, 2u);
  EXPECT_EQ(comparison.only_a, 1u);
  EXPECT_EQ(comparison.only_b, 1u);
  EXPECT_DOUBLE_EQ(Compare(b, a).overlap, 70);
  EXPECT_DOUBLE_EQ(Compare(a, a).overlap, 100);
  EXPECT_DOUBLE_EQ(Compare(a, {}).overlap, 0);
  EXPECT_EQ(Compare(a, {}).only_a, 3u);
}

TEST(CompareContextsTest, TheOrderOfInsertionDoesNotMatter) {
  const CallingContextTree a = Tree({{"abc", 1}, {"abd", 2}, {"e", 3}});
  const CallingContextTree b = Tree({{"e", 3}, {"abd", 2}, {"abc", 1}});
  EXPECT_DOUBLE_EQ(Compare(a, b).overlap, 100);
}

TEST(CompareContextsTest, OtherMethodTablesAreBroughtToOne) {
  MethodTable first, second;
  const auto method = [](MethodTable& table, const char* name) {
    Method m;
    m.class_name = "A";
    m.name = name;
    return table.Intern(m);
  };
  CallingContextTree a, b;
  a.Add(a.Child(a.Child(kRootContext, kNoBci, method(first, "x")), 3, method(first, "y")), 1);
  method(second, "z");
  const MethodId y = method(second, "y");
  b.Add(b.Child(b.Child(kRootContext, kNoBci, method(second, "x")), 3, y), 7);
  EXPECT_DOUBLE_EQ(Compare(a, Rebase(b, second, first)).overlap, 100);
  EXPECT_EQ(first.size(), 2u) << "z is in no context";
}

TEST(HotContextCoverageTest, HotIsWhatHasEnoughOfTheHeaviest) {
  const CallingContextTree reference = Tree({{"ab", 100}, {"ac", 50}, {"ad", 10}, {"ae", 9}});
  const CallingContextTree sampled = Tree({{"ab", 1}, {"ad", 1}, {"fe", 8}});
  const HotContexts hot = HotContextCoverage(reference, sampled, 0.1);
  EXPECT_EQ(hot.in_reference, 3u);
  EXPECT_NEAR(hot.found, 100 * 2.0 / 3, 1e-9) << "ab and ad";
  EXPECT_EQ(HotContextCoverage({}, sampled, 0.1).found, 0);
}

TEST(CodeLabelTest, IsTheSameAfterPacking) {
  for (const CodeLabel& label :
       {CodeLabel{}, CodeLabel{.compile_id = 1, .level = 1},
        CodeLabel{.compile_id = CodeLabel::kMaxCompileId, .level = 4, .is_osr = true},
        CodeLabel{.compile_id = 77, .level = 3, .is_inlined = true}, CodeLabel::Unknown()}) {
    EXPECT_EQ(CodeLabel::FromPacked(label.Packed()), label);
  }
  EXPECT_EQ(CodeLabel{}.Packed(), 0u);
}

TEST(CodeLabelTest, WhatHasNoRoomIsUnknown) {
  const CodeLabel large{.compile_id = CodeLabel::kMaxCompileId + 1, .level = 4};
  EXPECT_EQ(CodeLabel::FromPacked(large.Packed()), CodeLabel::Unknown());
  EXPECT_EQ(CodeLabel::FromPacked(7u << 26), CodeLabel::Unknown());
  EXPECT_EQ(CodeLabel::FromPacked(~0u), CodeLabel::Unknown());
}

TEST(CallingContextTreeTest, ContextsMayDifferInTheirCodeAlone) {
  CallingContextTree tree;
  const MethodId a{0}, b{1};
  const CodeLabel compiled{.compile_id = 5, .level = 4};
  const ContextId interpreted_a = tree.Child(kRootContext, kNoBci, a);
  const ContextId compiled_a = tree.Child(kRootContext, kNoBci, a, compiled);
  EXPECT_NE(interpreted_a, compiled_a);
  EXPECT_EQ(tree.FindChild(kRootContext, kNoBci, a, compiled), compiled_a);
  tree.Add(tree.Child(interpreted_a, 3, b), 2);
  tree.Add(tree.Child(compiled_a, 3, b, compiled), 5);
  const CallingContextTree plain = WithoutCode(tree);
  ASSERT_EQ(plain.size(), 3u);
  EXPECT_EQ(plain.total(), 7);
  const std::optional<ContextId> plain_a = plain.FindChild(kRootContext, kNoBci, a);
  ASSERT_TRUE(plain_a.has_value());
  EXPECT_EQ(plain[*plain.FindChild(*plain_a, 3, b)].weight, 7);
}

}  // namespace
}  // namespace yp
