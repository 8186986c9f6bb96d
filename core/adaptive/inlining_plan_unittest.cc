#include "core/adaptive/inlining_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/adaptive/levels_for_test.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr MethodId kA{3}, kB{4}, kC{5};
constexpr Edge kHot{kMain, 7, kGet}, kRare{kGet, 3, kHash};

class InliningPlanTest : public ::testing::Test {
 protected:
  InliningPlanTest() {
    calls_.Add(kHot, 900);
    calls_.Add(kRare, 100);
  }
  void Refuse(const Edge& edge, std::string_view reason = "hot method too big") {
    decisions_.push_back({edge, false, reason});
  }
  void Inline(const Edge& edge) { decisions_.push_back({edge, true, "inline (hot)"}); }
  std::vector<MissedInlining> Missed(double least_weight = 0) const {
    return MissedInlinings(calls_, decisions_, sizes_, {}, least_weight);
  }

  DynamicCallGraph calls_;
  std::vector<CompilerDecision> decisions_;
  SizesInBytes sizes_{{kGet, 400}, {kHash, 100}};
};

TEST_F(InliningPlanTest, RefusedCallsComeByHowOftenTheyAreMade) {
  Refuse(kRare);
  Refuse(kHot);
  const std::vector<MissedInlining> missed = Missed();
  ASSERT_THAT(missed, SizeIs(2));
  EXPECT_EQ(missed[0].edge, kHot);
  EXPECT_EQ(missed[0].calls, 900);
  EXPECT_EQ(missed[0].bytes, 400);
  EXPECT_EQ(missed[0].oracle.reason, InlineReason::kTooLarge);
  EXPECT_EQ(missed[1].edge, kRare);
  EXPECT_TRUE(missed[1].oracle.is_inlined) << "a tenth of all calls, and 100 bytes";
  EXPECT_THAT(Missed(0.5), SizeIs(1));
}

TEST_F(InliningPlanTest, WhatIsMostlyInlinedIsNotMissed) {
  Refuse(kHot);
  Inline(kHot);
  EXPECT_THAT(Missed(), IsEmpty());
  Refuse(kHot, "too big");
  Refuse(kHot, "too big");
  ASSERT_THAT(Missed(), SizeIs(1));
  EXPECT_EQ(Missed()[0].refused, 3u);
  EXPECT_EQ(Missed()[0].decided, 4u);
  EXPECT_EQ(Missed()[0].reason, "too big") << "the most frequent";
}

TEST_F(InliningPlanTest, WhatWasNeverCalledOrIsNoMissIsNotListed) {
  Refuse({kMain, 8, kHash});
  Refuse(kRare, "never executed");
  Refuse(kRare, "native method");
  EXPECT_THAT(Missed(), IsEmpty());
}

TEST_F(InliningPlanTest, TheOracleKnowsTheSitesOtherTargets) {
  calls_.Add({kMain, 7, kHash}, 2'000);
  Refuse(kHot);
  sizes_[kGet] = 30;
  EXPECT_EQ(Missed()[0].oracle.reason, InlineReason::kSpread) << "900 of 2,900";
  calls_.Add(kHot, 1'000);
  EXPECT_TRUE(Missed()[0].oracle.is_guarded);
}

TEST(SpreadSitesTest, AreThoseWithMoreTargetsThanC2Inlines) {
  DynamicCallGraph calls;
  calls.Add({kMain, 1, kA}, 50);
  calls.Add({kMain, 1, kB}, 30);
  calls.Add({kMain, 1, kC}, 20);
  calls.Add({kMain, 2, kA}, 500);  // Two.
  calls.Add({kMain, 2, kB}, 400);
  calls.Add({kMain, 3, kA}, 950);  // One dominates.
  calls.Add({kMain, 3, kB}, 30);
  calls.Add({kMain, 3, kC}, 20);
  calls.Add({kMain, 4, kA}, 500);  // The third is hardly ever called.
  calls.Add({kMain, 4, kB}, 500);
  calls.Add({kMain, 4, kC}, 1);
  calls.Add({kNoMethod, kNoBci, kA}, 10);
  calls.Add({kNoMethod, kNoBci, kB}, 10);
  calls.Add({kNoMethod, kNoBci, kC}, 10);
  const std::vector<SpreadSite> spread = SpreadSites(calls, 0);
  ASSERT_THAT(spread, SizeIs(1));
  EXPECT_EQ(spread[0].bci, 1);
  EXPECT_EQ(spread[0].calls, 100);
  EXPECT_THAT(spread[0].targets, ElementsAre(Pair(kA, 50), Pair(kB, 30), Pair(kC, 20)));
  EXPECT_THAT(SpreadSites(calls, 0.1), IsEmpty());
}

TEST(AdviceForTest, KnowsWhatHotSpotSays) {
  ASSERT_NE(AdviceFor("hot method too big"), nullptr);
  EXPECT_TRUE(AdviceFor("hot method too big")->can_be_forced);
  EXPECT_FALSE(AdviceFor("NodeCountInliningCutoff")->can_be_forced);
  EXPECT_EQ(AdviceFor("call site not reached"), nullptr);
}

}  // namespace
}  // namespace yp
