#include "format/profile/counted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/profile/fold_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

// main calls work at 1, and that leaf at 3. Samples are told in two rounds: in the first work ran
// in C1's code that counts, in the second in C2's.
class CountedTest : public ::testing::Test {
 protected:
  static spool::MethodProfile Counted(uint32_t caller, int32_t bci, uint32_t callee, uint64_t calls,
                                      uint64_t before = 0) {
    return {.method = MethodId{caller},
            .invocations = calls,
            .sites = {{bci, calls, {{MethodId{callee}, calls, before}}, before}},
            .invocations_before = before};
  }
  static spool::Window Sampled(int64_t start_ns, std::vector<std::pair<EdgeId, uint32_t>> samples) {
    spool::Window window;
    window.tick = 1;
    window.start_ns = start_ns;
    window.samples = std::move(samples);
    return window;
  }
  std::vector<spool::Record> Records() const {
    std::vector<spool::Record> records = {
        spool::Config{{{"mode", "cbs"},
                       {"policy", "countdown"},
                       {"continuous", "yes"},
                       {"interval", "100"},
                       {"vm_counts", vm_counts_}}},
        DefineMethod(1, "main"),
        DefineMethod(2, "work", Method::kObserved),
        DefineMethod(3, "leaf", Method::kObserved),
        DefineEdge(1, 1, 1, 2),
        DefineEdge(2, 2, 3, 3),
        spool::Compilation{.id = CompilationId{1},
                           .level = 3,
                           .nodes = {{0, kNoBci, MethodId{2}}},
                           .call_sites = {}},
        spool::Compilation{.id = CompilationId{2},
                           .level = 4,
                           .nodes = {{0, kNoBci, MethodId{2}}},
                           .call_sites = {{0, 3}}},
        spool::CompiledCall{CompiledCallId{1}, EdgeId{2}, CompilationId{1}, 0},
        spool::CompiledCall{CompiledCallId{2}, EdgeId{2}, CompilationId{2}, 0},
        Sampled(10, {{EdgeId{2}, 30}}),
        spool::CompiledSamples{{{CompiledCallId{1}, 30}}, 20},
        Sampled(30, {{EdgeId{2}, 50}}),
        Sampled(31, {{EdgeId{2}, 20}}),
        spool::CompiledSamples{{{CompiledCallId{2}, 60}, {CompiledCallId{1}, 10}}, 40},
    };
    for (const spool::MethodProfile& profile : counted_) records.emplace_back(profile);
    records.emplace_back(spool::End{.end_ns = 1'000'000});
    return records;
  }
  static EdgeStats EdgeOf(const Profile& profile, const std::string& callee) {
    for (const EdgeStats& edge : profile.edges) {
      if (profile.methods[edge.edge.callee].name == callee) return edge;
    }
    ADD_FAILURE() << "no call of " << callee;
    return {};
  }

  std::string vm_counts_ = "all";
  std::vector<spool::MethodProfile> counted_ = {Counted(1, 1, 2, 9000), Counted(2, 3, 3, 4000)};
};

// What interpreted callers call that have no profile is counted nowhere, but by a callee whose code
// has counts.
TEST_F(CountedTest, SamplesOfInterpretedCallersStandForCallsThatNobodyCounted) {
  const auto left_out = [&](const spool::CompiledCall& call, uint64_t interpreted,
                            bool is_uncounted) {
    std::vector<spool::Record> records = Records();
    for (spool::Record& record : records) {
      auto* compilation = std::get_if<spool::Compilation>(&record);
      if (compilation != nullptr && !is_uncounted) compilation->level = 3;
      auto* profile = std::get_if<spool::MethodProfile>(&record);
      if (profile != nullptr && profile->method == MethodId{1}) profile->interpreted = interpreted;
    }
    records.insert(records.end() - 1, call);
    records.insert(records.end() - 1, Sampled(50, {{EdgeId{1}, 25}}));
    records.insert(records.end() - 1, spool::CompiledSamples{{{call.id, 25}}, 60});
    const Result<Profile> profile = Fold(records);
    const int others = is_uncounted ? 40 : 100;  // Of leaf.
    return std::stoi(profile->config.at("samples_of_counted_calls")) - others;
  };
  const auto to_work = [](uint32_t callee, bool is_profiled) {
    return spool::CompiledCall{CompiledCallId{9},     EdgeId{1},  kNoCompilation, 0,
                               CompilationId{callee}, is_profiled};
  };
  EXPECT_EQ(left_out(to_work(2, true), 0, true), 25) << "main's profile has them";
  EXPECT_EQ(left_out(to_work(2, false), 0, true), 0) << "nobody's has";
  EXPECT_EQ(left_out(to_work(2, false), 10, true), 0) << "C2's code counts nothing";
  EXPECT_EQ(left_out(to_work(1, false), 10, false), 25) << "work's has, and main made them";
  EXPECT_EQ(left_out(to_work(1, false), 0, false), 0) << "main's calls before are not known";
}

TEST_F(CountedTest, WhatTheVmHasCountedTakesThePlaceOfItsSamples) {
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  const EdgeStats leaf = EdgeOf(*profile, "leaf");
  EXPECT_EQ(leaf.samples, 60u) << "of 100, 40 were of code that counts";
  EXPECT_EQ(leaf.counted, 4000);
  EXPECT_NEAR(leaf.calls - leaf.counted, 6000, 1500) << "with what work's calls let expect";
  EXPECT_THAT(FlagNamesOf(leaf), IsSupersetOf({"sampled", "counted"}));
  EXPECT_LE(leaf.low, 10'000);
  EXPECT_GE(leaf.high, 10'000);
  EXPECT_GE(leaf.low, 4000 * 0.98 + 60);
  const EdgeStats work = EdgeOf(*profile, "work");
  EXPECT_EQ(work.calls, 9000);
  EXPECT_EQ(work.samples, 0u);
  EXPECT_THAT(FlagNamesOf(work), ElementsAre("counted"));
  EXPECT_EQ(profile->config.at("samples_of_counted_calls"), "40");
  uint64_t in_windows = 0;
  for (const spool::Window& window : profile->windows) {
    for (const auto& [edge, samples] : window.samples) in_windows += samples;
  }
  EXPECT_EQ(in_windows, 60u);
}

TEST_F(CountedTest, WithoutSamplesTheCountsAreALowerBound) {
  std::vector<spool::Record> records = Records();
  EXPECT_FALSE(Fold(records)->is_lower_bound());
  std::erase_if(records, [](const spool::Record& record) {
    return std::holds_alternative<spool::Window>(record) ||
           std::holds_alternative<spool::CompiledSamples>(record);
  });
  const Result<Profile> profile = Fold(records);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_TRUE(profile->is_lower_bound());
  const EdgeStats work = EdgeOf(*profile, "work");
  EXPECT_EQ(work.calls, 9000);
  EXPECT_GT(work.high, 2 * work.calls) << "as many as the machine can have made";
}

// main calls leaf 12 times in the interpreter, and work may have, where it has no profile.
std::vector<spool::Record> WithInterpreted(std::vector<spool::Record> records) {
  records.insert(
      records.end() - 1,
      spool::InterpretedCalls{{{MethodId{1}, 12, 0, false, {{9, 0, true, false, true}}, {}},
                               {MethodId{2}, 40, 0, false, {{20, 0, false, false, false}}, {}},
                               {MethodId{3}, 30, 0, false, {}, {}}},
                              {{MethodId{3}}}});
  return records;
}

TEST_F(CountedTest, CallsThatTheInterpreterExecutedAreExpected) {
  counted_ = {Counted(1, 1, 2, 9000)};
  const Result<Profile> without = Fold(Records());
  ASSERT_TRUE(without) << without.message();
  const Result<Profile> profile = Fold(WithInterpreted(Records()));
  ASSERT_TRUE(profile) << profile.message();
  const auto at = [&](int32_t bci) {
    for (const EdgeStats& edge : profile->edges) {
      if (edge.edge.bci == bci) return edge;
    }
    return EdgeStats{};
  };
  const EdgeStats of_main = at(9), of_work = at(20);
  EXPECT_EQ(of_main.calls, 12);
  EXPECT_EQ(of_main.flags & (kEdgeExpected | kEdgeCounted | kEdgeSampled), kEdgeExpected + 0u);
  EXPECT_GE(of_main.low, 1);
  EXPECT_GE(of_main.high, 12);
  EXPECT_EQ(of_main.counted, 12) << "of which no time is known";
  EXPECT_NEAR(of_work.calls, 18, 1e-6);
  EXPECT_EQ(of_work.low, 0);
  EXPECT_GE(of_work.high, 30) << "as many as leaf has";
  EXPECT_EQ(profile->ConfigOr("interpreted_calls_without_caller", ""), "40") << "those of work";
  EXPECT_NEAR(profile->total_calls() - without->total_calls(), 30, 1e-6);
}

TEST_F(CountedTest, WithoutSamplesExpectedCallsHaveNoInterval) {
  std::vector<spool::Record> records = WithInterpreted(Records());
  std::erase_if(records, [](const spool::Record& record) {
    return std::holds_alternative<spool::Window>(record) ||
           std::holds_alternative<spool::CompiledSamples>(record);
  });
  const Result<Profile> profile = Fold(records);
  ASSERT_TRUE(profile) << profile.message();
  const EdgeStats leaf = EdgeOf(*profile, "leaf");
  EXPECT_FALSE(HasInterval(leaf));
  EXPECT_LE(leaf.low, leaf.calls);
}

TEST_F(CountedTest, SamplesOfCountedCallsAreFoundAmongThoseOfAsManySteps) {
  std::vector<spool::Record> records = Records();
  const std::vector<spool::Record> more = {
      spool::EdgeDefinition{EdgeId{7}, {MethodId{2}, 3, MethodId{3}}, 8},
      spool::CompiledCall{CompiledCallId{7}, EdgeId{7}, CompilationId{1}, 0},
      // The same edge by both ids, in windows of one time.
      Sampled(50, {{EdgeId{2}, 9}, {EdgeId{7}, 40}}),
      spool::CompiledSamples{{{CompiledCallId{2}, 9}, {CompiledCallId{7}, 40}}, 60},
  };
  records.insert(records.end() - 1, more.begin(), more.end());
  const Result<Profile> profile = Fold(records);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(EdgeOf(*profile, "leaf").samples, 69u);
  EXPECT_EQ(profile->config.at("samples_of_counted_calls"), "80");
  for (const spool::Window& window : profile->windows) {
    if (window.steps == 1) continue;
    EXPECT_THAT(window.samples, ::testing::IsEmpty());
  }
}

TEST_F(CountedTest, SharesAddUpAndHoldTheirEdges) {
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  for (const EdgeStats& edge : profile->edges) {
    const double share = edge.calls / profile->total_calls();
    EXPECT_LE(edge.share_low, share);
    EXPECT_GE(edge.share_high, share);
    EXPECT_LE(edge.low, edge.calls);
    EXPECT_GE(edge.high, edge.calls);
    EXPECT_LE(edge.share_high, 1);
  }
}

TEST_F(CountedTest, OnlyWhatWasCountedWhileCallsWereRecordedCounts) {
  counted_ = {Counted(1, 1, 2, 9000, 8900), Counted(2, 3, 3, 4000, 3900)};
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(EdgeOf(*profile, "work").calls, 100);
  EXPECT_EQ(EdgeOf(*profile, "leaf").counted, 100);
}

TEST_F(CountedTest, WithoutAllCountsTheSamplesStandForAllCalls) {
  for (const bool is_cut : {false, true}) {
    vm_counts_ = is_cut ? "all" : "";
    const Result<Profile> profile = Fold(Records(), is_cut ? 1 : 0);
    ASSERT_TRUE(profile) << profile.message();
    ASSERT_THAT(profile->edges, SizeIs(1));
    EXPECT_EQ(profile->edges[0].samples, 100u);
    EXPECT_NEAR(profile->edges[0].calls, 10'000, 1000) << "with what is expected of work";
    EXPECT_EQ(profile->edges[0].counted, 0);
  }
}

// The windows of other policies weigh as much with fewer samples.
TEST_F(CountedTest, OnlyWhereCallsAreCountedDownCountsTakeTheirPlace) {
  std::vector<spool::Record> records = Records();
  std::get<spool::Config>(records[0]).entries[1].second = "cbs";
  const Result<Profile> profile = Fold(records);
  ASSERT_TRUE(profile) << profile.message();
  for (const EdgeStats& edge : profile->edges) EXPECT_EQ(edge.counted, 0);
  EXPECT_EQ(EdgeOf(*profile, "leaf").samples, 100u);
}

// The VM has counted the calls of work, not what its code inlined.
TEST_F(CountedTest, SamplesOfCountedCallsTellWhatTheyEntered) {
  std::vector<spool::Record> records = Records();
  records.pop_back();
  records.emplace_back(spool::Compilation{.id = CompilationId{3},
                                          .level = 4,
                                          .nodes = {{0, kNoBci, MethodId{2}}, {0, 3, MethodId{3}}},
                                          .call_sites = {}});
  records.emplace_back(spool::CompiledCall{.id = CompiledCallId{3},
                                           .edge = EdgeId{1},
                                           .callee = CompilationId{3},
                                           .is_caller_profiled = true});
  records.emplace_back(Sampled(50, {{EdgeId{1}, 200}}));
  records.emplace_back(spool::CompiledSamples{{{CompiledCallId{3}, 200}}, 60});
  records.emplace_back(spool::End{.end_ns = 1'000'000});
  const Result<Profile> profile = Fold(records);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(EdgeOf(*profile, "work").samples, 0u);
  EXPECT_NEAR(EdgeOf(*profile, "work").calls, 9000, 1e-6);
  const EdgeStats leaf = EdgeOf(*profile, "leaf");
  EXPECT_NEAR(leaf.calls, 4000 + 6000 + 20'000, 6000) << "each of 200 samples is 100 calls";
  for (const EdgeStats& edge : profile->edges) EXPECT_GE(edge.edge.bci, kNoBci);
}

TEST_F(CountedTest, SamplesOfSitesThatNobodyCountsStay) {
  counted_ = {Counted(1, 1, 2, 9000), Counted(2, 3, 1, 4000)};  // Of a callee that is not observed.
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(EdgeOf(*profile, "leaf").samples, 100u);
}

TEST_F(CountedTest, AnEdgeThatWasNotSampledMayHaveAFewSamplesCallsMore) {
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  const EdgeStats work = EdgeOf(*profile, "work");
  EXPECT_NEAR(work.high - work.calls, kMostUnseenSamples * 100, 60);
  EXPECT_NEAR(work.low, 9000, 100);
}

TEST_F(CountedTest, TheReplicatesHaveWhatWasCounted) {
  const Result<Profile> profile = Fold(Records());
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_THAT(profile->replicates, SizeIs(profile->edges.size()));
  for (size_t i = 0; i < profile->edges.size(); ++i) {
    for (const float calls : profile->replicates[i]) {
      EXPECT_GE(calls, static_cast<float>(profile->edges[i].counted) * 0.999f);
    }
  }
}

}  // namespace
}  // namespace yp
