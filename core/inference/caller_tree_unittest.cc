#include "core/inference/caller_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "core/graph/dcg.h"
#include "core/inference/contexts_for_test.h"

namespace yp {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr MethodId kX{0}, kY{1}, kM{4};

std::vector<double> SeenAlike(const CallingContextTree& tree) {
  return std::vector<double>(tree.size(), 1);
}

TEST(CallerTreeTest, TheOnlyContextHasAllCalls) {
  CallingContextTree tree;
  const ContextId only = Chain(tree, {kX, kM});
  EXPECT_THAT(CallerTree(tree, {only}, SeenAlike(tree)).Shares(std::vector<double>{3}),
              ElementsAre(1));
  EXPECT_THAT(CallerTree(tree, {kRootContext}, SeenAlike(tree)).Shares(std::vector<double>{0}),
              ElementsAre(1));
}

TEST(CallerTreeTest, FewSamplesAreReadWithWhatElseWasSeenThere) {
  CallingContextTree tree;
  const ContextId b = Chain(tree, {kX, kB, kM}), c = Chain(tree, {kX, kC, kM});
  std::vector<double> seen = SeenAlike(tree);
  seen[ToIndex(b)] = 900;
  seen[ToIndex(c)] = 100;
  const CallerTree callers(tree, {b, c}, seen);
  const auto nothing = callers.Shares(std::vector<double>{0, 0});
  EXPECT_THAT(nothing, ElementsAre(DoubleNear(0.9, 1e-12), DoubleNear(0.1, 1e-12)));
  const auto few = callers.Shares(std::vector<double>{2, 8});
  EXPECT_THAT(few,
              ElementsAre(DoubleNear((2 + kOthersWeight * 0.9) / (10 + kOthersWeight), 1e-12),
                          DoubleNear((8 + kOthersWeight * 0.1) / (10 + kOthersWeight), 1e-12)));
  const auto many = callers.Shares(std::vector<double>{2e6, 8e6});
  EXPECT_THAT(many, ElementsAre(DoubleNear(0.2, 1e-5), DoubleNear(0.8, 1e-5)));
}

// What is known of the inner part of a chain tells of all contexts with that part.
TEST(CallerTreeTest, ChainsAreReadFromTheInsideOut) {
  CallingContextTree tree;
  const ContextId xb = Chain(tree, {kX, kB, kM}), yb = Chain(tree, {kY, kB, kM}),
                  xc = Chain(tree, {kX, kC, kM});
  const CallerTree callers(tree, {xb, yb, xc}, SeenAlike(tree));
  const double by_b = (6 + kOthersWeight * 2 / 3) / (10 + kOthersWeight);
  EXPECT_THAT(callers.Shares(std::vector<double>{5, 1, 4}),
              ElementsAre(DoubleNear(by_b * (5 + kOthersWeight / 2) / (6 + kOthersWeight), 1e-12),
                          DoubleNear(by_b * (1 + kOthersWeight / 2) / (6 + kOthersWeight), 1e-12),
                          DoubleNear(1 - by_b, 1e-12)));
}

TEST(CallerTreeTest, CallSitesAndEndsOfChainsAreWaysOfTheirOwn) {
  CallingContextTree tree;
  const ContextId bare = Chain(tree, {kM}), x = Chain(tree, {kX});
  const ContextId first = tree.Child(x, 1, kM), second = tree.Child(x, 2, kM);
  const ContextId twice = tree.Child(first, 1, kM);
  const CallerTree callers(tree, {twice, second, bare, first}, SeenAlike(tree));
  const auto share = [](double n) {
    return DoubleNear((n + kOthersWeight / 4) / (10 + kOthersWeight), 1e-12);
  };
  EXPECT_THAT(callers.Shares(std::vector<double>{1, 2, 3, 4}),
              ElementsAre(share(1), share(2), share(3), share(4)));
}

TEST(CallerTreeTest, SharesAddUpWhateverTheTree) {
  Xoshiro256 random(5);
  for (int round = 0; round < 200; ++round) {
    CallingContextTree tree;
    std::vector<ContextId> of_m;
    for (int i = 0; i < 60; ++i) {
      const ContextId parent{static_cast<uint32_t>(random.UniformFromOneTo(tree.size()) - 1)};
      const auto bci = static_cast<int32_t>(random.UniformFromOneTo(2));
      const size_t before = tree.size();
      const MethodId method{static_cast<uint32_t>(2 + random.UniformFromOneTo(3) - 1)};
      const ContextId context = tree.Child(parent, bci, method);
      if (tree.size() > before && method == kM) of_m.push_back(context);
    }
    if (of_m.empty()) continue;
    std::vector<double> seen, samples;
    for (size_t i = 0; i < tree.size(); ++i) {
      seen.push_back(std::exp(10 * random.UniformOpenClosed()));
    }
    for (size_t i = 0; i < of_m.size(); ++i) {
      samples.push_back(static_cast<double>(random.UniformFromOneTo(9) - 1));
    }
    const std::vector<double> shares = CallerTree(tree, of_m, seen).Shares(samples);
    ASSERT_EQ(shares.size(), of_m.size());
    for (const double share : shares) ASSERT_GT(share, 0);
    ASSERT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  }
}

}  // namespace
}  // namespace yp
