#include "core/amortize/partial_context_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace yp {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// The paper's methods f(int), g, h(int) and i(int), with its levels 0 (BASE) and 3 (OPT2) in the
// place of compilations.
constexpr CompilationId kBase{0}, kOpt2{3};
constexpr MethodVersion kF{MethodId{0}, kBase}, kG{MethodId{1}, kBase}, kH{MethodId{2}, kBase},
    kI{MethodId{3}, kOpt2};

// What the text says of Figures 2 to 5: five samples; the rightmost node has the context (f, h, i)
// and sigma 1; with t_unit = 0.01 ms, T(h, 0) = 0.02 ms and T(i, 3) = 0.03 ms, which are all five.
// So i was on top twice more, in the tree's left part, below g here.
class WorkedExample : public testing::Test {
 protected:
  WorkedExample() {
    tree_.Add(std::vector{kF, kG, kI});
    tree_.Add(std::vector{kF, kG, kI});
    tree_.Add(std::vector{kF, kH});
    tree_.Add(std::vector{kF, kH, kI});
    tree_.Add(std::vector{kF, kH});
  }
  PartialContextTree tree_;
};

TEST_F(WorkedExample, SamplingCounts) {
  EXPECT_EQ(tree_.samples(), 5u);
  ASSERT_EQ(tree_.nodes().size(), 6u);  // The root, f, g, i below g, h, i below h.
  const PartialContextTree::Node& rightmost = tree_.nodes()[5];
  EXPECT_EQ(rightmost.label, kI);
  EXPECT_EQ(rightmost.sigma, 1u);
  EXPECT_EQ(tree_.nodes()[rightmost.parent].label, kH);
  EXPECT_EQ(tree_.nodes()[rightmost.parent].sigma, 3u);
  EXPECT_EQ(tree_.nodes()[1].sigma, 5u);
  EXPECT_THAT(tree_.OwnSamples(), ElementsAre(0, 0, 0, 2, 2, 1));
}

TEST_F(WorkedExample, TimesOfVersions) {
  const double unit_ms = UnitTime(0.06, 0.01, tree_.samples());
  EXPECT_DOUBLE_EQ(unit_ms, 0.01);
  EXPECT_THAT(TimeOfVersions(tree_, unit_ms),
              ElementsAre(Pair(kF, 0), Pair(kG, 0), Pair(kH, DoubleNear(0.02, 1e-12)),
                          Pair(kI, DoubleNear(0.03, 1e-12))));
  EXPECT_DOUBLE_EQ(TimePerCall(0.03, 6), 0.005);
}

TEST(PartialContextTreeTest, TheSameMethodOfAnotherCompilationIsAnotherVersion) {
  PartialContextTree tree;
  const MethodVersion other{kI.method, CompilationId{4}};
  tree.Add(std::vector{kF, kI}, 3);
  tree.Add(std::vector{kF, other}, 5);
  EXPECT_THAT(TimeOfVersions(tree, 2), ElementsAre(Pair(kF, 0), Pair(kI, 6), Pair(other, 10)));
}

TEST(PartialContextTreeTest, ARecursiveMethodsTimeIsThatOfAllItsNodes) {
  PartialContextTree tree;
  tree.Add(std::vector{kF, kF, kF});
  tree.Add(std::vector{kF, kF});
  tree.Add(std::vector{kF, kG, kF});
  EXPECT_THAT(TimeOfVersions(tree, 1), ElementsAre(Pair(kF, 3), Pair(kG, 0)));
}

TEST(PartialContextTreeTest, NothingIsKnownWithoutSamples) {
  const PartialContextTree tree;
  EXPECT_EQ(UnitTime(5, 1, tree.samples()), 0);
  EXPECT_THAT(TimeOfVersions(tree, 0), IsEmpty());
  EXPECT_EQ(TimePerCall(0.5, 0), 0);
}

TEST(PartialContextTreeTest, AnEmptyStackIsTheRootsAndHasNoTime) {
  PartialContextTree tree;
  tree.Add({}, 2);
  tree.Add(std::vector{kF}, 3);
  EXPECT_EQ(tree.samples(), 5u);
  EXPECT_THAT(tree.OwnSamples(), ElementsAre(2, 3));
  EXPECT_THAT(TimeOfVersions(tree, 1), ElementsAre(Pair(kF, 3)));
}

}  // namespace
}  // namespace yp
