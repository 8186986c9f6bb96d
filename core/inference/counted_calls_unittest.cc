#include "core/inference/counted_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "core/inference/contexts_for_test.h"

namespace yp {
namespace {

using ::testing::DoubleNear;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr MethodId kWork{5}, kOther{6}, kThird{7};

SiteProfile To(int32_t bci, double calls, std::vector<SiteProfile::Callee> callees) {
  return {bci, calls, std::move(callees)};
}

CountedCalls Of(const std::vector<CountedCalls>& counted, const Edge& edge) {
  for (const CountedCalls& calls : counted) {
    if (calls.edge == edge) return calls;
  }
  return {edge};
}

TEST(CountedCallsTest, WhatWasCountedAtASiteIsAnEdge) {
  const std::vector<MethodCounts> methods = {
      {kMain, {10, {To(3, 70, {{kWork, 40}, {kOther, 30}}), To(8, 5, {})}}}};
  const auto counted = CountCalls(methods);
  ASSERT_THAT(counted, SizeIs(2));
  EXPECT_EQ(counted[0].edge, (Edge{kMain, 3, kWork}));
  EXPECT_EQ(counted[0].counted, 40);
  EXPECT_EQ(counted[0].split, 0);
  EXPECT_EQ(Of(counted, {kMain, 3, kOther}).counted, 30);
}

TEST(CountedCallsTest, ReceiverClassesOfOneMethodAreOneCallee) {
  const auto counted =
      CountCalls(std::vector<MethodCounts>{{kMain, {10, {To(3, 70, {{kWork, 40}, {kWork, 30}})}}}});
  ASSERT_THAT(counted, SizeIs(1));
  EXPECT_EQ(counted[0].counted, 70);
}

TEST(CountedCallsTest, OnlyWantedEdgesAreThere) {
  CountOptions options;
  options.is_wanted = [](const Edge& edge) { return edge.callee == kWork; };
  const auto counted = CountCalls(
      std::vector<MethodCounts>{{kMain, {10, {To(3, 70, {{kWork, 40}, {kOther, 30}})}}}}, options);
  ASSERT_THAT(counted, SizeIs(1));
  EXPECT_EQ(counted[0].edge.callee, kWork);
}

TEST(CountedCallsTest, UnrecordedCallsAreSplitByEstimates) {
  const std::vector<MethodCounts> methods = {
      {kMain, {10, {To(3, 100, {{kWork, 30}, {kOther, 30}})}}}};
  CountOptions options;
  std::map<MethodId, double> estimates = {{kWork, 3}, {kOther, 3}, {kThird, 4}};
  options.callees = [&](MethodId, int32_t bci) {
    std::vector<MethodId> callees;
    for (const auto& [callee, calls] : estimates) callees.push_back(callee);
    return bci == 3 ? callees : std::vector<MethodId>();
  };
  options.estimate = [&](const Edge& edge) {
    return SampledCalls{estimates.at(edge.callee), estimates.at(edge.callee)};
  };
  auto counted = CountCalls(methods, options);
  EXPECT_NEAR(Of(counted, {kMain, 3, kThird}).split, 40, 1e-9) << "the others have their 30 %";
  EXPECT_EQ(Of(counted, {kMain, 3, kWork}).split, 0);
  // Of one that was recorded less often than it is called.
  estimates = {{kWork, 6}, {kOther, 3}, {kThird, 1}};
  counted = CountCalls(methods, options);
  EXPECT_NEAR(Of(counted, {kMain, 3, kWork}).split, 30, 1e-9);
  EXPECT_NEAR(Of(counted, {kMain, 3, kThird}).split, 10, 1e-9);
}

// The VM has recorded two classes. The method of the first is that of another class as well, so
// that it has some of the other calls.
TEST(CountedCallsTest, TheDeviationOfWhatIsSplitIsThatOfTheEstimates) {
  constexpr double kCalls = 330, kRecorded = 133;
  const std::map<MethodId, double> parts = {
      {kWork, 0.46}, {kOther, 0.21}, {kThird, 0.24}, {kLeaf, 0.09}};
  const std::vector<MethodCounts> methods = {
      {kMain, {10, {To(3, kCalls, {{kWork, kRecorded}, {kOther, 0.21 * kCalls}})}}}};
  std::map<MethodId, SampledCalls> estimates;
  CountOptions options;
  options.callees = [&](MethodId, int32_t) {
    return std::vector<MethodId>{kWork, kOther, kThird, kLeaf};
  };
  options.estimate = [&](const Edge& edge) { return estimates[edge.callee]; };
  std::mt19937 random(1);
  constexpr int kRuns = 2000;
  std::map<MethodId, int> held;
  for (int run = 0; run < kRuns; ++run) {
    for (const auto& [callee, part] : parts) {
      // Of 60 samples, each of 50 calls.
      const double samples = std::poisson_distribution<int>(60 * part)(random);
      estimates[callee] = {50 * samples, 50 * 50 * samples};
    }
    const auto counted = CountCalls(methods, options);
    for (const auto& [callee, part] : parts) {
      const auto found = std::ranges::find(counted, Edge{kMain, 3, callee}, &CountedCalls::edge);
      if (found == counted.end()) continue;
      const double off = found->counted + found->split - part * kCalls;
      held[callee] += std::abs(off) <= 1.96 * found->split_deviation ? 1 : 0;
    }
  }
  for (const MethodId callee : {kWork, kOther, kThird}) {
    EXPECT_GE(held[callee], 0.92 * kRuns) << ToIndex(callee);
  }
  EXPECT_GE(held[kLeaf], 0.88 * kRuns) << "of five samples";
}

TEST(CountedCallsTest, WithoutEstimatesOneCalleeHasThemAndSeveralHaveNot) {
  auto counted = CountCalls(std::vector<MethodCounts>{{kMain, {10, {To(3, 100, {{kWork, 60}})}}}});
  EXPECT_EQ(Of(counted, {kMain, 3, kWork}).split, 40);
  counted = CountCalls(
      std::vector<MethodCounts>{{kMain, {10, {To(3, 100, {{kWork, 60}, {kOther, 20}})}}}});
  EXPECT_EQ(Of(counted, {kMain, 3, kWork}).split, 0);
  EXPECT_EQ(Of(counted, {kMain, 3, kOther}).split, 0);
  counted = CountCalls(
      std::vector<MethodCounts>{{kMain, {10, {To(3, 100, {{kNoMethod, 60}, {kOther, 20}})}}}});
  EXPECT_EQ(Of(counted, {kMain, 3, kOther}).split, 0);
}

TEST(CountedCallsTest, InterpretedCallsAreThoseOfCallersWithoutAProfile) {
  // work calls leaf twice each time; it was interpreted 200 times before it had a profile.
  std::vector<MethodCounts> methods = {{kWork, {1000, {To(3, 2000, {{kLeaf, 2000}})}}, 200},
                                       {kLeaf, {2000, {}}, 400}};
  EXPECT_NEAR(Of(CountCalls(methods), {kWork, 3, kLeaf}).interpreted, 400, 1e-9);
  // Leaf was compiled long before work was: its profile has them.
  methods[1] = {kLeaf, {2350, {}}, 50};
  EXPECT_NEAR(Of(CountCalls(methods), {kWork, 3, kLeaf}).interpreted, 400, 1e-9);
  methods[1] = {kLeaf, {2000, {}}, 400};
  EXPECT_EQ(Of(CountCalls(methods), {kWork, 3, kLeaf}).counted, 2000);
  methods[1].interpreted = 100;  // No more of leaf's calls were interpreted.
  EXPECT_NEAR(Of(CountCalls(methods), {kWork, 3, kLeaf}).interpreted, 100, 1e-9);
  // 1,900 calls of leaf are counted by itself, and 2,000 at the site: no other call was made.
  methods[1] = {kLeaf, {1800, {}}, 100};
  EXPECT_EQ(Of(CountCalls(methods), {kWork, 3, kLeaf}).interpreted, 0);
  CountOptions options;
  options.uncounted = {kLeaf};
  EXPECT_NEAR(Of(CountCalls(methods, options), {kWork, 3, kLeaf}).interpreted, 100, 1e-9)
      << "other code has executed it";
}

TEST(CountedCallsTest, WhatNoCallerExplainsIsTold) {
  const std::vector<MethodCounts> methods = {{kWork, {1000, {To(3, 1000, {{kLeaf, 1000}})}}, 50},
                                             {kLeaf, {1000, {}}, 200},
                                             {kOther, {}, 30}};
  const auto counted = CountCalls(methods);
  const auto observed = [](MethodId method) { return method != kWork; };
  EXPECT_NEAR(UnexplainedCalls(methods, {}, counted, observed), 150 + 30, 1e-9);
  // Other is known to both, and a method of few calls to the interpreter alone.
  const InterpretedCode code{{{kOther, {30}}, {kThird, {7}}}, {}, {}};
  EXPECT_NEAR(UnexplainedCalls(methods, code, counted, observed), 150 + 30 + 7, 1e-9);
}

TEST(CountedCallsTest, SitesWithoutAProfileHaveWhatTheirCalleesCounted) {
  const std::vector<MethodCounts> methods = {{kLeaf, {}, 200}};
  CountOptions options;
  options.interpreted = {{{kWork, {150}}, {kOther, {40}}, {kLeaf, {200}}},
                         {{kWork, 3, 0, true, false, true}, {kOther, 9, 0, false, false, true}},
                         {{kLeaf}}};
  const auto counted = CountCalls(methods, options);
  const CountedCalls work = Of(counted, {kWork, 3, kLeaf});
  EXPECT_EQ(work.shared, 150);
  EXPECT_EQ(work.counted + work.interpreted, 0);
  const CountedCalls other = Of(counted, {kOther, 9, kLeaf});
  EXPECT_EQ(other.shared_low, 1);
  EXPECT_EQ(other.shared_high, 40);
  EXPECT_NEAR(other.shared, 40, 1e-6);
  EXPECT_NEAR(UnexplainedCalls(methods, options.interpreted, counted,
                               [](MethodId method) { return method == kLeaf; }),
              10, 1e-6);
}

TEST(CountedCallsTest, AnInitializerIsAnEdgeBesideWhatTheSameSiteCalls) {
  CountOptions options;
  options.interpreted = {{{kWork, {1}}, {kOther, {1}}, {kLeaf, {1}}},
                         {{kWork, 3, 0, true, false, true}},
                         {{kLeaf}},
                         {{kWork, 3, kOther}}};
  const auto counted = CountCalls({}, options);
  EXPECT_EQ(Of(counted, {kWork, 3, kLeaf}).shared, 1);
  EXPECT_EQ(Of(counted, {kWork, 3, kOther}).shared, 1);
  EXPECT_EQ(Of(counted, {kWork, 3, kOther}).shared_low, 0);
}

TEST(CountedCallsTest, WhatWasSampledIsNotCountedAsWell) {
  CountOptions options;
  options.interpreted = {
      {{kWork, {70}}, {kLeaf, {8, 0, true}}}, {{kWork, 3, 0, true, false, true}}, {{kLeaf}}};
  EXPECT_EQ(Of(CountCalls({}, options), {kWork, 3, kLeaf}).shared, 70);
  options.callees = [](MethodId, int32_t) { return std::vector<MethodId>{kLeaf}; };
  EXPECT_EQ(Of(CountCalls({}, options), {kWork, 3, kLeaf}).shared, 70) << "without an estimate";
  options.estimate = [](const Edge&) { return SampledCalls{500, 500}; };
  EXPECT_EQ(Of(CountCalls({}, options), {kWork, 3, kLeaf}).shared, 0);
}

TEST(CountedCallsTest, WhatProfilesHaveCountedIsNotSharedOutAgain) {
  // Of leaf's 1,300 calls work made 1,200 that its profile has, and other, which has none, the
  // rest.
  const std::vector<MethodCounts> methods = {{kWork, {1000, {To(3, 1200, {{kLeaf, 1200}})}}},
                                             {kLeaf, {1100, {}}, 200}};
  CountOptions options;
  options.interpreted = {{{kWork, {10}}, {kOther, {500}}, {kLeaf, {200}}},
                         {{kWork, 3, 0, true, false, true}, {kOther, 9, 0, true, false, true}},
                         {{kLeaf}}};
  const auto counted = CountCalls(methods, options);
  EXPECT_EQ(Of(counted, {kWork, 3, kLeaf}).shared, 0);
  EXPECT_NEAR(Of(counted, {kOther, 9, kLeaf}).shared, 100, 1e-6);
}

TEST(CountedCallsTest, SitesThatEachInvocationExecutesComeBeforeRatios) {
  // Work called leaf twice per invocation later, and was invoked 50 times before.
  const std::vector<MethodCounts> methods = {{kWork, {1000, {To(3, 2000, {{kLeaf, 2000}})}}, 50},
                                             {kLeaf, {2000, {}}, 90}};
  CountOptions options;
  options.interpreted = {
      {{kOther, {60}}, {kLeaf, {90}}}, {{kOther, 9, 0, true, false, true}}, {{kLeaf}}};
  const auto counted = CountCalls(methods, options);
  EXPECT_NEAR(Of(counted, {kOther, 9, kLeaf}).shared, 60, 1e-6);
  EXPECT_NEAR(Of(counted, {kWork, 3, kLeaf}).interpreted, 30, 1e-6);
}

TEST(CountedCallsTest, CallsThatNobodyCountedFollowFromWhoCalledTheCaller) {
  // 10,000 calls of work were counted, of which its own profile has 1,000; leaf is called twice by
  // each, and other by every second leaf.
  const std::vector<MethodCounts> methods = {{kMain, {1, {To(1, 10'000, {{kWork, 10'000}})}}},
                                             {kWork, {1000, {To(3, 2000, {{kLeaf, 2000}})}}},
                                             {kLeaf, {2000, {To(5, 1000, {{kOther, 1000}})}}},
                                             {kOther, {1000, {}}}};
  const auto counted = CountCalls(methods);
  EXPECT_NEAR(Of(counted, {kWork, 3, kLeaf}).uncounted, 18'000, 1e-6);
  EXPECT_NEAR(Of(counted, {kLeaf, 5, kOther}).uncounted, 9000, 1e-6);
  EXPECT_EQ(Of(counted, {kMain, 1, kWork}).uncounted, 0);
}

TEST(CountedCallsTest, CountsThatDifferByChanceAreNoUncountedCalls) {
  const std::vector<MethodCounts> methods = {{kMain, {1, {To(1, 10'000, {{kWork, 10'000}})}}},
                                             {kWork, {9900, {To(3, 9900, {{kLeaf, 9900}})}}},
                                             {kLeaf, {9900, {}}}};
  EXPECT_EQ(Of(CountCalls(methods), {kWork, 3, kLeaf}).uncounted, 0);
}

TEST(CountedCallsTest, RecursionHasAnEnd) {
  const std::vector<MethodCounts> methods = {
      {kMain, {1, {To(1, 1000, {{kWork, 1000}})}}},
      {kWork, {100, {To(3, 100, {{kWork, 100}}), To(6, 100, {{kLeaf, 100}})}}},
      {kLeaf, {100, {To(2, 100, {{kWork, 100}})}}}};
  for (const CountedCalls& calls : CountCalls(methods)) {
    EXPECT_TRUE(std::isfinite(calls.uncounted));
  }
}

TEST(CountedCallsTest, NothingComesOfNothing) {
  EXPECT_THAT(CountCalls({}), IsEmpty());
  EXPECT_THAT(CountCalls(std::vector<MethodCounts>{{kMain, {}, 100}, {kWork, {5, {To(1, 0, {})}}}}),
              IsEmpty());
}

TEST(CountedCallsTest, ACallIsCountedWhoseCalleeIsRecordedOrMayBeAmongTheOthers) {
  const MethodProfile profile = {10,
                                 {To(3, 7, {{kWork, 7}}), To(5, 7, {}), To(8, 0, {{kWork, 0}}),
                                  To(9, 7, {{kNoMethod, 5}}), To(11, 7, {{kWork, 5}})}};
  EXPECT_TRUE(IsCountedCall(profile, 3, kWork));
  EXPECT_FALSE(IsCountedCall(profile, 3, kLeaf)) << "all are of another";
  EXPECT_FALSE(IsCountedCall(profile, 4, kWork));
  EXPECT_FALSE(IsCountedCall(profile, 5, kWork));
  EXPECT_FALSE(IsCountedCall(profile, 8, kWork));
  EXPECT_FALSE(IsCountedCall(profile, 9, kWork));
  EXPECT_TRUE(IsCountedCall(profile, 11, kLeaf));
}

TEST(CountedCallsTest, WhatTier2HasCountedIsNotTakenForInterpreted) {
  const std::vector<MethodCounts> methods = {{kWork, {1000, {To(3, 2000, {{kLeaf, 2000}})}}, 200},
                                             {kLeaf, {2000, {}}, 400}};
  CountOptions options;
  options.limited = {kWork};
  EXPECT_EQ(Of(CountCalls(methods, options), {kWork, 3, kLeaf}).interpreted, 0);
}

TEST(CountedCallsTest, AnExpectationIsAPriorThatSamplesOutweigh) {
  // Nothing sampled: 0 samples of 1,000 calls each say that 9,000 is too much.
  const SampledCalls unseen = WithConservation({}, 9000, 1000);
  EXPECT_DOUBLE_EQ(unseen.calls, 1000 * 3 / (3 * 1000 / 9000.0 + 1));
  EXPECT_DOUBLE_EQ(unseen.variance, unseen.calls * unseen.calls / 3);
  // What is expected is rare: it is believed.
  EXPECT_NEAR(WithConservation({}, 10, 1000).calls, 10, 0.1);
  // 100 samples of 10 calls.
  const SampledCalls sampled{1000, 10'000};
  EXPECT_NEAR(WithConservation(sampled, 3000, 1).calls, 10 * 103 / (30 / 3000.0 + 1), 1e-9);
  EXPECT_EQ(WithConservation(sampled, 900, 1).calls, 1000) << "conservation leaves calls out";
}

// Programs whose edges' calls spread over orders of magnitude, sampled sparsely, and expectations
// that are off by a factor of two either way.
TEST(CountedCallsTest, ExpectationsMakeSparseSamplesBetter) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> spread(8, 2), off(0, std::log(2.0));
  double error_of_samples = 0, error_of_both = 0, all = 0;
  constexpr double kEach = 30'000;
  for (int edge = 0; edge < 20'000; ++edge) {
    const double calls = std::exp(spread(random));
    const auto samples = static_cast<double>(std::poisson_distribution<int>(calls / kEach)(random));
    const SampledCalls sampled{samples * kEach, samples * kEach * kEach};
    const SampledCalls both = WithConservation(sampled, calls * std::exp(off(random)), kEach);
    error_of_samples += std::abs(sampled.calls - calls);
    error_of_both += std::abs(both.calls - calls);
    all += calls;
  }
  EXPECT_LT(error_of_both, 0.9 * error_of_samples) << error_of_both / all;
}

// The same of edges of which a part has no such calls, whatever is expected.
TEST(CountedCallsTest, WhereConservationIsOftenWrongLessIsExpectedOfWhatWasNotSeen) {
  constexpr double kEach = 30'000;
  for (const double share : {0.3, 0.6, 0.9}) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> spread(10, 1);
    std::bernoulli_distribution is_conserved(share);
    // Calls as that gamma distribution has them.
    std::gamma_distribution<double> off(kConservationWeight, 1 / kConservationWeight);
    std::vector<ExpectedEdge> edges;
    double unseen = 0;
    for (int edge = 0; edge < 20'000; ++edge) {
      const double expected = std::exp(spread(random));
      const double calls = is_conserved(random) ? expected * off(random) : 0;
      const bool is_found = std::poisson_distribution<int>(calls / kEach)(random) > 0;
      edges.push_back({expected, is_found});
      if (!is_found) unseen += calls;
    }
    const double found = ShareConserved(edges, kEach);
    EXPECT_NEAR(found, share, 0.03);
    double printed = 0, of_all = 0;
    for (const auto& [expected, is_found] : edges) {
      if (is_found) continue;
      printed += UnseenButExpected(expected, kEach, found).calls;
      of_all += WithConservation({}, expected, kEach).calls;
    }
    EXPECT_NEAR(printed / unseen, 1, 0.06) << share;
    EXPECT_GT(of_all / unseen, 1.1) << "what is printed where all are believed";
  }
}

TEST(CountedCallsTest, WhatWasNotSeenHasTheMeanAndTheVarianceOfBothPossibilities) {
  const SampledCalls conserved = WithConservation({}, 3000, 1000);
  const SampledCalls all = UnseenButExpected(3000, 1000, 1);
  EXPECT_DOUBLE_EQ(all.calls, conserved.calls);
  EXPECT_NEAR(all.variance, conserved.variance, 1e-9 * conserved.variance);
  EXPECT_EQ(UnseenButExpected(3000, 1000, 0).calls, 0);
  // Two in three are conserved, of which one in eight has no sample: one in five of those without.
  const SampledCalls some = UnseenButExpected(3000, 1000, 2.0 / 3);
  EXPECT_NEAR(some.calls, conserved.calls / 5, 1e-9);
  EXPECT_NEAR(some.variance,
              conserved.variance / 5 + conserved.calls * conserved.calls * (1 / 5.0 - 1 / 25.0),
              1e-6 * some.variance);
}

TEST(CountedCallsTest, AFewEdgesOfWhichNoSampleCouldBeExpectedSayNothingAgainstConservation) {
  EXPECT_EQ(ShareConserved({}, 1000), 1);
  const std::vector<ExpectedEdge> rare(5, {.expected = 10, .is_found = false});
  EXPECT_GT(ShareConserved(rare, 1000), 0.99);
  const std::vector<ExpectedEdge> often(5, {.expected = 1e6, .is_found = false});
  EXPECT_LT(ShareConserved(often, 1000), 0.2);
  std::vector<ExpectedEdge> mixed = often;
  for (int i = 0; i < 15; ++i) mixed.push_back({.expected = 1e6, .is_found = true});
  EXPECT_NEAR(ShareConserved(mixed, 1000), 16 / 21.0, 0.01);
  // Many, each of which tells little: a hundredth of them were to be expected to be found.
  std::vector<ExpectedEdge> many(100'000, {.expected = 10, .is_found = false});
  for (size_t i = 0; i < 600; ++i) many[i].is_found = true;
  EXPECT_NEAR(ShareConserved(many, 1000), 0.6, 0.02);
}

TEST(CountedCallsTest, TheTotalIsBetweenBoth) {
  EXPECT_EQ(CombinedTotal(0, 0, 50), 50);
  EXPECT_EQ(CombinedTotal(100, 0.1, 0), 0);
  EXPECT_THAT(CombinedTotal(100, 1e-6, 200), DoubleNear(100, 0.01));
  EXPECT_THAT(CombinedTotal(100, 1e9, 200), DoubleNear(198, 3));
  EXPECT_THAT(CombinedTotal(100, kConservationDeviation, 400), DoubleNear(200, 1e-9));
}

}  // namespace
}  // namespace yp
