#include "format/profile/inferred.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using Node = spool::Compilation::Node;
using CallSite = spool::Compilation::CallSite;

// Every sample stands for 100 calls.
class InferredTest : public ::testing::Test {
 protected:
  MethodId NewMethod(const std::string& name, uint32_t flags) {
    return profile_.methods.Intern({"A", name, "()V", "A.java", flags, {}});
  }
  EdgeId Sampled(MethodId caller, int32_t bci, MethodId callee, uint64_t samples) {
    EdgeStats edge;
    edge.edge = {caller, bci, callee};
    edge.samples = samples;
    edge.intervals = static_cast<double>(samples);
    edge.calls = edge.uncorrected = 100.0 * static_cast<double>(samples);
    edge.variance = 10'000.0 * static_cast<double>(samples);
    edge.low = edge.share_low = edge.calls / 2;
    edge.high = edge.share_high = edge.calls * 2;
    edge.flags = kEdgeSampled;
    profile_.edges.push_back(edge);
    return EdgeId{static_cast<uint32_t>(profile_.edges.size() - 1)};
  }
  void Compile(CompilationId id, std::vector<Node> nodes, std::vector<CallSite> call_sites = {},
               bool is_osr = false) {
    evidence_.compilations[id] = {id, 4, is_osr, std::move(nodes), std::move(call_sites)};
  }
  void Call(EdgeId edge, CompilationId caller, uint32_t node, CompilationId callee,
            uint64_t samples) {
    const CompiledCallId id{static_cast<uint32_t>(evidence_.calls.size() + 1)};
    evidence_.calls[id] = {
        .edge = edge, .caller = caller, .caller_node = node, .callee = callee, .samples = samples};
  }
  void Counted(MethodId method, double invocations, std::vector<SiteProfile> sites) {
    evidence_.method_profiles.Add(method, {invocations, std::move(sites)});
  }
  void Infer() { AddInferredCalls(evidence_, &profile_); }
  // An edge that is not there has no calls.
  EdgeStats Edge(MethodId caller, int32_t bci, MethodId callee) const {
    for (const EdgeStats& edge : profile_.edges) {
      if (edge.edge == yp::Edge{caller, bci, callee}) return edge;
    }
    return {};
  }

  Profile profile_;
  InlineEvidence evidence_;
  const MethodId main_ = NewMethod("main", 0);
  const MethodId root_ = NewMethod("root", Method::kObserved);
  const MethodId mid_ = NewMethod("mid", Method::kObserved);
  const MethodId leaf_ = NewMethod("leaf", Method::kObserved);
  const MethodId lib_ = NewMethod("lib", 0);
  static constexpr CompilationId kFirst{1}, kSecond{2}, kThird{3};
};

TEST_F(InferredTest, AChainOfInlinedCallsHasTheRatiosOfItsPath) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}, {1, 8, leaf_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  Counted(mid_, 400, {{8, 1600, {}}});
  const EdgeStats before = profile_.edges[0];
  Infer();
  ASSERT_THAT(profile_.edges, SizeIs(3));
  const EdgeStats entries = profile_.edges[0];
  EXPECT_EQ(entries.calls, before.calls);
  EXPECT_EQ(entries.flags, uint32_t{kEdgeSampled});
  const EdgeStats branch = Edge(root_, 3, mid_);
  EXPECT_DOUBLE_EQ(branch.calls, 500);  // 1,000 * 500 / 1,000
  EXPECT_DOUBLE_EQ(branch.uncorrected, 500);
  EXPECT_EQ(branch.samples, 0u);
  EXPECT_EQ(branch.flags, uint32_t{kEdgeInferred});
  // 1/10 of the samples, and 2.25 times what the profile errs by: (1 - 1/2) / 500 of the counts and
  // (0.3 / 2)^2 of the context. A standard deviation of 0.391 of the logarithm, 95 % within a
  // factor of 2.152.
  const double certain = 2.152;
  EXPECT_DOUBLE_EQ(Edge(mid_, 8, leaf_).calls, 2000);  // 500 * 1,600 / 400
  EXPECT_DOUBLE_EQ(profile_.total_calls(), 3500);
  // The total errs by 203 calls of mid and 1,116 of leaf, which err alike. What is leaf's makes
  // mid's share less certain, by twice as much as if profiles were not in common.
  const double of_others = 4 * std::pow(1115.7, 2) / std::pow(3500, 2);
  const double factor =
      std::exp(std::hypot(std::log(certain), 1.96 * std::sqrt(std::log1p(of_others))));
  EXPECT_NEAR(branch.share_low, 500 / factor, 0.2);
  EXPECT_NEAR(branch.share_high, 500 * factor, 1);
  EXPECT_LT(entries.share_low, before.share_low);
  EXPECT_GT(entries.share_high, before.share_high);
  EXPECT_NEAR(branch.low, 500 / certain, 0.2)
      << "how many calls there are does not err with others";
  EXPECT_EQ(entries.low, before.low);
}

// What was counted of a compilation's entries, and the variance of what its only caller with
// samples has of them: there may be others of which none of ten samples is.
constexpr double kEntries = 4000;
constexpr double VarianceOfOnlyCaller(double entries) {
  return entries * entries * 10.5 * 0.5 / (11 * 11 * 12);
}

TEST_F(InferredTest, CallsIntoACompilationAreAsManyAsWereCountedOfItsEntries) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  const EdgeId often = Sampled(main_, 1, root_, 6), seldom = Sampled(main_, 2, root_, 2);
  Call(often, kNoCompilation, 0, kFirst, 6);
  Call(seldom, kNoCompilation, 0, kFirst, 2);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries};
  for (auto& [id, call] : evidence_.calls) call.earlier_part = 0;
  Infer();
  EXPECT_DOUBLE_EQ(Edge(main_, 1, root_).calls, 3000);
  EXPECT_DOUBLE_EQ(Edge(main_, 2, root_).calls, 1000);
  EXPECT_DOUBLE_EQ(Edge(root_, 3, mid_).calls, 2000);
  EXPECT_EQ(Edge(main_, 1, root_).samples, 6u);
  // Which of them was called how often is known by six samples of eight.
  const double of_share = kEntries * kEntries * 6.5 * 2.5 / (9 * 9 * 10);
  EXPECT_NEAR(Edge(main_, 1, root_).variance, of_share, 3000);
  EXPECT_NEAR(Edge(main_, 1, root_).low,
              3000 * std::exp(-1.96 * std::sqrt(std::log1p(of_share / (3000 * 3000)))), 10);
  // What is inlined is known by the profile alone: (1 - 1/2) / 500 and 2.25 times (0.3 / 2)^2.
  const double of_ratio = 2.25 * ((1 - 0.5) / 500 + 0.15 * 0.15);
  EXPECT_NEAR(Edge(root_, 3, mid_).low, 2000 * std::exp(-1.96 * std::sqrt(of_ratio)), 10);
}

TEST_F(InferredTest, EntriesBeforeTheyWereCountedAreThoseOfTheirSamples) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries};
  evidence_.calls.begin()->second.earlier_part = 0.2;
  Infer();
  EXPECT_DOUBLE_EQ(Edge(main_, 1, root_).calls, 4200);
  EXPECT_DOUBLE_EQ(Edge(root_, 3, mid_).calls, 2100);
  // Two samples of 100 calls, and half a percent of what was counted without a lock.
  EXPECT_NEAR(Edge(main_, 1, root_).variance,
              2 * 10'000 + 4000 + 20 * 20 + VarianceOfOnlyCaller(4200), 1);
}

TEST_F(InferredTest, EntriesThatWereNotCountedAreThoseThatCountsAndSamplesLetExpect) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries, .uncounted_calls = 100};
  evidence_.calls.begin()->second = {
      .edge = EdgeId{0}, .callee = kFirst, .samples = 10, .uncounted_part = 0.3, .earlier_part = 0};
  Infer();
  // Three samples of 100 calls, and one that the counts stand for.
  EXPECT_DOUBLE_EQ(Edge(main_, 1, root_).calls, 4000 + 100 * (3 + 1) / 2.0);
  EXPECT_NEAR(Edge(main_, 1, root_).variance,
              100 * 100 * (3 + 1) / 4.0 + 4000 + 20 * 20 + VarianceOfOnlyCaller(4200), 1);
}

TEST_F(InferredTest, WhereNoEntryWasSampledTheyAreThoseThatCountsLetExpect) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries, .uncounted_calls = 10};
  evidence_.calls.begin()->second.earlier_part = 0;
  Infer();
  // A sample would stand for 100 calls: that there is none tells little of 10.
  EXPECT_NEAR(Edge(main_, 1, root_).calls, 4009, 1);
  EXPECT_NEAR(Edge(main_, 1, root_).variance, 9 * 9 + 4000 + 20 * 20 + VarianceOfOnlyCaller(4009),
              10);
}

TEST_F(InferredTest, SharesOfCountedCallsErrWithTheTotalAndTheirNumbersDoNot) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries};
  evidence_.calls.begin()->second.earlier_part = 0;
  profile_.total_deviation = 0.5;
  Infer();
  const EdgeStats entries = Edge(main_, 1, root_);
  EXPECT_GT(entries.low, 3500);
  EXPECT_LT(entries.high, 4600);
  const double factor = std::exp(1.96 * std::sqrt(std::log1p(0.25)));
  EXPECT_LT(entries.share_low, 4000 / factor);
  EXPECT_GT(entries.share_high, 4000 * factor);
  EXPECT_LT(Edge(root_, 3, mid_).share_low, 2000 / factor);
}

TEST_F(InferredTest, SamplesThatStandForNoCallsTellNothingOfCountedEntries) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Call(Sampled(main_, 2, root_, 5), kNoCompilation, 0, kFirst, 5);
  profile_.edges[0].calls = profile_.edges[0].variance = 0;
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries};
  Infer();
  EXPECT_EQ(Edge(main_, 1, root_).calls, 0);
  EXPECT_DOUBLE_EQ(Edge(main_, 2, root_).calls, 4500);
  EXPECT_DOUBLE_EQ(Edge(root_, 3, mid_).calls, 2250);
  profile_.edges[1].calls = 0;
  Infer();
  EXPECT_TRUE(std::isfinite(profile_.total_calls()));
}

TEST_F(InferredTest, ACompilationWithoutASampleHasTheEntriesThatWereCounted) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Compile(kSecond, {{0, kNoBci, leaf_}});
  Call(Sampled(main_, 1, leaf_, 10), kNoCompilation, 0, kSecond, 10);
  Counted(root_, 1000, {{3, 500, {}}});
  evidence_.entry_counts[kFirst] = {.calls = kEntries};
  Infer();
  EXPECT_DOUBLE_EQ(Edge(root_, 3, mid_).calls, 2000);
  EXPECT_EQ(Edge(root_, 3, mid_).flags, uint32_t{kEdgeInferred});
  EXPECT_DOUBLE_EQ(Edge(main_, 1, leaf_).calls, 1000) << "what has nothing to do with it";
  // Who entered it is not known.
  EXPECT_DOUBLE_EQ(profile_.total_calls(), 3000);
}

TEST_F(InferredTest, WhatIsCalledInCountedCodeIsNoWitnessOfItsEntries) {
  // By the calls that leave it, it was entered five times as often as was counted.
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}}, {{0, 9}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Call(Sampled(root_, 9, leaf_, 50), kFirst, 0, kSecond, 50);
  Counted(root_, 1000, {{3, 500, {}}, {9, 1000, {{leaf_, 1000}}}});
  evidence_.entry_counts[kFirst] = {.calls = 1000};
  evidence_.calls.begin()->second.earlier_part = 0;
  Infer();
  EXPECT_NEAR(Edge(root_, 3, mid_).calls, 500, 100);
}

TEST_F(InferredTest, CodeThatWasCountedAndNotEnteredMakesNoNumberUnknown) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}}, {{0, 9}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kSecond, 10);
  // One that was entered before the recording, and still calls.
  Call(Sampled(root_, 9, leaf_, 5), kFirst, 0, kNoCompilation, 5);
  Counted(root_, 1000, {{3, 500, {}}, {9, 1000, {{leaf_, 1000}}}});
  evidence_.entry_counts[kFirst] = {.calls = 0};
  Infer();
  EXPECT_TRUE(std::isfinite(profile_.inferred_variance));
  for (const EdgeStats& edge : profile_.edges) {
    for (const double number : {edge.calls, edge.low, edge.high, edge.share_low, edge.share_high}) {
      EXPECT_TRUE(std::isfinite(number));
    }
  }
}

TEST_F(InferredTest, SamplesThatComeInClustersMakeTheirRootLessCertain) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  profile_.edges[0].variance *= 4;  // A relative variance of 0.4, of which 0.1 is by chance.
  Counted(root_, 1000, {{3, 500, {}}});
  Infer();
  const EdgeStats branch = Edge(root_, 3, mid_);
  EXPECT_DOUBLE_EQ(branch.calls, 500);
  // As in the test above, and 0.3: a standard deviation of 0.673, within a factor of 3.740.
  EXPECT_NEAR(branch.low, 133.7, 0.2);
  EXPECT_NEAR(branch.high, 1870, 2);
}

TEST_F(InferredTest, AnEdgeThatIsSampledAndInlinedHasBoth) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Compile(kSecond, {{0, kNoBci, root_}}, {{0, 3}});  // C1's.
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Call(Sampled(root_, 3, mid_, 4), kSecond, 0, kNoCompilation, 4);
  Counted(root_, 1000, {{3, 500, {}}});
  Infer();
  ASSERT_THAT(profile_.edges, SizeIs(2));
  const EdgeStats both = Edge(root_, 3, mid_);
  EXPECT_DOUBLE_EQ(both.calls, 900);  // 4 samples and 1,000 * 500 / 1,000.
  EXPECT_DOUBLE_EQ(both.uncorrected, 900);
  EXPECT_EQ(both.samples, 4u);
  EXPECT_EQ(both.flags, kEdgeSampled | kEdgeInferred);
  // 4 * 100^2 and 500^2 (exp(0.1529) - 1), see above: 81,295.
  EXPECT_NEAR(both.variance, 81'295, 1);
  EXPECT_NEAR(both.low, 490.9, 0.1);
  EXPECT_NEAR(both.high, 1650.0, 0.1);
}

TEST_F(InferredTest, TheTotalsErrorIsThatOfSampledSharesToo) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  profile_.edges[0].variance = 1e9;  // As it may be, and nothing of the inlined calls'.
  profile_.edges[0].share_low = 900;
  profile_.edges[0].share_high = 1100;
  const EdgeId few = Sampled(main_, 2, leaf_, 60);  // Fewer calls than samples were seen.
  profile_.edges[ToIndex(few)].calls = profile_.edges[ToIndex(few)].low = 50;
  Counted(root_, 1000, {{3, 500, {}}});
  Infer();
  EXPECT_LT(profile_.edges[0].share_low, 800);
  EXPECT_GT(profile_.edges[0].share_high, 1200);
  EXPECT_EQ(profile_.edges[ToIndex(few)].low, 50);
}

// A call instruction of which no call was sampled.
TEST_F(InferredTest, ASiteOfWhichNearlyAllCalleesAreKnownLetsExpectItsCalls) {
  for (const double recorded : {95.0, 85.0}) {
    profile_.edges.clear();
    evidence_ = {};
    Compile(kFirst, {{0, kNoBci, root_}}, {{0, 5}});
    Call(Sampled(main_, 1, root_, 100), kNoCompilation, 0, kFirst, 100);
    Counted(root_, 100, {{5, 100, {{leaf_, recorded}}}});
    Infer();
    EXPECT_NEAR(Edge(root_, 5, leaf_).calls, recorded > 90 ? 10'000 : 0, 1) << "taken for inlined";
  }
}

TEST_F(InferredTest, ABranchIsLoweredForCallsThatCouldBeObservedOnly) {
  // Every second invocation calls mid, which is inlined; that always calls leaf or lib, of which
  // C2 made code with calls.
  for (const bool is_observed : {true, false}) {
    const MethodId callee = is_observed ? leaf_ : lib_;
    profile_.edges.clear();
    evidence_ = {};
    Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}}, {{1, 8}});
    Compile(kSecond, {{0, kNoBci, callee}}, {{0, 2}});
    Call(Sampled(main_, 1, root_, 1000), kNoCompilation, 0, kFirst, 1000);
    Call(Sampled(mid_, 8, main_, 1), kFirst, 1, kNoCompilation, 1);  // The site can be observed.
    Counted(root_, 1000, {{3, 500, {}}});
    Counted(mid_, 500, {{8, 500, {{callee, 500}}}});
    Infer();
    if (is_observed) {
      EXPECT_LT(Edge(root_, 3, mid_).calls, 5'000);
    } else {
      EXPECT_NEAR(Edge(root_, 3, mid_).calls, 50'000, 1'000);
    }
  }
}

TEST_F(InferredTest, TheIntervalIsNotBelowTheCallsThatWereSeen) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Sampled(root_, 3, mid_, 4);
  profile_.edges.back().variance = 1e12;
  Counted(root_, 1000, {{3, 500, {}}});
  Infer();
  EXPECT_EQ(Edge(root_, 3, mid_).low, 4);
}

TEST_F(InferredTest, ALoopThatWasEnteredInTheMiddleIsScaledByTheCallsThatLeaveIt) {
  const MethodId out = NewMethod("out", Method::kObserved);
  Compile(kFirst, {{0, kNoBci, root_}, {0, 2, leaf_}}, {{1, 6}}, true);
  Call(Sampled(leaf_, 6, out, 20), kFirst, 1, kNoCompilation, 20);
  Call(Sampled(main_, 1, root_, 5), kNoCompilation, 0, kFirst, 5);  // As none ever is.
  Counted(root_, 1, {{2, 1'000'000, {}}});
  Counted(leaf_, 1'000'000, {{6, 1'000'000, {}}});
  const std::vector<Root> roots = RootsOf(profile_, evidence_);
  ASSERT_THAT(roots, SizeIs(1));
  EXPECT_EQ(roots[0].entries, std::nullopt);
  Infer();
  // Every call of leaf calls out.
  EXPECT_NEAR(Edge(root_, 2, leaf_).calls, 2000, 1e-6);
}

TEST_F(InferredTest, EdgesOfUnobservedCalleesAreEntriesAndLeaveTheProfile) {
  const MethodId app = NewMethod("app", Method::kObserved);
  const MethodId helper = NewMethod("helper", 0);
  const EdgeId to_lib = Sampled(main_, 1, lib_, 10);
  const EdgeId to_root = Sampled(main_, 2, root_, 30);
  for (const uint32_t n : {1u, 2u}) {
    spool::Window window;
    window.tick = n;
    window.samples = {{to_lib, 5}, {to_root, 10 * n}};
    profile_.windows.push_back(window);
  }
  profile_.windows.emplace_back().samples = {{to_lib, 1}};
  Compile(kFirst, {{0, kNoBci, lib_}, {0, 4, app}, {0, 8, helper}, {2, 1, app}});
  Call(to_lib, kNoCompilation, 0, kFirst, 10);
  Counted(lib_, 100, {{4, 300, {}}, {8, 100, {}}});
  Counted(helper, 100, {{1, 50, {}}});
  Infer();
  ASSERT_THAT(profile_.edges, SizeIs(3));
  EXPECT_EQ(profile_.edges[0].edge, (yp::Edge{main_, 2, root_}));
  EXPECT_EQ(profile_.edges[0].calls, 3000);
  EXPECT_DOUBLE_EQ(Edge(lib_, 4, app).calls, 3000);   // 1,000 * 3
  EXPECT_DOUBLE_EQ(Edge(helper, 1, app).calls, 500);  // 1,000 * 1 * 1/2
  ASSERT_THAT(profile_.windows, SizeIs(3));
  EXPECT_THAT(profile_.windows[0].samples, ElementsAre(Pair(EdgeId{0}, 10)));
  EXPECT_THAT(profile_.windows[1].samples, ElementsAre(Pair(EdgeId{0}, 20)));
  EXPECT_THAT(profile_.windows[2].samples, IsEmpty());
}

TEST_F(InferredTest, WithoutCompilationsTheProfileStaysAsItIs) {
  const EdgeId edge = Sampled(main_, 1, lib_, 10);
  Call(edge, kNoCompilation, 0, kNoCompilation, 10);
  Call(edge, kFirst, 0, kSecond, 10);
  Counted(lib_, 100, {{4, 300, {{leaf_, 300}}}});
  Infer();
  ASSERT_THAT(profile_.edges, SizeIs(1));
  EXPECT_EQ(profile_.edges[0].calls, 1000);
  EXPECT_THAT(RootsOf(profile_, evidence_), IsEmpty());
}

TEST_F(InferredTest, CallsThatWereInlinedWithoutATraceAreAdded) {
  Compile(kFirst, {{0, kNoBci, root_}}, {{0, 9}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Call(Sampled(root_, 9, mid_, 10), kFirst, 0, kNoCompilation, 10);
  Counted(root_, 100, {{5, 100, {{leaf_, 70}, {lib_, 30}}}, {9, 100, {{mid_, 100}}}});
  Infer();
  // 1,000 entries, and as many calls at 9, which is a call; 7 in 10 of those at 5 are of leaf, the
  // others of a method that is not observed.
  ASSERT_THAT(profile_.edges, SizeIs(3));
  EXPECT_NEAR(Edge(root_, 5, leaf_).calls, 700, 1e-6);
  EXPECT_EQ(Edge(root_, 5, leaf_).flags, uint32_t{kEdgeInferred});
  EXPECT_EQ(Edge(root_, 9, mid_).flags, uint32_t{kEdgeSampled});
}

TEST_F(InferredTest, WhatAnAdapterInlinesHasNoCaller) {
  Compile(kFirst, {{0, kNoBci, kNoMethod}, {0, 4, mid_}, {0, 9, root_}, {1, 8, leaf_}});
  Call(Sampled(main_, 1, root_, 10), kNoCompilation, 0, kFirst, 10);
  Infer();
  ASSERT_THAT(profile_.edges, SizeIs(2));
  EXPECT_EQ(Edge(mid_, 8, leaf_).flags, uint32_t{kEdgeInferred});
}

// Roots.

using CallsBySite = std::map<std::pair<uint32_t, int32_t>, std::optional<double>>;

CallsBySite OutgoingOf(const Root& root) {
  CallsBySite calls;
  for (const OutgoingSite& site : root.outgoing) {
    std::optional<double>& at = calls[{site.node, site.bci}];
    if (site.calls) at = site.calls->calls;
  }
  EXPECT_EQ(calls.size(), root.outgoing.size()) << "each site once";
  return calls;
}

TEST_F(InferredTest, EntriesOfARootAreTheSamplesOfAllWaysIntoIt) {
  Compile(kFirst, {{0, kNoBci, root_}});
  Compile(kSecond, {{0, kNoBci, mid_}, {0, 4, leaf_}});
  Compile(kThird, {{0, kNoBci, leaf_}});  // Neither a caller nor called.
  const EdgeId edge = Sampled(leaf_, 7, root_, 20);
  Call(edge, kSecond, 1, kFirst, 4);
  Call(edge, kNoCompilation, 0, kFirst, 6);
  Call(Sampled(main_, 1, root_, 5), kNoCompilation, 0, kFirst, 5);
  Call(edge, kThird, 0, kThird, 0);
  const std::vector<Root> roots = RootsOf(profile_, evidence_);
  ASSERT_THAT(roots, SizeIs(2));
  ASSERT_TRUE(roots[0].entries.has_value());
  EXPECT_DOUBLE_EQ(roots[0].entries->calls, 1500);
  EXPECT_DOUBLE_EQ(roots[0].entries->variance, 150'000);
  EXPECT_THAT(roots[1].tree.nodes, SizeIs(2));
  ASSERT_TRUE(roots[1].entries.has_value());
  EXPECT_EQ(roots[1].entries->calls, 0) << "none was seen";
  EXPECT_EQ(OutgoingOf(roots[1]), (CallsBySite{{{1, 7}, 400}}));
}

// Where all callees are observed, no sample means that few calls were made.
TEST_F(InferredTest, OutgoingSitesSayHowManyOfTheirCallsWereSeenIfAnyCanBe) {
  Compile(kFirst, {{0, kNoBci, root_}, {0, 3, mid_}},
          {{0, 10}, {0, 11}, {0, 12}, {0, 13}, {0, 14}, {1, 2}, {1, 5}});
  Counted(root_, 100,
          {{10, 60, {{leaf_, 40}, {mid_, 20}}},
           {11, 60, {{leaf_, 40}, {lib_, 20}}},
           {12, 60, {{leaf_, 40}}},
           {13, 60, {}},
           {14, 60, {{leaf_, 60}}}});
  const EdgeId from_root = Sampled(root_, 14, leaf_, 8);
  Call(from_root, kFirst, 0, kNoCompilation, 2);
  Call(from_root, kFirst, 0, kSecond, 3);
  Call(Sampled(mid_, 2, leaf_, 7), kFirst, 1, kNoCompilation, 7);
  Call(Sampled(mid_, 30, leaf_, 1), kFirst, 1, kNoCompilation, 1);
  Call(from_root, kFirst, 2, kNoCompilation, 1);  // There is no such node.
  Call(from_root, kFirst, 1, kNoCompilation, 1);  // That node is another method's.
  const std::vector<Root> roots = RootsOf(profile_, evidence_);
  ASSERT_THAT(roots, SizeIs(1));
  EXPECT_EQ(OutgoingOf(roots[0]), (CallsBySite{{{0, 10}, 0},
                                               {{0, 11}, std::nullopt},  // One is not observed.
                                               {{0, 12}, std::nullopt},  // A third has no record.
                                               {{0, 13}, std::nullopt},  // None has.
                                               {{0, 14}, 500},
                                               {{1, 2}, 700},
                                               {{1, 5}, std::nullopt},  // No profile.
                                               {{1, 30}, 100}}));       // Told by its sample only.
}

}  // namespace
}  // namespace yp
