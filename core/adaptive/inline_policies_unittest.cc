#include "core/adaptive/inline_policies.h"

#include <gtest/gtest.h>

#include <optional>

namespace yp {
namespace {

InlinePolicy Named(std::string_view name) {
  const NamedInlinePolicy* const found = FindInlinePolicy(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? InlinePolicy{} : found->policy;
}

TEST(InlinePoliciesTest, AreFoundByName) {
  for (const NamedInlinePolicy& row : InlinePolicies()) {
    EXPECT_EQ(FindInlinePolicy(row.name), &row);
    EXPECT_FALSE(row.source.empty());
  }
  EXPECT_EQ(FindInlinePolicy("other"), nullptr);
}

TEST(InlinePoliciesTest, LinearIsTheDefault) {
  EXPECT_EQ(MostBytes(Named("linear"), 0.005), MostBytes({}, 0.005));
  EXPECT_EQ(MostBytes(Named("linear"), std::nullopt), MostBytes({}, std::nullopt));
}

// Lee 2015, section 4.2.
TEST(InlinePoliciesTest, WeakStaticHeuristicsAskForAThirdLessWhereThereIsNoWeight) {
  const InlinePolicy weak = Named("weak-static");
  EXPECT_EQ(MostBytes(weak, std::nullopt), 25) << "35 * 17 / 23";
  EXPECT_TRUE(Decide(weak, {.bytes = 25}).is_inlined);
  EXPECT_EQ(Decide(weak, {.bytes = 26}).reason, InlineReason::kLargeForWeight);
  EXPECT_TRUE(Decide(Named("linear"), {.bytes = 26}).is_inlined);
}

TEST(InlinePoliciesTest, WeakStaticHeuristicsChangeNothingWhereThereIsAWeight) {
  for (const double weight : {1e-6, 1e-3, 0.005, 0.5}) {
    EXPECT_EQ(MostBytes(Named("weak-static"), weight), MostBytes(Named("linear"), weight));
  }
}

TEST(InlinePoliciesTest, WeakStaticHeuristicsStillInlineTrivialCallees) {
  EXPECT_EQ(Decide(Named("weak-static"), {.bytes = 6}).reason, InlineReason::kTrivial);
}

// Arnold and Grove 2005, section 5.1, of the older inliner: "Profile data for non-hot edges was
// completely ignored."
TEST(InlinePoliciesTest, HotOnlyMakesASharpDistinction) {
  const InlinePolicy hot_only = Named("hot-only");
  EXPECT_EQ(MostBytes(hot_only, 0.0101), 325);
  EXPECT_EQ(MostBytes(hot_only, 0.01), 35) << "more than 1 %";
  EXPECT_FALSE(Decide(hot_only, {.weight = 0.009, .bytes = 100}).is_inlined);
  EXPECT_TRUE(Decide(Named("linear"), {.weight = 0.009, .bytes = 100}).is_inlined);
  EXPECT_TRUE(Decide(hot_only, {.weight = 0, .bytes = 30}).is_inlined) << "no cold veto";
}

// "it was missing many opportunities where the profile data indicated that a non-hot (but still
// profiled) virtual call site had only been seen to invoke a single small target method": where
// the compiler cannot prove that, it is one target of several.
TEST(InlinePoliciesTest, HotOnlyGuardsNothingThatIsNotHot) {
  InlineCandidate candidate{.weight = 0.001, .part = 1, .is_only_target = false, .bytes = 20};
  EXPECT_EQ(Decide(Named("hot-only"), candidate).reason, InlineReason::kSpread);
  EXPECT_TRUE(Decide(Named("linear"), candidate).is_guarded);
  candidate.weight = 0.02;
  EXPECT_TRUE(Decide(Named("hot-only"), candidate).is_guarded);
}

}  // namespace
}  // namespace yp
