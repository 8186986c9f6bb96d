#include "core/adaptive/organizers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "core/adaptive/levels_for_test.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr MethodId kBig{3};
constexpr double kForever = std::numeric_limits<double>::infinity();

// The default value for N is 3 (Buytaert et al. 2007, section 2.2).
TEST(ListenerTest, WakesTheOrganizerAtEachThirdMethodSample) {
  Listener<MethodSample> listener(AdaptivePolicy{}.method_samples);
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(listener.On({kMain}));
    EXPECT_FALSE(listener.On({kGet}));
    EXPECT_TRUE(listener.On({kGet}));
    EXPECT_THAT(listener.Take(), SizeIs(3));
    EXPECT_FALSE(listener.has_enough());
  }
}

TEST(ListenerTest, ASampleInAPrologueIsTheCallers) {
  EXPECT_EQ(SampledMethod(Yieldpoint::kPrologue, kGet, kMain), kMain);
  EXPECT_EQ(SampledMethod(Yieldpoint::kEpilogue, kGet, kMain), kGet);
  EXPECT_EQ(SampledMethod(Yieldpoint::kBackwardJump, kGet, kMain), kGet);
}

TEST(DecayingWeightsTest, HalveInAHalfLife) {
  DecayingWeights<int> weights(1000);
  weights.Add(1, 8, 0);
  EXPECT_DOUBLE_EQ(weights.WeightOf(1, 1000), 4);
  EXPECT_DOUBLE_EQ(weights.WeightOf(1, 3000), 1);
  weights.Add(1, 3, 3000);
  weights.Add(2, 12, 3000);
  EXPECT_DOUBLE_EQ(weights.WeightOf(1, 4000), 2);
  EXPECT_DOUBLE_EQ(weights.Total(4000), 8);
  EXPECT_DOUBLE_EQ(weights.WeightOf(3, 4000), 0);
}

TEST(DecayingWeightsTest, DoNotDecayWithoutEnd) {
  DecayingWeights<int> weights(kForever, 5);
  weights.Add(1, 8, 0);
  EXPECT_EQ(weights.WeightOf(1, 1e12), 8);
  EXPECT_EQ(weights.Total(1e12), 13);
}

TEST(DecayingWeightsTest, ATimeThatGoesBackIsTheLatest) {
  DecayingWeights<int> weights(1000);
  weights.Add(1, 8, 2000);
  weights.Add(1, 8, 1000);
  EXPECT_DOUBLE_EQ(weights.WeightOf(1, 2000), 16);
  EXPECT_DOUBLE_EQ(weights.WeightOf(1, 0), 16);
}

// Against the sum by which they are defined, over many half-lives and changes of the epoch.
TEST(DecayingWeightsTest, AreTheSumOfWhatWasAddedEachDecayed) {
  Xoshiro256 random(5);
  DecayingWeights<int> weights(10);
  std::vector<std::pair<double, int>> added;
  double now = 0;
  for (int i = 0; i < 2'000; ++i) {
    now += static_cast<double>(random.UniformFromOneTo(5));
    const int key = static_cast<int>(random.UniformFromOneTo(3));
    weights.Add(key, 1, now);
    added.emplace_back(now, key);
  }
  double total = 0;
  for (int key = 1; key <= 3; ++key) {
    double expected = 0;
    for (const auto& [time, which] : added) {
      if (which == key) expected += std::exp2((time - now) / 10);
    }
    EXPECT_NEAR(weights.WeightOf(key, now), expected, 1e-6);
    total += expected;
  }
  EXPECT_NEAR(weights.Total(now), total, 1e-6);
}

TEST(DecayingWeightsTest, ForgetWhatIsLongGone) {
  DecayingWeights<int> weights(1);
  for (int key = 0; key < 1'000; ++key) weights.Add(key, 1, 0);
  weights.Add(-1, 1, 1e6);
  EXPECT_EQ(weights.size(), 1u);
  EXPECT_DOUBLE_EQ(weights.Total(1e6), 1);
  weights.Forget(-1);
  EXPECT_EQ(weights.Total(1e6), 0);
}

TEST(MethodOrganizerTest, ProposesWhatWasSampledTheLongestRunningFirst) {
  MethodOrganizer organizer({.sample_ms = 20, .half_life_ms = kForever});
  const std::vector<MethodSample> first = {{kMain}, {kGet}, {kGet}, {kNoMethod}};
  std::vector<HotMethod> hot = organizer.Summarize(first, 0);
  ASSERT_THAT(hot, SizeIs(2));
  EXPECT_EQ(hot[0].method, kGet);
  EXPECT_EQ(hot[0].past_ms, 40);
  const std::vector<MethodSample> second = {{kMain}, {kMain, 1.5}};
  hot = organizer.Summarize(second, 0);
  ASSERT_THAT(hot, SizeIs(1)) << "the other did not run";
  EXPECT_EQ(hot[0].samples, 3.5);
  EXPECT_EQ(hot[0].past_ms, 70);
}

TEST(MethodOrganizerTest, ATimeIsThatOfTheCodeThatAMethodHasNow) {
  MethodOrganizer organizer({.sample_ms = 20, .half_life_ms = kForever});
  const std::vector<MethodSample> samples = {{kMain}, {kGet}};
  organizer.Summarize(samples, 0);
  organizer.OnCompiled(kGet);
  EXPECT_EQ(organizer.Of(kGet, 0).past_ms, 0);
  EXPECT_EQ(organizer.Of(kMain, 0).past_ms, 20);
}

TEST(MethodOrganizerTest, TimesDecay) {
  MethodOrganizer organizer({.sample_ms = 20, .half_life_ms = 500});
  const std::vector<MethodSample> samples = {{kMain}, {kMain}};
  organizer.Summarize(samples, 100);
  EXPECT_DOUBLE_EQ(organizer.Of(kMain, 600).past_ms, 20);
}

class CallGraphOrganizerTest : public testing::Test {
 protected:
  CallGraphOrganizerTest() { sizes_.bytes = {{kMain, 100}, {kGet, 5}, {kHash, 30}, {kBig, 200}}; }
  void Call(MethodId caller, int32_t bci, MethodId callee, double weight) {
    const std::vector<CallSample> samples = {{{caller, bci, callee}, weight}};
    organizer_.Summarize(samples, 0);
  }
  std::vector<MethodId> Inlinable(MethodId caller) const {
    std::vector<MethodId> callees;
    for (const InlinableCall& call : organizer_.CallsOf(caller, sizes_, 0).inlinable) {
      callees.push_back(call.edge.callee);
    }
    return callees;
  }

  SizesForTest sizes_;
  CallGraphOrganizer organizer_{{.half_life_ms = 1000, .call_graph_seed = 0}};
};

TEST_F(CallGraphOrganizerTest, WeightsAreSharesOfAllCalls) {
  Call(kMain, 1, kGet, 3);
  Call(kGet, 2, kHash, 1);
  EXPECT_DOUBLE_EQ(organizer_.WeightOf({kMain, 1, kGet}, 0), 0.75);
  EXPECT_DOUBLE_EQ(organizer_.WeightOf({kMain, 1, kGet}, 5000), 0.75) << "all decay alike";
  EXPECT_DOUBLE_EQ(organizer_.Graph(1000).WeightOf({kMain, 1, kGet}), 1.5);
  EXPECT_DOUBLE_EQ(organizer_.CallsOf(kMain, sizes_, 0).weight, 0.75);
  EXPECT_EQ(organizer_.CallsOf(kBig, sizes_, 0).weight, 0);
}

TEST_F(CallGraphOrganizerTest, FirstSamplesMakeNoEdgeHot) {
  CallGraphOrganizer organizer{AdaptivePolicy{}};
  const std::vector<CallSample> samples(3, {{kMain, 1, kGet}});
  organizer.Summarize(samples, 0);
  EXPECT_LT(organizer.WeightOf({kMain, 1, kGet}, 0), AdaptivePolicy{}.hot_edge_weight);
  const std::vector<CallSample> more(1, {{kMain, 1, kGet}});
  organizer.Summarize(more, 0);
  EXPECT_GT(organizer.WeightOf({kMain, 1, kGet}, 0), AdaptivePolicy{}.hot_edge_weight);
}

TEST_F(CallGraphOrganizerTest, AnEdgeIsInlinableAsTheOracleSaysByItsWeight) {
  Call(kMain, 1, kBig, 1);
  Call(kMain, 2, kGet, 999);
  EXPECT_THAT(Inlinable(kMain), ElementsAre(kGet)) << "200 bytes are too many for a thousandth";
  Call(kMain, 1, kBig, 99);
  EXPECT_THAT(Inlinable(kMain), ElementsAre(kBig, kGet));
}

TEST_F(CallGraphOrganizerTest, OfASiteWithSeveralCalleesThoseWithMoreThanFourTenths) {
  Call(kMain, 1, kGet, 60);
  Call(kMain, 1, kHash, 40);
  EXPECT_THAT(Inlinable(kMain), ElementsAre(kGet));
  EXPECT_TRUE(organizer_.CallsOf(kMain, sizes_, 0).inlinable[0].decision.is_guarded);
  Call(kMain, 1, kHash, 20);
  EXPECT_THAT(Inlinable(kMain), ElementsAre(kGet, kHash));
}

// Section 5.1: "a non-hot (but still profiled) virtual call site had only been seen to invoke a
// single small target method."
TEST_F(CallGraphOrganizerTest, ASmallCalleeThatIsTheOnlyOneSeenIsInlinableThoughItIsNotHot) {
  Call(kMain, 1, kHash, 1);
  Call(kMain, 2, kGet, 9'999);
  EXPECT_THAT(Inlinable(kMain), ElementsAre(kHash, kGet));
}

TEST_F(CallGraphOrganizerTest, WhatHasNoCallSiteOrNoSizeIsNotInlinable) {
  Call(kNoMethod, kNoBci, kGet, 10);
  Call(kMain, kNoBci, kGet, 10);
  Call(kMain, 3, MethodId{77}, 10);
  EXPECT_THAT(Inlinable(kMain), IsEmpty());
  EXPECT_THAT(Inlinable(kNoMethod), IsEmpty());
}

// Lee 2015, section 3.
TEST_F(CallGraphOrganizerTest, ASampleCountsAsItsAntiBiasWeightSays) {
  const std::vector<CallSample> samples = {{{kMain, 1, kGet}, 0.5}, {{kMain, 2, kGet}, 2}};
  organizer_.Summarize(samples, 0);
  EXPECT_DOUBLE_EQ(organizer_.WeightOf({kMain, 2, kGet}, 0), 0.8);
}

}  // namespace
}  // namespace yp
