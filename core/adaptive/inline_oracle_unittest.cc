#include "core/adaptive/inline_oracle.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/random.h"

namespace yp {
namespace {

constexpr InlinePolicy kPolicy;

TEST(InlineOracleTest, TheLimitIsLinearInTheWeightUpToABound) {
  EXPECT_EQ(MostBytes(kPolicy, std::nullopt), 35);
  EXPECT_EQ(MostBytes(kPolicy, 0), 35);
  EXPECT_DOUBLE_EQ(MostBytes(kPolicy, 0.005), 180);
  EXPECT_EQ(MostBytes(kPolicy, 0.01), 325);
  EXPECT_EQ(MostBytes(kPolicy, 0.5), 325);
}

TEST(InlineOracleTest, TheHotterACallTheLargerACalleeIsInlined) {
  EXPECT_EQ(Decide(kPolicy, {.weight = 0.004, .bytes = 180}).reason, InlineReason::kLargeForWeight);
  const InlineDecision hot = Decide(kPolicy, {.weight = 0.006, .bytes = 180});
  EXPECT_TRUE(hot.is_inlined);
  EXPECT_FALSE(hot.is_guarded);
  EXPECT_EQ(hot.reason, InlineReason::kFitsWeight);
  EXPECT_EQ(Decide(kPolicy, {.weight = 0.9, .bytes = 326}).reason, InlineReason::kTooLarge);
}

TEST(InlineOracleTest, WithoutAWeightOnlySmallCalleesAreInlined) {
  EXPECT_EQ(Decide(kPolicy, {.bytes = 6}).reason, InlineReason::kTrivial);
  EXPECT_EQ(Decide(kPolicy, {.bytes = 35}).reason, InlineReason::kSmall);
  EXPECT_FALSE(Decide(kPolicy, {.bytes = 36}).is_inlined);
}

TEST(InlineOracleTest, AColdCallIsInlinedOnlyIfItIsTrivial) {
  EXPECT_EQ(Decide(kPolicy, {.weight = 0, .bytes = 7}).reason, InlineReason::kCold);
  EXPECT_EQ(Decide(kPolicy, {.weight = 0, .bytes = 6}).reason, InlineReason::kTrivial);
  EXPECT_TRUE(Decide(kPolicy, {.weight = 1e-6, .bytes = 7}).is_inlined);
}

TEST(InlineOracleTest, AMethodIsInItselfOnceAtMost) {
  EXPECT_TRUE(Decide(kPolicy, {.bytes = 5, .depth = 1, .recursion = 1}).is_inlined);
  EXPECT_EQ(Decide(kPolicy, {.bytes = 5, .depth = 2, .recursion = 2}).reason,
            InlineReason::kRecursive);
}

TEST(InlineOracleTest, OnlyTrivialCalleesAreInlinedIntoAMethodThatIsFull) {
  EXPECT_TRUE(Decide(kPolicy, {.bytes = 20, .inlined_bytes = 7980}).is_inlined);
  EXPECT_EQ(Decide(kPolicy, {.bytes = 20, .inlined_bytes = 7981}).reason, InlineReason::kFull);
  EXPECT_TRUE(Decide(kPolicy, {.bytes = 6, .inlined_bytes = 7998}).is_inlined);
}

TEST(InlineOracleTest, OfSeveralTargetsOneWithMoreThanFourTenthsIsInlinedBehindAGuard) {
  const InlineDecision dominant =
      Decide(kPolicy, {.weight = 0.02, .part = 0.41, .is_only_target = false, .bytes = 20});
  EXPECT_TRUE(dominant.is_inlined);
  EXPECT_TRUE(dominant.is_guarded);
  EXPECT_EQ(
      Decide(kPolicy, {.weight = 0.02, .part = 0.4, .is_only_target = false, .bytes = 20}).reason,
      InlineReason::kSpread);
}

TEST(InlineOracleTest, WhatIsNotKnownIsNotInlined) {
  EXPECT_EQ(Decide(kPolicy, {.weight = 0.5}).reason, InlineReason::kUnknownSize);
  EXPECT_EQ(Decide(kPolicy, {.weight = 0.5, .bytes = 5, .depth = 15}).reason,
            InlineReason::kTooDeep);
}

// More weight or a smaller callee never makes a call stay that would have been inlined.
TEST(InlineOracleTest, DecisionsAreMonotoneInWeightAndSize) {
  Xoshiro256 random(1);
  const auto below = [&random](uint64_t bound) {
    return static_cast<double>(random.UniformFromOneTo(bound) - 1);
  };
  for (int i = 0; i < 10'000; ++i) {
    InlineCandidate candidate;
    candidate.weight = below(2'000) / 1e5;
    candidate.is_only_target = below(2) == 0;
    candidate.part = candidate.is_only_target ? 1 : below(100) / 100;
    candidate.bytes = static_cast<int32_t>(below(400));
    if (!Decide(kPolicy, candidate).is_inlined) continue;
    InlineCandidate hotter = candidate;
    hotter.weight = *candidate.weight * 2 + 1e-5;
    EXPECT_TRUE(Decide(kPolicy, hotter).is_inlined);
    InlineCandidate smaller = candidate;
    smaller.bytes = *candidate.bytes / 2;
    EXPECT_TRUE(Decide(kPolicy, smaller).is_inlined);
  }
}

}  // namespace
}  // namespace yp
