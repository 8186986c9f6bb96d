#include "core/graph/selected_calls.h"

#include <gtest/gtest.h>

#include <vector>

namespace yp {
namespace {

constexpr MethodId kA{0}, kB{1}, kC{2}, kD{3};

TEST(SelectedCallsTest, SampledCallsAreWhereTheirSamplesAre) {
  const auto calls = CallsOfSelection(std::vector<EdgeToSelect>{
      {{kNoMethod, kNoBci, kA}, 100, 0, 30, 900}, {{kA, 1, kB}, 50, 0, 0, 0}});
  EXPECT_EQ(calls[0].calls, 30);
  EXPECT_EQ(calls[0].relative_variance, 1);
  EXPECT_EQ(calls[1].calls, 0);
}

TEST(SelectedCallsTest, InferredCallsGoWithTheirCallersDownToTheLast) {
  const auto calls = CallsOfSelection(
      std::vector<EdgeToSelect>{{{kNoMethod, kNoBci, kA}, 100, 0, 25, 25 * 25. / 4},
                                {{kA, 1, kB}, 0, 400, 0, 0},
                                {{kB, 2, kC}, 0, 4000, 0, 0},
                                {{kC, 2, kD}, 60, 40, 60, 60. * 60}});
  EXPECT_DOUBLE_EQ(calls[1].calls, 100);
  EXPECT_DOUBLE_EQ(calls[2].calls, 1000);
  EXPECT_DOUBLE_EQ(calls[2].relative_variance, 0.25);
  EXPECT_DOUBLE_EQ(calls[3].calls, 60 + 40 * 0.25);
}

TEST(SelectedCallsTest, OfAllItIsAll) {
  const std::vector<EdgeToSelect> edges = {{{kNoMethod, kNoBci, kA}, 100, 0, 100, 1},
                                           {{kA, 1, kB}, 30, 400, 30, 1},
                                           {{kB, 2, kA}, 0, 50, 0, 0},
                                           {{kB, 3, kB}, 10, 5, 10, 1}};
  const auto calls = CallsOfSelection(edges);
  for (size_t i = 0; i < edges.size(); ++i) {
    const double all = edges[i].sampled + edges[i].inferred;
    EXPECT_NEAR(calls[i].calls, all, 1e-3 * all) << i;
  }
}

TEST(SelectedCallsTest, WhatNobodyIsKnownToCallIsInNoSelection) {
  const auto calls = CallsOfSelection(
      std::vector<EdgeToSelect>{{{kA, 1, kB}, 0, 40, 0, 0}, {{kNoMethod, kNoBci, kC}, 0, 7, 0, 0}});
  EXPECT_EQ(calls[0].calls, 0);
  EXPECT_EQ(calls[0].unplaced, 40);
  EXPECT_EQ(calls[1].unplaced, 7);
}

}  // namespace
}  // namespace yp
