#include "core/inference/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/graph_for_test.h"
#include "core/inference/samples_for_test.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Lt;

InlineTree::Node RootNode(uint32_t method) { return {0, kNoBci, MethodId{method}}; }
InlineTree::Node Inlined(uint32_t parent, int32_t bci, uint32_t method) {
  return {parent, bci, MethodId{method}};
}

constexpr double kLater = 1 + kLaterVariance;

double LogVariance(const InferredEdge& edge) {
  return std::log1p(edge.variance / (edge.calls * edge.calls));
}

TEST(InferTest, CallsAreEntriesTimesTheRatiosOfThePath) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1'000, {{3, 500, {}}, {8, 4'000, {}}}});
  profiles.Add(MethodId{2}, {400, {{1, 100, {}}}});
  const std::vector<Root> roots = {
      {{{RootNode(0), Inlined(0, 3, 1), Inlined(0, 8, 2), Inlined(2, 1, 3)}}, Samples(10), {}}};
  const std::vector<InferredEdge> edges = Infer(roots, profiles).inlined;
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_EQ(edges[0].edge, MakeEdge(0, 3, 1));
  EXPECT_DOUBLE_EQ(edges[0].calls, 500);  // 1,000 entries * 1/2
  EXPECT_EQ(edges[1].edge, MakeEdge(0, 8, 2));
  EXPECT_DOUBLE_EQ(edges[1].calls, 4'000);  // * 4
  EXPECT_EQ(edges[2].edge, MakeEdge(2, 1, 3));
  EXPECT_DOUBLE_EQ(edges[2].calls, 1'000);  // * 4 * 1/4
  // 1/10 of the entries; (0.3 * 3/4)^2 + 0.75 / 1,000 of the loop; as much and 0.75 / 100 of the
  // branch. Both count kLater times.
  EXPECT_NEAR(LogVariance(edges[1]), 0.1 + kLater * 0.0514, 0.0005);
  EXPECT_NEAR(LogVariance(edges[2]), 0.1 + kLater * (0.0514 + 0.0581), 0.001);
}

// The calls that are inferred of each callee of method 0, of 10,000 entries.
std::vector<double> InlinedAt(const SiteProfile& site, const std::vector<uint32_t>& inlined,
                              const std::vector<OutgoingSite>& outgoing = {}) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {site}});
  Root root{{{RootNode(0)}}, Samples(100), outgoing};
  for (const uint32_t method : inlined) root.tree.nodes.push_back(Inlined(0, site.bci, method));
  const Inference inference = Infer(std::vector{root}, profiles, {.calls_per_sample = 100});
  std::vector<double> calls;
  for (const InferredEdge& edge : inference.inlined) calls.push_back(edge.calls);
  return calls;
}

TEST(InferTest, WithoutACallInstructionWhatIsInlinedMakesUpAllCalls) {
  const SiteProfile site{5, 1e6, {{MethodId{1}, 3e5}, {MethodId{2}, 2e5}}};
  EXPECT_THAT(InlinedAt(site, {3}), ElementsAre(DoubleNear(10'000, 1)))
      << "the compiler knew the class, whatever the profile has recorded";
  EXPECT_THAT(InlinedAt(site, {1}), ElementsAre(DoubleNear(10'000, 1)));
  EXPECT_THAT(InlinedAt(site, {1, 2}), ElementsAre(DoubleNear(6'000, 1), DoubleNear(4'000, 1)));
  EXPECT_THAT(InlinedAt(site, {1, 2}, {{0, 5, std::nullopt}}),
              ElementsAre(DoubleNear(3'000, 1), DoubleNear(2'000, 1)))
      << "the others are called";
}

// Method 1, inlined in method 0, calls something 7 times in each invocation, from everywhere else
// other methods.
TEST(InferTest, WhatTheProfileDoesNotRecordIsNotCalledMoreOftenThanItWasInvoked) {
  const Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(1, 7, 3)}}, Samples(100), {}};
  const auto inlined = [&](double invocations, const InferenceOptions& options) {
    MethodProfiles profiles;
    profiles.Add(MethodId{0}, {1'000, {{3, 2'000, {}}}});
    profiles.Add(MethodId{1}, {1e5, {{7, 7e5, {{MethodId{2}, 5e5}}}}});
    profiles.Add(MethodId{3}, {invocations, {}});
    return Infer(std::vector{root}, profiles, options).inlined.back().calls;
  };
  EXPECT_NEAR(inlined(500, {}), 10'000 * 0.5, 1);
  EXPECT_NEAR(inlined(14'001, {}), 10'000 * 14, 1);
  EXPECT_NEAR(inlined(0, {}), 10'000 * 14, 1) << "its invocations were not counted";
  EXPECT_NEAR(inlined(500, {.compiled = {MethodId{3}}}), 10'000 * 14, 1) << "nor all of them";
}

// Method 1, inlined in method 0, calls itself for each of its node's children: a tree of 1 + 6
// nodes, two levels deep.
TEST(InferTest, HowOftenARecursiveMethodCallsItselfAtTheTopItsProfileDoesNotTell) {
  const auto inlined = [](uint32_t callee) {
    MethodProfiles profiles;
    profiles.Add(MethodId{0}, {1'000, {{3, 1'000, {{MethodId{1}, 1'000}}}, {5, 1'000, {}}}});
    profiles.Add(MethodId{1}, {7'000, {{7, 6'000, {{MethodId{callee}, 6'000}}}}});
    const Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(0, 5, 2)}},
                    Samples(25),
                    {{1, 7, Samples(150), {{MethodId{callee}, Samples(150)}}}}};
    return Infer(std::vector{root}, profiles, {.calls_per_sample = 100}).inlined.back().calls;
  };
  EXPECT_NEAR(inlined(1), 2'500, 1'000) << "nearly what its entries say";
  EXPECT_GT(inlined(9), 7'500) << "of another method the profile is to be trusted";
}

TEST(InferTest, CallsOfReceiversWithoutANameAreNotThoseOfWhatIsInlined) {
  const SiteProfile site{5, 1e6, {{MethodId{1}, 6e5}, {kNoMethod, 4e5}}};
  EXPECT_THAT(InlinedAt(site, {1}), ElementsAre(DoubleNear(6'000, 1)));
}

TEST(InferTest, ALambdasReceiverHasNoNameAndItsBodyAllCalls) {
  const SiteProfile site{5, 1e6, {{kNoMethod, 1e6}}};
  EXPECT_THAT(InlinedAt(site, {1}), ElementsAre(DoubleNear(10'000, 1)));
}

TEST(InferTest, WhatIsSeenOfAnInlinedCalleeKeepsItsCalls) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{1}, 9e5}, {MethodId{2}, 1e5}}}}});
  profiles.Add(MethodId{1}, {1e6, {{7, 1e6, {{MethodId{9}, 1e6}}}}});
  // The profile's calls of 1, and more of 2 than it has.
  for (const double samples : {0, 90}) {
    const Root root{{{RootNode(0), Inlined(0, 5, 1)}},
                    Samples(100),
                    {{0, 5, Samples(60), {{MethodId{2}, Samples(60)}}},
                     {1, 7, Samples(samples), {{MethodId{9}, Samples(samples)}}}}};
    const Inference inference = Infer(std::vector{root}, profiles, {.calls_per_sample = 100});
    ASSERT_EQ(inference.inlined.size(), 1u);
    if (samples > 0) {
      EXPECT_GT(inference.inlined[0].calls, 8'000);
    } else {
      EXPECT_LT(inference.inlined[0].calls, 5'000);
    }
  }
}

TEST(InferTest, WhereMoreIsCalledThanExpectedLessIsInlined) {
  const SiteProfile site{5, 1e6, {{MethodId{1}, 9e5}, {MethodId{2}, 1e5}}};
  const auto with_calls = [&](double samples) {
    return InlinedAt(site, {1}, {{0, 5, Samples(samples), {{MethodId{2}, Samples(samples)}}}});
  };
  EXPECT_THAT(with_calls(10), ElementsAre(DoubleNear(9'000, 100))) << "as in the profile";
  EXPECT_THAT(with_calls(15), ElementsAre(DoubleNear(9'100, 300))) << "by chance";
  EXPECT_THAT(with_calls(60), ElementsAre(DoubleNear(4'000, 500)));
  EXPECT_THAT(with_calls(100), ElementsAre(Lt(1'000)));
  EXPECT_THAT(with_calls(150), ElementsAre(Lt(300)));
}

// Each of two receivers of the site, both inlined, makes one call that is not.
TEST(InferTest, ACallThatEveryInvocationMakesTellsHowManyThereWere) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {{MethodId{1}, 5e5}, {MethodId{2}, 5e5}}}}});
  for (const uint32_t method : {1u, 2u})
    profiles.Add(MethodId{method}, {1e6, {{7, 1e6, {}}, {9, 1e6, {}}}});
  const auto calls = [&](double of_first, double of_second) {
    Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(0, 3, 2), Inlined(1, 9, 4)}},
              Samples(of_first + of_second),
              {{1, 7, Samples(of_first)}, {2, 7, Samples(of_second)}}};
    return Infer(std::vector{root}, profiles).inlined;
  };
  const auto many = calls(1e5, 9e5);
  ASSERT_EQ(many.size(), 3u);
  EXPECT_NEAR(many[0].calls, 1e7, 1e5) << "not half of the entries";
  EXPECT_NEAR(many[1].calls, 9e7, 1e6);
  EXPECT_NEAR(many[2].calls, 1e7, 2e5) << "below it as well";
  EXPECT_NEAR(LogVariance(many[0]), kLater * 1e-5, 2e-6);
  EXPECT_NEAR(calls(1, 9)[0].calls, 500, 50) << "ten samples may be so by chance";
}

// Method 1, which every invocation of method 0 calls once and which is inlined there, has a loop of
// four trips by its profile: in it sites 7, 9 and 11, of which 7 is left as a call. At site 15,
// three calls per invocation, is another loop.
struct LoopInContext {
  double counted = 1e6;  // Invocations of method 1 in its profile.
  std::vector<InferredEdge> Inferred(double entries, double trips) const {
    MethodProfiles profiles;
    profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}}});
    profiles.Add(MethodId{1},
                 {counted,
                  {{7, 4 * counted, {}},
                   {9, 4 * counted, {}},
                   {11, 4 * counted, {{MethodId{4}, 1 * counted}, {MethodId{5}, 3 * counted}}},
                   {15, 3 * counted, {}}}});
    Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(1, 9, 2), Inlined(1, 11, 4),
                Inlined(1, 11, 5), Inlined(1, 15, 6)}},
              Samples(entries),
              {{1, 7, Samples(entries * trips)}}};
    return Infer(std::vector{root}, profiles).inlined;
  }
};

TEST(InferTest, ACallInALoopTellsHowOftenAllElseInItIsRun) {
  const auto edges = LoopInContext().Inferred(1e5, 9);
  ASSERT_EQ(edges.size(), 5u);
  EXPECT_NEAR(edges[0].calls, 1e7, 1e5) << "invocations of method 1";
  EXPECT_NEAR(edges[1].calls, 9e7, 1e6);
  EXPECT_NEAR(edges[2].calls, 9e7 / 4, 1e6);
  EXPECT_NEAR(edges[3].calls, 9e7 * 3 / 4, 1e6);
  EXPECT_NEAR(edges[4].calls, 3e7, 1e6) << "not in that loop";
  EXPECT_LT(LogVariance(edges[1]), 1e-4) << "the profile's trips do not matter";
  EXPECT_GT(LogVariance(edges[2]), 0.1) << "which receiver is as unknown as before";
  EXPECT_THAT(LoopInContext().Inferred(1, 9)[1].calls, AllOf(Gt(500), Lt(850)))
      << "nine samples may be so by chance";
  EXPECT_NEAR(LoopInContext{.counted = 20}.Inferred(1e5, 9)[1].calls, 4e7, 1e6)
      << "few counts may be equal by chance";
}

TEST(InferTest, ACallOfAnInlinedCalleeTellsOfTheLoopThatItIsIn) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 4e6, {}}, {5, 4e6, {}}}});
  profiles.Add(MethodId{1}, {4e6, {{2, 4e6, {}}}});
  profiles.Add(MethodId{2}, {4e6, {{8, 4e6, {}}}});
  Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(1, 2, 2), Inlined(0, 5, 3)}},
            Samples(1e5),
            {{2, 8, Samples(9e5)}}};
  const auto edges = Infer(std::vector{root}, profiles).inlined;
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_NEAR(edges[0].calls, 9e7, 1e6);
  EXPECT_NEAR(edges[1].calls, 9e7, 1e6) << "beside it";
  EXPECT_NEAR(edges[2].calls, 9e7, 1e6);
}

TEST(InferTest, RootsAddUpAndErrIndependently) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1'000'000, {{3, 1'000'000, {}}}});
  const InlineTree own = {{RootNode(0), Inlined(0, 3, 1)}};
  const InlineTree other = {{RootNode(5), Inlined(0, 2, 0), Inlined(1, 3, 1)}};
  profiles.Add(MethodId{5}, {1'000'000, {{2, 1'000'000, {}}}});
  const std::vector<InferredEdge> edges =
      Infer(std::vector<Root>{{own, Samples(100), {}}, {other, Samples(400), {}}}, profiles)
          .inlined;
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].edge, MakeEdge(0, 3, 1));
  EXPECT_DOUBLE_EQ(edges[0].calls, 50'000);
  // exp(1/n) - 1 is the relative variance of each: 10,000^2 * 0.01005 + 40,000^2 * 0.002503.
  EXPECT_NEAR(edges[0].variance, 5.01e6, 1e4);
}

TEST(InferTest, CopiesOfAnEdgeInOneRootErrAlike) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1'000'000, {{3, 1'000'000, {}}, {5, 1'000'000, {}}}});
  profiles.Add(MethodId{1}, {2'000'000, {{7, 2'000'000, {}}}});
  const std::vector<Root> roots = {
      {{{RootNode(0), Inlined(0, 3, 1), Inlined(0, 5, 1), Inlined(1, 7, 2), Inlined(2, 7, 2)}},
       Samples(100),
       {}}};
  const std::vector<InferredEdge> edges = Infer(roots, profiles).inlined;
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_EQ(edges[2].edge, MakeEdge(1, 7, 2));
  EXPECT_DOUBLE_EQ(edges[2].calls, 20'000);
  EXPECT_NEAR(LogVariance(edges[2]), 0.01, 1e-5);
}

TEST(InferTest, ARarelyEnteredRootWithAHotLoopIsScaledByItsOutgoingCalls) {
  // Entered once in the samples, by the loop's 20,000 calls that went out about 20 times.
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1'000, {{3, 1'000'000, {}}}});
  profiles.Add(MethodId{1}, {10'000, {{2, 10'000, {}}}});
  const std::vector<Root> roots = {
      {{{RootNode(0), Inlined(0, 3, 1)}}, Samples(1), {{1, 2, Samples(20'000)}}}};
  const std::vector<InferredEdge> edges = Infer(roots, profiles).inlined;
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_NEAR(edges[0].calls, 2e6, 1.2e6);
  EXPECT_GT(edges[0].calls, 8e5) << "entries alone give 1e5";
}

TEST(InferTest, CallsThatLeaveAgainAreAsCertainAsTheyWereCounted) {
  // On-stack replacement: every call of 1 goes on to the outgoing site, however long the loop is.
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1, {{3, 1'000'000, {}}}});
  profiles.Add(MethodId{1}, {1e6, {{2, 1e6, {}}}});
  const std::vector<Root> roots = {
      {{{RootNode(0), Inlined(0, 3, 1)}}, std::nullopt, {{1, 2, Samples(400)}}}};
  const std::vector<InferredEdge> edges = Infer(roots, profiles).inlined;
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_NEAR(edges[0].calls, 40'000, 1e-6);
  EXPECT_NEAR(LogVariance(edges[0]), 1.0 / 400, 1e-5);
}

TEST(InferTest, ASiteExpectsTheCallsThatWereNotInlined) {
  // Of two calls per entry, 3/4 are inlined: 50 samples of half a call per entry.
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 2e6, {{MethodId{1}, 1.5e6}, {MethodId{2}, 0.5e6}}}}});
  Root root{{{RootNode(0), Inlined(0, 3, 1)}}, std::nullopt, {{0, 3, Samples(50)}}};
  std::vector<InferredEdge> edges = Infer(std::vector{root}, profiles).inlined;
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_NEAR(edges[0].calls, 10'000 * 1.5, 1e-6);
  // 1/50 of the samples; the site's ratio, here and there, (0.3 * 1/2)^2 each; the share that is
  // left (0.3 * 3/4)^2 and the share that is inlined (0.3 * 1/4)^2.
  EXPECT_NEAR(LogVariance(edges[0]), 0.02 + 0.0225 + 0.050625 + kLater * (0.0225 + 0.005625), 1e-4);

  // Where nothing should be left, what was observed says nothing.
  root.tree.nodes.push_back(Inlined(0, 3, 2));
  EXPECT_THAT(Infer(std::vector{root}, profiles).inlined, IsEmpty());
}

TEST(InferTest, OutgoingSitesWithoutCallsLowerTheEstimate) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}, {6, 1e6, {}}, {9, 1e6, {}}}});
  Root root{{{RootNode(0), Inlined(0, 3, 1)}}, Samples(1), {{0, 6, Samples(1)}}};
  EXPECT_NEAR(Infer(std::vector{root}, profiles).inlined[0].calls, 100, 0.1);  // 2 samples of 2.
  root.outgoing.push_back({0, 9, SampledCalls{}});
  EXPECT_NEAR(Infer(std::vector{root}, profiles).inlined[0].calls, 67, 0.5);  // 2 samples of 3.
  root.outgoing.back().calls = std::nullopt;
  EXPECT_NEAR(Infer(std::vector{root}, profiles).inlined[0].calls, 100, 0.1)
      << "what cannot be observed says nothing";
}

TEST(InferTest, ElidedCallsAreAddedOnDemand) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {100, {{1, 100, {{MethodId{1}, 100}}}}});
  const std::vector<Root> roots = {{{{RootNode(0)}}, Samples(10), {}}};
  EXPECT_THAT(Infer(roots, profiles).inlined, IsEmpty());
  const std::vector<InferredEdge> edges =
      Infer(roots, profiles, {.add_elided_calls = true}).inlined;
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(edges[0].edge, MakeEdge(0, 1, 1));
  EXPECT_DOUBLE_EQ(edges[0].calls, 1'000);
}

TEST(InferTest, RootsOfWhichNothingWasObservedAddNothing) {
  const InlineTree tree = {{RootNode(0), Inlined(0, 3, 1)}};
  const std::vector<Root> roots = {{tree, std::nullopt, {}},
                                   {tree, SampledCalls{}, {}},
                                   {tree, SampledCalls{}, {{0, 9, SampledCalls{}}}},
                                   {tree, std::nullopt, {{0, 9, std::nullopt}}}};
  EXPECT_THAT(Infer(roots, {}).inlined, IsEmpty());
  EXPECT_THAT(Infer({}, {}).inlined, IsEmpty());
}

// As of one root with 100 samples at its entry and 100 that left it by a site of ratio 1: 10,000
// entries.
std::vector<InferredEdge> Called(const MethodProfiles& profiles,
                                 InlineTree tree = {{RootNode(0)}}) {
  const OutgoingSite site{0, 5, Samples(100), {{MethodId{7}, Samples(100)}}};
  const std::vector<Root> roots = {{std::move(tree), Samples(100), {site}}};
  return Infer(roots, profiles, {.calls_per_sample = 100, .expectation_weight = 3}).called;
}

TEST(InferCalledTest, WhatIsAsExpectedStaysAsObserved) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{7}, 1e6}}}}});
  const std::vector<InferredEdge> edges = Called(profiles);
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(edges[0].edge, MakeEdge(0, 5, 7));
  EXPECT_NEAR(edges[0].calls, 10'000, 1e-6);  // 100 (3 + 100) / (3 100 / 10,000 + 1)
  EXPECT_NEAR(edges[0].variance, 10'000 * 103 / (1.03 * 1.03), 1e-3);
}

TEST(InferCalledTest, ACalleeWithoutSamplesHasPartOfWhatIsExpected) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{7}, 9e5}, {MethodId{8}, 1e5}}}}});
  const std::vector<InferredEdge> edges = Called(profiles);
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_NEAR(edges[0].calls, 10'300 / (300. / 9'000 + 1), 1e-6);  // Of 9,000 expected.
  EXPECT_NEAR(edges[1].calls, 300 / (300. / 1'000 + 1), 1e-6);     // Of 1,000.
}

TEST(InferCalledTest, NothingIsExpectedOfInlinedCalleesAndWithoutAProfile) {
  MethodProfiles profiles;
  const std::vector<InferredEdge> unknown = Called(profiles);
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_NEAR(unknown[0].calls, 10'000, 1e-6);
  EXPECT_NEAR(unknown[0].variance, 100 * 10'000, 1e-3);
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{7}, 9e5}, {MethodId{8}, 1e5}}}}});
  EXPECT_EQ(Called(profiles, {{RootNode(0), Inlined(0, 5, 8)}}).size(), 1u);
}

TEST(InferCalledTest, SitesThatCannotBeObservedSayNothing) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{7}, 1e6}}}}});
  const std::vector<Root> roots = {{{{RootNode(0)}}, Samples(100), {{0, 5, std::nullopt}}}};
  EXPECT_THAT(Infer(roots, profiles, {.calls_per_sample = 100}).called, IsEmpty());
}

// Entered 10,000 times in 100 samples. At its call, in every invocation, 1 should be called 900
// times of 1,000, and 2 the others; of them there are so many samples.
Inference AtAVirtualCall(double of_1, double of_2, bool add_elided_calls = true) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{1}, 9e5}, {MethodId{2}, 1e5}}}}});
  SampledCalls all = Samples(of_1 + of_2);
  const OutgoingSite site{0, 5, all, {{MethodId{1}, Samples(of_1)}, {MethodId{2}, Samples(of_2)}}};
  const std::vector<Root> roots = {{{{RootNode(0)}}, Samples(100), {site}}};
  return Infer(roots, profiles, {.add_elided_calls = add_elided_calls, .calls_per_sample = 100});
}

TEST(InferPartlyInlinedTest, ACalleeThatIsHardlyCalledWasInlinedForItsReceivers) {
  const Inference inference = AtAVirtualCall(1, 10);
  ASSERT_EQ(inference.inlined.size(), 1u);
  EXPECT_EQ(inference.inlined[0].edge, MakeEdge(0, 5, 1));
  EXPECT_NEAR(inference.inlined[0].calls, 9'000 - 100, 10) << "those that are no calls";
  ASSERT_EQ(inference.called.size(), 2u);
  EXPECT_NEAR(inference.called[0].calls, 100, 1e-6) << "as observed";
  EXPECT_NEAR(inference.called[1].calls, 1'000, 10);
}

TEST(InferPartlyInlinedTest, ItDoesNotLowerTheEstimateOfTheRoot) {
  EXPECT_NEAR(AtAVirtualCall(0, 10).called.back().calls, 1'000, 10);
  const Inference all_calls = AtAVirtualCall(0, 10, /*add_elided_calls=*/false);
  EXPECT_THAT(all_calls.inlined, IsEmpty());
  EXPECT_LT(all_calls.called.back().calls, 950) << "else the test above tests nothing";
}

TEST(InferPartlyInlinedTest, OtherReceiversThanUsualAreNoSignOfIt) {
  EXPECT_THAT(AtAVirtualCall(1, 99).inlined, IsEmpty()) << "all calls are there, of the other";
  EXPECT_EQ(AtAVirtualCall(1, 20).inlined.size(), 1u);
}

TEST(InferPartlyInlinedTest, FewSamplesAreNoSignOfIt) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{5, 1e6, {{MethodId{1}, 1e6}}}}});
  for (const double entries : {2, 100}) {
    const std::vector<Root> roots = {{{{RootNode(0)}}, Samples(entries), {{0, 5, SampledCalls{}}}}};
    const Inference inference =
        Infer(roots, profiles, {.add_elided_calls = true, .calls_per_sample = 100});
    EXPECT_EQ(inference.inlined.size(), entries == 100 ? 1u : 0u);
  }
}

// A root that was entered 10,000 times in 100 samples. Every second invocation calls 1, which is
// inlined, and it 2 and 3. Every invocation calls 4 without a branch.
class InferUnwantedTest : public ::testing::Test {
 protected:
  InferUnwantedTest() {
    profiles_.Add(MethodId{0}, {1e6, {{3, 5e5, {}}, {8, 1e6, {}}}});
    profiles_.Add(MethodId{1}, {1e6, {{2, 1e6, {{MethodId{2}, 1e6}}}, {7, 1e6, {}}}});
    profiles_.Add(MethodId{4}, {1e6, {{6, 1e6, {{MethodId{2}, 1e6}}}}});
  }
  Inference Run(const Root& root, const std::set<MethodId>& traceable = {MethodId{2}}) const {
    InferenceOptions options{.add_elided_calls = true, .calls_per_sample = 100};
    options.traceable = traceable;
    return Infer(std::vector{root}, profiles_, options);
  }
  static double Inlined1(const Inference& inference) {
    for (const InferredEdge& edge : inference.inlined) {
      if (edge.edge == MakeEdge(0, 3, 1)) return edge.calls;
    }
    return 0;
  }

  MethodProfiles profiles_;
  Root branch_ = {
      {{RootNode(0), Inlined(0, 3, 1), Inlined(1, 7, 3)}}, Samples(100), {{1, 2, SampledCalls{}}}};
  Root no_branch_ = {{{RootNode(0), Inlined(0, 8, 4)}},
                     Samples(100),
                     {{0, 3, std::nullopt}, {1, 6, SampledCalls{}}}};
};

TEST_F(InferUnwantedTest, TheBranchToACallThatWouldLeaveATraceIsLowered) {
  const Inference inference = Run(branch_);
  EXPECT_LT(Inlined1(inference), 200) << "5,000 by the profile, 50 samples of which none is there";
  for (const InferredEdge& edge : inference.inlined) EXPECT_NE(edge.edge, MakeEdge(1, 2, 2));
}

TEST_F(InferUnwantedTest, ACallThatLeavesNoTraceIsTakenForInlined) {
  const Inference inference = Run(branch_, {});
  EXPECT_NEAR(Inlined1(inference), 5'000, 1);
  ASSERT_EQ(inference.inlined.size(), 3u);
  EXPECT_EQ(inference.inlined[1].edge, MakeEdge(1, 2, 2));
}

TEST_F(InferUnwantedTest, WithoutSamplesOfItsEntriesTheOtherCallsDecide) {
  // The 100 samples of another call, once in ten invocations, are of 100,000 invocations: with less
  // below the branch there are more of them.
  profiles_.Add(MethodId{0}, {1e6, {{3, 5e5, {}}, {9, 1e5, {{MethodId{9}, 1e5}}}}});
  branch_.entries = std::nullopt;
  branch_.outgoing.push_back({0, 9, Samples(100), {{MethodId{9}, Samples(100)}}});
  EXPECT_LT(Inlined1(Run(branch_)), 1'000) << "50,000 by the profile";
}

TEST_F(InferUnwantedTest, CallsThatAreThereBelowTheBranchKeepIt) {
  // 3, at another call instruction below the branch, is called as often as expected.
  profiles_.Add(MethodId{3}, {1e6, {{4, 1e6, {{MethodId{9}, 1e6}}}}});
  branch_.outgoing.push_back({2, 4, Samples(50), {{MethodId{9}, Samples(50)}}});
  const Inference inference = Run(branch_);
  EXPECT_NEAR(Inlined1(inference), 5'000, 300);
  for (const InferredEdge& edge : inference.inlined) EXPECT_NE(edge.edge, MakeEdge(1, 2, 2));
}

TEST_F(InferUnwantedTest, ABranchAtTheCallItselfKeepsThePathToIt) {
  profiles_.Add(MethodId{1}, {1e6, {{2, 2e5, {{MethodId{2}, 2e5}}}, {7, 1e6, {}}}});
  branch_.entries = Samples(1'000);
  const Inference inference = Run(branch_);
  EXPECT_NEAR(Inlined1(inference), 50'000, 2'000);
  for (const InferredEdge& edge : inference.inlined) EXPECT_NE(edge.edge, MakeEdge(1, 2, 2));
}

TEST_F(InferUnwantedTest, WhatIsBehindTheSameBranchAsTheCallIsLoweredWithIt) {
  profiles_.Add(MethodId{1}, {1e6, {{2, 2e5, {{MethodId{2}, 2e5}}}, {7, 2e5, {}}, {9, 3e5, {}}}});
  branch_.entries = Samples(1'000);
  branch_.tree.nodes.push_back(Inlined(1, 9, 5));
  const Inference inference = Run(branch_);
  ASSERT_EQ(inference.inlined.size(), 3u);
  EXPECT_NEAR(Inlined1(inference), 50'000, 2'000);
  EXPECT_EQ(inference.inlined[1].edge, MakeEdge(1, 7, 3));
  EXPECT_LT(inference.inlined[1].calls, 500) << "10,000 by the profile";
  EXPECT_EQ(inference.inlined[2].edge, MakeEdge(1, 9, 5));
  EXPECT_NEAR(inference.inlined[2].calls, 15'000, 1'000) << "behind another branch";
}

TEST_F(InferUnwantedTest, WithoutABranchOnlyTheCallIsLeftOut) {
  const Inference inference = Run(no_branch_);
  ASSERT_EQ(inference.inlined.size(), 1u);
  EXPECT_EQ(inference.inlined[0].edge, MakeEdge(0, 8, 4));
  EXPECT_NEAR(inference.inlined[0].calls, 10'000, 1) << "it is no witness of the root";
  EXPECT_THAT(inference.called, IsEmpty());
}

TEST(InferTest, WhatSamplesHaveInCommonWidensTheIntervalsAndChangesNoEstimate) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}, {5, 1e6, {{MethodId{7}, 1e6}}}}});
  const OutgoingSite site{0, 5, Samples(90), {{MethodId{7}, Samples(90)}}};
  Root root{{{RootNode(0), Inlined(0, 3, 1)}}, Samples(100), {site}};
  const Inference before = Infer(std::vector{root}, profiles, {.calls_per_sample = 100});
  root.common_log_variance = 0.25;
  const Inference after = Infer(std::vector{root}, profiles, {.calls_per_sample = 100});
  for (const auto edges : {&Inference::inlined, &Inference::called}) {
    ASSERT_EQ((before.*edges).size(), 1u);
    const InferredEdge narrow = (before.*edges)[0], wide = (after.*edges)[0];
    EXPECT_EQ(narrow.calls, wide.calls);
    EXPECT_NEAR(LogVariance(wide), LogVariance(narrow) + 0.25, 0.005);
  }
}

TEST(InferTest, HoweverLittleSamplesTellVariancesAreFinite) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}, {5, 1e6, {{MethodId{7}, 1e6}}}}});
  const OutgoingSite site{0, 5, Samples(90), {{MethodId{7}, Samples(90)}}};
  const Root root{{{RootNode(0), Inlined(0, 3, 1)}}, Samples(100), {site}, 1e4};
  const Inference inference = Infer(std::vector{root}, profiles, {.calls_per_sample = 100});
  ASSERT_EQ(inference.called.size(), 1u);
  EXPECT_TRUE(std::isfinite(inference.called[0].variance));
  ASSERT_EQ(inference.inlined.size(), 1u);
  EXPECT_TRUE(std::isfinite(inference.inlined[0].variance));
}

TEST(InferTest, OnlyWantedEdgesAreThereAndInTheVarianceOfAll) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}, {5, 2e6, {}}, {8, 1e6, {{MethodId{4}, 1e6}}}}});
  Root root{{{RootNode(0), Inlined(0, 3, 1), Inlined(0, 5, 2)}}, Samples(100), {}};
  root.outgoing.push_back({0, 8, Samples(100), {{MethodId{4}, Samples(100)}}});
  InferenceOptions options;
  const auto wanted_of = [&](std::set<MethodId> callees) {
    options.is_wanted = [=](const Edge& edge) { return callees.contains(edge.callee); };
    return Infer(std::vector{root}, profiles, options);
  };
  const Inference both = wanted_of({MethodId{1}, MethodId{2}});
  ASSERT_EQ(both.inlined.size(), 2u);
  EXPECT_THAT(both.called, IsEmpty());
  const Inference one = wanted_of({MethodId{1}, MethodId{4}});
  ASSERT_EQ(one.inlined.size(), 1u);
  EXPECT_EQ(one.called.size(), 1u);
  EXPECT_DOUBLE_EQ(one.inlined_variance, one.inlined[0].variance);
  EXPECT_DOUBLE_EQ(one.inlined[0].part_of_inlined_variance, one.inlined_variance);
  // Both err alike: the deviations add up, and without one of them the other's remains.
  const double deviation =
      std::sqrt(both.inlined[0].variance) + std::sqrt(both.inlined[1].variance);
  EXPECT_NEAR(both.inlined_variance, deviation * deviation, 1e-6 * both.inlined_variance);
  EXPECT_NEAR(both.inlined_variance - both.inlined[1].part_of_inlined_variance,
              both.inlined[0].variance, 1e-6 * both.inlined_variance);
}

TEST(InferTest, RootsErrIndependentlyAndAnEdgeByItsCallsAtMost) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {1e6, {{3, 1e6, {}}}});
  Root root{{{RootNode(0), Inlined(0, 3, 1)}}, Samples(100), {}};
  const double of_one = Infer(std::vector{root}, profiles).inlined_variance;
  EXPECT_NEAR(Infer(std::vector{root, root}, profiles).inlined_variance, 2 * of_one, 1e-9 * of_one);
  root.common_log_variance = 9;
  EXPECT_DOUBLE_EQ(Infer(std::vector{root}, profiles).inlined_variance, 1e8) << "10,000 calls";
}

TEST(InferTest, TheIntervalIsLogNormal) {
  // A standard deviation of 0.2 of the logarithm: exp(-+0.392).
  const InferredEdge edge{{}, 1'000, 1e6 * std::expm1(0.04)};
  EXPECT_NEAR(Interval95(edge).low, 675.7, 0.1);
  EXPECT_NEAR(Interval95(edge).high, 1479.9, 0.1);
  EXPECT_EQ(Interval95({{}, 1'000, 0}).low, 1'000);
}

}  // namespace
}  // namespace yp
