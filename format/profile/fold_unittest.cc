#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sampling/countdown.h"
#include "format/profile/fold_test_util.h"
#include "format/profile/profile.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using spool::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Differences of such times are no numbers.
TEST(FoldTest, ATickBeforeTheRunIsNone) {
  spool::Window window;
  window.samples = {{EdgeId{1}, 1}};
  const auto profile = Fold({DefineMethod(1, "f"), DefineEdge(1, 1, 9, 1), window,
                             spool::Tick{1, INT64_MIN, 50, 100, 40, 40},
                             spool::Tick{2, INT64_MAX, 50, 100, 40, 80}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->ticks.size(), 1u);
  EXPECT_EQ(profile->ticks[0].tick, 2u);
}

TEST(FoldTest, CountsOfAnEdgeAddUpExactly) {
  const auto profile = Fold(
      {spool::Config{{{"mode", "exact"}}}, DefineMethod(4, "f"), DefineMethod(9, "g"),
       DefineEdge(2, 4, 7, 9), DefineEdge(3, 9, 1, 4), spool::Counts{{{EdgeId{2}, 5}}},
       spool::Counts{{{EdgeId{3}, 1}, {EdgeId{2}, 9'000'000'000'000'000}}}, spool::End{1000, 10}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 2u);
  const EdgeStats& edge = profile->edges[0];
  EXPECT_EQ(edge.calls, 9'000'000'000'000'005.0);
  EXPECT_EQ(edge.low, edge.calls);
  EXPECT_EQ(edge.high, edge.calls);
  EXPECT_EQ(edge.uncorrected, edge.calls);
  EXPECT_EQ(edge.variance, 0);
  EXPECT_THAT(EdgeFlagNames(edge.flags), ElementsAre("exact"));
  EXPECT_EQ(profile->NameOf(edge.edge.caller), "A.f()V");
  EXPECT_TRUE(profile->exact());
  EXPECT_TRUE(profile->complete);
  EXPECT_EQ(profile->duration_ns, 1000);
  EXPECT_EQ(profile->damage, "");
}

TEST(FoldTest, UnexecutedCallsAreThoseOfTheLastRecordWhoseCallersAreKnown) {
  using Call = spool::UnexecutedCalls::Call;
  const Call of_f{MethodId{1}, 7, "App", "g", "()V"};
  const auto profile = Fold(
      {spool::Config{{{"mode", "edges"}}}, DefineMethod(1, "f"),
       spool::UnexecutedCalls{{{MethodId{1}, 3, "App", "h", "()V"}}},
       spool::UnexecutedCalls{
           {Call{MethodId{1}, 9, "App", "g", "()V"}, of_f, Call{kNoMethod, 7, "App", "g", "()V"},
            Call{MethodId{99}, 7, "App", "g", "()V"}, Call{MethodId{1}, -1, "App", "g", "()V"}}},
       spool::End{1000, 10}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->unexecuted_calls.size(), 2u);
  EXPECT_EQ(profile->unexecuted_calls[0].bci, 7);
  EXPECT_EQ(profile->unexecuted_calls[0].callee, "App.g()V");
  EXPECT_EQ(profile->unexecuted_calls[1].bci, 9);
  EXPECT_EQ(profile->methods[profile->unexecuted_calls[1].caller].name, "f");
}

TEST(FoldTest, TestsHaveWhatWasReachedWhileTheyRan) {
  const EdgeId call{1}, back{2}, lost{3};
  const auto profile =
      Fold({spool::Config{{{"mode", "edges"}}}, DefineMethod(1, "f"), DefineMethod(2, "g"),
            DefineEdge(1, 1, 7, 2), DefineEdge(2, 2, 9, 1), DefineEdge(3, 2, 5, 2),
            spool::TestBegin{7, 100, "one"}, spool::Counts{{{call, 1}, {back, 1}}},
            // It was told and not counted; and there is no such test.
            spool::Reached{{7}, {back, lost, EdgeId{99}}}, spool::Reached{{8}, {call}},
            spool::TestBegin{9, 200, "two"}, spool::Reached{{7, 9}, {call, back}},
            spool::TestEnd{7, 300}, spool::TestEnd{55, 300}, spool::Reached{{9}, {call}},
            spool::End{1000, 10}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 2u);
  const auto index_of = [&](int32_t bci) {
    const auto found = std::ranges::find(profile->edges, bci,
                                         [](const EdgeStats& stats) { return stats.edge.bci; });
    return EdgeId{static_cast<uint32_t>(found - profile->edges.begin())};
  };
  const EdgeId of_call = index_of(7), of_back = index_of(9);
  ASSERT_EQ(of_call, EdgeId{0});
  EXPECT_THAT(profile->tests,
              ElementsAre(TestRun{"one", 100, 300, {{of_call, false}, {of_back, true}}},
                          TestRun{"two", 200, std::nullopt, {{of_call, true}, {of_back, false}}}));
  EXPECT_EQ(profile->edges[0].calls, 1);
}

TEST(FoldTest, AnEdgeThatWasNeverCountedIsNoEdge) {
  const auto profile = Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 0), DefineEdge(1, 0, 2, 0),
                             spool::Counts{{{EdgeId{1}, 3}, {EdgeId{0}, 0}}}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].edge.bci, 2);
}

TEST(FoldTest, MethodsOfOneNameFallTogetherAndSoDoTheirEdges) {
  const auto profile = Fold({DefineMethod(0, "f"), DefineMethod(1, "g"), DefineMethod(2, "g"),
                             DefineEdge(0, 0, 1, 1), DefineEdge(1, 0, 1, 2),
                             spool::Counts{{{EdgeId{0}, 3}, {EdgeId{1}, 4}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->methods.size(), 2u);
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].calls, 7);
}

TEST(FoldTest, LaterValuesOfConfigurationDropsAndThreadsReplaceEarlierOnes) {
  const auto profile =
      Fold({spool::Config{{{"probe", "auto"}, {"mode", "cbs"}}},
            spool::Config{{{"probe", "bytecode"}}}, spool::Drops{{{"ring full", 3}}},
            spool::Drops{{{"ring full", 8}}}, spool::ThreadDefinition{ThreadId{1}, "Thread-0"},
            spool::ThreadDefinition{ThreadId{1}, "worker"}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(profile->config, ElementsAre(Pair("mode", "cbs"), Pair("probe", "bytecode")));
  EXPECT_THAT(profile->drops, ElementsAre(Pair("ring full", 8)));
  ASSERT_EQ(profile->threads.size(), 1u);
  EXPECT_EQ(profile->threads[0].name, "worker");
}

TEST(FoldTest, ACutOffSpoolGivesWhatWasRecordedAndSaysSo) {
  const auto profile =
      Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 0), spool::Counts{{{EdgeId{0}, 3}}},
            spool::Counts{{{EdgeId{0}, 4}}}, spool::End{5, 5}},
           10);
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].calls, 3 + 4);
  EXPECT_FALSE(profile->complete);
  EXPECT_THAT(profile->damage, HasSubstr("cut off after frame 4"));
}

TEST(FoldTest, CallsWhoseEdgeIsNotKnownAreDropsAndNotEdges) {
  const auto profile =
      Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 77), DefineEdge(1, 0, -2, 0),
            DefineEdge(2, 0, 65536, 0),
            spool::Counts{{{EdgeId{0}, 3}, {EdgeId{5}, 4}, {EdgeId{1}, 10}, {EdgeId{2}, 100}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_TRUE(profile->edges.empty());
  EXPECT_THAT(profile->drops, ElementsAre(Pair("spool: definition lost", 117)));
}

TEST(FoldTest, ASpoolWithoutRecordsIsAClearError) {
  const auto profile = Fold({});
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.message()), HasSubstr("a.yp-spool: the spool holds no records"));
}

TEST(FoldTest, WhatIsFoldedCanBeSavedAndLoadedWhateverTheRecordsSay) {
  // Of the two callees one is not observed: with compilations, its edge is for what it inlines.
  for (const auto& [records, edges] : {std::pair(spool::FirstRecords(), size_t{2}),
                                       std::pair(spool::SampleRecords(), size_t{1})}) {
    const TemporaryDirectory directory;
    const auto profile = Fold(records);
    ASSERT_TRUE(profile) << profile.message();
    const std::string path = directory / "folded.yp";
    ASSERT_TRUE(SaveProfile(*profile, path));
    const auto loaded = LoadProfile(path);
    ASSERT_TRUE(loaded) << loaded.message();
    EXPECT_EQ(loaded->edges.size(), edges);
    EXPECT_EQ(loaded->methods.size(), 2u);
  }
}

TEST(FoldTest, ACallSitesLineComesFromItsMethod) {
  Method method{"A", "f", "()V", "A.java", 0, {{9, 30}, {0, 10}}};  // Not in order.
  const auto profile =
      Fold({spool::MethodDefinition{MethodId{0}, method}, DefineEdge(0, 0, 12, 0),
            DefineEdge(1, 0, 3, 0), spool::Counts{{{EdgeId{0}, 1}, {EdgeId{1}, 1}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->LineOf(profile->edges[0].edge), 30);
  EXPECT_EQ(profile->LineOf(profile->edges[1].edge), 10);
}

// Calls of seldom called methods count down several steps, and stand for fewer.
TEST(FoldTest, ASampleStandsForWhatItsStepsSay) {
  const spool::Config counted_down{
      {{"mode", "cbs"}, {"policy", "countdown"}, {"continuous", "yes"}, {"interval", "1000"}}};
  const auto edge = [](uint32_t id, uint32_t callee, uint32_t steps) {
    return spool::EdgeDefinition{EdgeId{id}, {MethodId{1}, 3, MethodId{callee}}, steps};
  };
  spool::Window window;
  window.tick = 1;
  // The same edge by two ids; the other has one for 500 steps only.
  window.samples = {{EdgeId{1}, 4}, {EdgeId{2}, 10}, {EdgeId{3}, 7}};
  const auto profile =
      Fold({counted_down, DefineMethod(1, "main"), DefineMethod(2, "often"),
            DefineMethod(3, "seldom"), edge(1, 2, 1), edge(2, 2, 8), edge(3, 3, 500), window});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 2u);
  EXPECT_NEAR(profile->edges[0].calls, 4 * 1000 + 10 * CallsPerSample(1000, 8), 1e-6);
  EXPECT_EQ(profile->edges[0].samples, 14u);
  EXPECT_NEAR(profile->edges[1].calls, 7 * CallsPerSample(1000, 500), 1e-6);
  EXPECT_NEAR(profile->edges[1].uncorrected, profile->edges[1].calls, 1e-6);
  EXPECT_EQ(profile->edges[1].samples, 7u);
  // One window for each number of steps.
  ASSERT_EQ(profile->windows.size(), 3u);
  EXPECT_EQ(profile->windows[1].steps, 8u);
  EXPECT_EQ(profile->windows[2].steps, 500u);
}

TEST(FoldTest, RootsAreEnteredAsOftenAsTheStepsOfTheirSamplesSay) {
  spool::Compilation root;
  root.id = CompilationId{4};
  root.nodes = {{0, kNoBci, MethodId{12}}, {0, 3, MethodId{13}}};
  const CompiledCallId one{7}, many{8};
  spool::Window window;
  window.samples = {{EdgeId{5}, 3}, {EdgeId{6}, 40}};
  const auto profile = Fold({
      spool::Config{
          {{"mode", "cbs"}, {"policy", "countdown"}, {"continuous", "yes"}, {"interval", "1000"}}},
      DefineMethod(11, "main"),
      DefineMethod(12, "root", Method::kObserved),
      DefineMethod(13, "leaf", Method::kObserved),
      spool::EdgeDefinition{EdgeId{5}, {MethodId{11}, 1, MethodId{12}}, 1},
      spool::EdgeDefinition{EdgeId{6}, {MethodId{11}, 1, MethodId{12}}, 64},
      root,
      spool::CompiledCall{one, EdgeId{5}, kNoCompilation, 0, CompilationId{4}},
      spool::CompiledCall{many, EdgeId{6}, kNoCompilation, 0, CompilationId{4}},
      spool::MethodProfile{MethodId{12}, 1000, {{3, 5000, {{MethodId{13}, 5000}}}}},
      window,
      spool::CompiledSamples{{{one, 3}, {many, 40}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 2u);
  const double entries = 3 * 1000 + 40 * CallsPerSample(1000, 64);
  EXPECT_NEAR(profile->edges[0].calls, entries, 1e-6);
  EXPECT_NEAR(profile->edges[1].calls, 5 * entries, 1e-6);
}

// Inlined calls. Every sample stands for 100 calls: windows without a density, of stride 100.

const spool::Config kHundredCallsForEachSample{{{"mode", "timer"}, {"stride", "100"}}};

spool::Window SampledWindow(const std::vector<std::pair<EdgeId, uint32_t>>& samples,
                            int64_t start_s = 0) {
  spool::Window window;
  window.start_ns = start_s * 1'000'000'000;
  window.calls = 1;
  window.samples = samples;
  return window;
}

// "caller@bci > callee calls flags" of every edge.
std::vector<std::string> EdgesOf(const Profile& profile) {
  std::vector<std::string> edges;
  for (const EdgeStats& edge : profile.edges) {
    const auto name = [&](MethodId id) {
      return id == kNoMethod ? std::string(kRootName) : profile.methods[id].name;
    };
    std::ostringstream text;
    text << name(edge.edge.caller) << "@" << edge.edge.bci << " > " << name(edge.edge.callee) << " "
         << edge.calls;
    for (const std::string_view flag : EdgeFlagNames(edge.flags)) text << " " << flag;
    edges.push_back(text.str());
  }
  return edges;
}

TEST(FoldTest, InlinedCallsAreInferredFromWhatIsToldOfCompilations) {
  spool::Compilation root;
  root.id = CompilationId{4};
  root.nodes = {{0, kNoBci, MethodId{12}}, {0, 3, MethodId{13}}, {1, 8, MethodId{14}}};
  const CompiledCallId call{7};
  const auto profile = Fold({
      kHundredCallsForEachSample,
      DefineMethod(11, "main"),
      DefineMethod(12, "root", Method::kObserved),
      DefineMethod(13, "mid", Method::kObserved),
      DefineMethod(14, "leaf", Method::kObserved),
      DefineEdge(5, 11, 1, 12),
      root,
      spool::CompiledCall{call, EdgeId{5}, kNoCompilation, 0, CompilationId{4}},
      spool::MethodProfile{MethodId{12}, 1, {{3, 1, {}}}},  // What is told later replaces it.
      SampledWindow({{EdgeId{5}, 4}}),
      spool::CompiledSamples{{{call, 4}}},
      spool::MethodProfile{MethodId{12}, 1000, {{3, 500, {{MethodId{13}, 500}}}}},
      spool::MethodProfile{MethodId{13}, 400, {{8, 1600, {{MethodId{14}, 1600}}}}},
      SampledWindow({{EdgeId{5}, 6}}, 1),
      spool::CompiledSamples{{{call, 6}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  // 10 samples: 1,000 entries; of these every other calls mid, which calls leaf 4 times.
  EXPECT_THAT(EdgesOf(*profile),
              ElementsAre("main@1 > root 1000 sampled", "root@3 > mid 500 inferred",
                          "mid@8 > leaf 2000 inferred"));
  EXPECT_DOUBLE_EQ(profile->total_calls(), 3500);
  EXPECT_EQ(profile->total_samples(), 10u);
}

TEST(FoldTest, ContextsOfSampledCallsBecomeThoseOfAllCalls) {
  spool::Compilation root;
  root.id = CompilationId{4};
  root.nodes = {{0, kNoBci, MethodId{12}}, {0, 3, MethodId{13}}};
  const CompiledCallId call{7};
  spool::Config config = kHundredCallsForEachSample;
  config.entries.emplace_back("contexts", "sampled_calls");
  const auto profile = Fold({
      config,
      DefineMethod(11, "main"),
      DefineMethod(12, "root", Method::kObserved),
      DefineMethod(13, "leaf", Method::kObserved),
      DefineEdge(5, 11, 1, 12),
      root,
      spool::CompiledCall{call, EdgeId{5}, kNoCompilation, 0, CompilationId{4}},
      spool::MethodProfile{MethodId{12}, 1000, {{3, 500, {{MethodId{13}, 500}}}}},
      SampledWindow({{EdgeId{5}, 4}}),
      SampledWindow({{EdgeId{5}, 6}}, 1),
      spool::CompiledSamples{{{call, 10}}},
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{11}},
      spool::ContextDefinition{ContextId{2}, ContextId{1}, 1, MethodId{12}},
      spool::ContextDefinition{ContextId{3}, ContextId{2}, 9, MethodId{11}},
      spool::ContextDefinition{ContextId{4}, ContextId{3}, 1, MethodId{12}},
      spool::ContextSamples{0, ThreadId{1}, {{ContextId{2}, 7}, {ContextId{4}, 2}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(EdgesOf(*profile),
              ElementsAre("main@1 > root 1000 sampled", "root@3 > leaf 500 inferred"));
  std::vector<std::string> contexts;
  for (const CallingContextTree::Node& node : profile->contexts.nodes()) {
    if (node.weight == 0) continue;
    std::ostringstream text;
    text << profile->methods[node.method].name << " in " << ToIndex(node.parent) << ": "
         << std::setprecision(4) << node.weight;
    contexts.push_back(text.str());
  }
  // Main was seen 9 times, of which 2 in the inner one: (7 + 30 * 9 / 11) / (9 + 30) are the
  // outer's.
  EXPECT_THAT(contexts, ElementsAre("root in 1: 808.9", "root in 3: 191.1", "leaf in 2: 404.4",
                                    "leaf in 4: 95.57"));
}

TEST(FoldTest, CopiesOfACompilationOfMethodsOfOneNameAddUp) {
  // f of two class loaders, compiled twice, with g of either inlined.
  spool::Compilation first, second;
  first.id = CompilationId{1};
  first.nodes = {{0, kNoBci, MethodId{1}}, {0, 3, MethodId{2}}};
  second.id = CompilationId{2};
  second.nodes = {{0, kNoBci, MethodId{3}}, {0, 3, MethodId{4}}};
  const auto profile = Fold({
      kHundredCallsForEachSample,
      DefineMethod(1, "f", Method::kObserved),
      DefineMethod(2, "g", Method::kObserved),
      DefineMethod(3, "f", Method::kObserved),
      DefineMethod(4, "g", Method::kObserved),
      DefineEdge(1, 1, 9, 1),
      DefineEdge(2, 3, 9, 3),
      first,
      second,
      spool::CompiledCall{CompiledCallId{1}, EdgeId{1}, {}, 0, CompilationId{1}},
      spool::CompiledCall{CompiledCallId{2}, EdgeId{2}, {}, 0, CompilationId{2}},
      spool::MethodProfile{MethodId{3}, 100, {{3, 200, {{MethodId{4}, 200}}}}},
      SampledWindow({{EdgeId{1}, 3}, {EdgeId{2}, 1}}),
      SampledWindow({{EdgeId{1}, 1}}, 1),
      spool::CompiledSamples{{{CompiledCallId{1}, 4}, {CompiledCallId{2}, 1}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  // 5 samples of one edge, 2 calls of g for each entry.
  EXPECT_THAT(EdgesOf(*profile), ElementsAre("f@9 > f 500 sampled", "f@3 > g 1000 inferred"));
}

TEST(FoldTest, CompiledSamplesWithoutAWindowAreNoEdge) {
  const auto profile = Fold({
      DefineMethod(1, "f", Method::kObserved),
      DefineEdge(1, 1, 9, 1),
      spool::CompiledCall{CompiledCallId{1}, EdgeId{1}, {}, 0, {}},
      spool::CompiledSamples{{{CompiledCallId{1}, 4}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(EdgesOf(*profile), IsEmpty());
}

TEST(FoldTest, MalformedCompilationsAreIgnored) {
  using Nodes = std::vector<spool::Compilation::Node>;
  const MethodId f{1}, g{2}, unknown{99};
  const Nodes malformed[] = {
      {},
      {{0, kNoBci, unknown}},
      {{0, kNoBci, f}, {0, 3, unknown}},
      {{0, kNoBci, f}, {1, 3, g}},             // Its own parent.
      {{0, kNoBci, f}, {2, 3, g}, {0, 4, g}},  // A parent behind it.
      {{0, kNoBci, f}, {4294967295u, 3, g}},
  };
  for (const Nodes& nodes : malformed) {
    spool::Compilation compilation;
    compilation.id = CompilationId{1};
    compilation.nodes = nodes;
    const auto profile = Fold({
        kHundredCallsForEachSample,
        DefineMethod(1, "f", Method::kObserved),
        DefineMethod(2, "g", Method::kObserved),
        DefineMethod(3, "unobserved"),
        DefineEdge(1, 2, 9, 1),
        DefineEdge(2, 2, 8, 3),  // Leaves the profile when there is a compilation.
        compilation,
        spool::CompiledCall{CompiledCallId{1}, EdgeId{1}, {}, 0, CompilationId{1}},
        SampledWindow({{EdgeId{1}, 1}}),
        SampledWindow({{EdgeId{1}, 2}, {EdgeId{2}, 1}}, 1),
        spool::CompiledSamples{{{CompiledCallId{1}, 3}}},
    });
    ASSERT_TRUE(profile) << profile.message();
    EXPECT_THAT(EdgesOf(*profile),
                ElementsAre("g@9 > f 300 sampled", "g@8 > unobserved 100 sampled"));
  }
}

TEST(FoldTest, ContextsOfMethodsOfOneNameFallTogether) {
  const auto context = [](uint32_t id, uint32_t parent, uint32_t method) {
    return spool::ContextDefinition{ContextId{id}, ContextId{parent}, parent == 0 ? kNoBci : 7,
                                    MethodId{method}};
  };
  const auto profile = Fold({
      DefineMethod(1, "main"),
      DefineMethod(2, "f"),
      DefineMethod(3, "f"),  // Of another class loader.
      context(1, 0, 1),
      context(2, 1, 2),
      context(3, 1, 3),
      context(4, 3, 1),
      context(5, 99, 1),  // Below one that is not known,
      context(6, 1, 99),  // or of a method that is not.
      context(0, 1, 2),   // The root is never told.
      spool::ContextSamples{0, ThreadId{1}, {{ContextId{2}, 3}, {ContextId{4}, 1}}},
      spool::ContextSamples{9, ThreadId{2}, {{ContextId{3}, 4}, {ContextId{5}, 2}}},
      spool::ContextSamples{9, ThreadId{2}, {{ContextId{6}, 5}, {kRootContext, 1}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  const CallingContextTree& contexts = profile->contexts;
  EXPECT_EQ(contexts.size(), 4u) << "root, main, f in it, main in that";
  EXPECT_EQ(contexts.total(), 8);
  const std::vector<MethodWeight> weights = MethodWeights(contexts);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(profile->NameOf(weights[1].method), "A.f()V");
  EXPECT_EQ(weights[1].self, 7);
  EXPECT_EQ(weights[1].total, 8);
  EXPECT_EQ(profile->drops.at("spool: definition lost"), 8u) << "2, 5, and 1 of the root";
}

TEST(FoldTest, TheEndsOfCountedContextsAreTheCalls) {
  const auto profile = Fold({
      spool::Config{{{"mode", "exact"}, {"contexts", "calls"}}},
      DefineMethod(1, "main", Method::kObserved),
      DefineMethod(2, "f", Method::kObserved),
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      spool::ContextDefinition{ContextId{2}, ContextId{1}, 7, MethodId{2}},
      spool::ContextDefinition{ContextId{3}, ContextId{2}, 9, MethodId{2}},
      spool::ContextDefinition{ContextId{4}, ContextId{3}, 9, MethodId{2}},
      spool::ContextCounts{{{ContextId{1}, 1}, {ContextId{2}, 100}, {ContextId{3}, 20}}},
      spool::ContextCounts{{{ContextId{4}, 3}, {ContextId{2}, 5'000}}},
      spool::ContextCounts{{{ContextId{9}, 2}, {kRootContext, 5}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(EdgesOf(*profile),
              ElementsAre("(root)@-1 > main 1 exact", "main@7 > f 5100 exact", "f@9 > f 23 exact"))
      << "the recursive calls of both depths are of one edge";
  EXPECT_EQ(profile->contexts.total(), 5'124);
  EXPECT_EQ(profile->drops.at("spool: definition lost"), 7u);
}

TEST(FoldTest, WithoutAProbeTheEndsOfStacksAreTheCalls) {
  const auto records = [](const char* probe) {
    return std::vector<spool::Record>{
        spool::Config{{{"mode", "timer"}, {"probe", probe}}},
        DefineMethod(1, "main", Method::kObserved),
        DefineMethod(2, "f", Method::kObserved),
        DefineMethod(3, "jdk"),
        spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
        spool::ContextDefinition{ContextId{2}, ContextId{1}, 7, MethodId{2}},
        spool::ContextDefinition{ContextId{3}, ContextId{2}, 9, MethodId{3}},
        spool::ContextDefinition{ContextId{4}, kRootContext, kNoBci, MethodId{3}},
        spool::ContextSamples{0, ThreadId{1}, {{ContextId{2}, 3}, {ContextId{3}, 4}}},
        spool::ContextSamples{900'000'000, ThreadId{1}, {{ContextId{1}, 2}, {ContextId{4}, 5}}},
    };
  };
  const auto alone = Fold(records("none"));
  ASSERT_TRUE(alone) << alone.message();
  EXPECT_THAT(EdgesOf(*alone), ElementsAre("main@7 > f 7 sampled", "(root)@-1 > main 2 sampled"));
  const auto beside = Fold(records("patch"));
  ASSERT_TRUE(beside) << beside.message();
  EXPECT_THAT(beside->edges, testing::IsEmpty());
  EXPECT_EQ(beside->contexts.total(), 14);
}

TEST(FoldTest, ClocksOfCompilersGoForwards) {
  const auto profile = Fold({
      kHundredCallsForEachSample,
      spool::CompilerTimes{100, {{7, 10}, {8, -1}}},
      spool::CompilerTimes{300, {{7, 50}}},
      spool::CompilerTimes{200, {{7, 90}}},
      spool::CompilerTimes{INT64_MIN, {{9, INT64_MAX}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  std::vector<std::string> readings;
  for (const auto& [thread, of_thread] : profile->jit.clocks) {
    for (const auto& [time_ns, cpu_ns] : of_thread) {
      readings.push_back(std::to_string(thread) + ": " + std::to_string(cpu_ns) + " at " +
                         std::to_string(time_ns));
    }
  }
  EXPECT_THAT(readings, ElementsAre("7: 10 at 100", "7: 50 at 300", "8: 0 at 100",
                                    "9: " + std::to_string(INT64_MAX / 8) + " at 0"));
}

TEST(FoldTest, WhatNamesNothingIsIgnoredAndTheRestIsUsed) {
  spool::Compilation compilation;
  compilation.id = CompilationId{1};
  compilation.nodes = {{77, -5, MethodId{1}}, {0, 3, MethodId{2}}};
  compilation.call_sites = {{0, -7}, {1, 2}, {2, 0}, {4294967295u, 2147483647}};
  const auto call = [](uint32_t id, uint32_t edge, uint32_t caller, uint32_t node,
                       uint32_t callee) {
    return spool::CompiledCall{CompiledCallId{id}, EdgeId{edge}, CompilationId{caller}, node,
                               CompilationId{callee}};
  };
  const auto profile = Fold({
      kHundredCallsForEachSample,
      DefineMethod(1, "f", Method::kObserved),
      DefineMethod(2, "g", Method::kObserved),
      DefineEdge(1, 2, 9, 1),
      DefineEdge(2, 1, 9, 99),  // Of a method that is not known.
      compilation,
      call(1, 1, 0, 0, 1),
      call(2, 1, 1, 2, 0),  // Beyond the nodes.
      call(3, 1, 1, 4294967295u, 0),
      call(4, 1, 88, 0, 89),  // Compilations that are not known.
      call(5, 2, 1, 0, 1),
      call(6, 77, 1, 0, 1),  // Edges that are not known.
      spool::MethodProfile{
          MethodId{1}, 100, {{3, 200, {{MethodId{2}, 150}, {kNoMethod, 25}, {MethodId{99}, 25}}}}},
      spool::MethodProfile{MethodId{99}, 100, {{3, 200, {}}}},
      spool::MethodProfile{kNoMethod, 100, {{3, 200, {}}}},
      SampledWindow({{EdgeId{1}, 4}, {EdgeId{2}, 1}}),
      SampledWindow({{EdgeId{1}, 2}}, 1),
      spool::CompiledSamples{{{CompiledCallId{1}, 3},
                              {CompiledCallId{2}, 1},
                              {CompiledCallId{3}, 1},
                              {CompiledCallId{4}, 1},
                              {CompiledCallId{5}, 4294967295u},
                              {CompiledCallId{6}, 4294967295u},
                              {CompiledCallId{7}, 4294967295u}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  // 3 of the 6 samples are known to have entered f's compilation, in which 3 of 4 calls are of g,
  // two for each entry.
  EXPECT_THAT(EdgesOf(*profile), ElementsAre("g@9 > f 600 sampled", "f@3 > g 450 inferred"));
}

// The project's own adaptive optimization system.

TEST(FoldTest, OwnCompilationsAreInTheLogAtLevelsOfTheirOwn) {
  const Result<Profile> profile = Fold({
      DefineMethod(1, "run"),
      spool::OwnCompilation{.method = MethodId{1},
                            .compile_id = 17,
                            .level = 1,
                            .level_name = "OPT1",
                            .is_asked_by_vm = false,
                            .start_ns = 1'000,
                            .end_ns = 9'000,
                            .cpu_ns = 99'000,
                            .bytecode_bytes = 44,
                            .code_bytes = 400},
      spool::OwnCompilation{.method = MethodId{1},
                            .level_name = "BASE",
                            .is_osr = true,
                            .osr_bci = 7,
                            .failure = "monitors"},
      spool::OwnCompilation{.method = MethodId{99}},
      spool::OwnCompilation{.method = MethodId{1}, .level = -1},
  });
  ASSERT_TRUE(profile) << profile.message();
  const JitLog& log = profile->jit.log;
  ASSERT_EQ(log.compilations.size(), 2u);
  const JitLog::Compilation& again = log.compilations[0];
  EXPECT_EQ(log[again.method].full_name, "A.run()V");
  EXPECT_EQ(again.level, 11);
  EXPECT_EQ(again.compiler, "OPT1");
  EXPECT_EQ(again.compile_id, 17);
  EXPECT_EQ(again.cpu_ns, 8'000) << "no more than there was time for";
  EXPECT_EQ(again.code_bytes, 400);
  EXPECT_TRUE(again.succeeded);
  EXPECT_FALSE(again.osr_bci);
  EXPECT_EQ(log.compilations[1].level, 10);
  EXPECT_EQ(log.compilations[1].osr_bci, 7);
  EXPECT_EQ(log.compilations[1].failure, "monitors");
  EXPECT_FALSE(log.compilations[1].succeeded);
}

TEST(FoldTest, DecisionsOfTheControllerAreKeptWithTheTermsOfItsModel) {
  const Result<Profile> profile = Fold({
      DefineMethod(1, "run"),
      spool::ControllerDecision{.time_ns = 5'000,
                                .method = MethodId{1},
                                .reason = "a higher level costs less",
                                .recompiles = true,
                                .to = 2,
                                .past_ns = 40,
                                .compile_ns = 4,
                                .future_ns = 6,
                                .bytes = 80,
                                .milli_samples = 2'125},
      spool::ControllerDecision{.method = MethodId{99}},
  });
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->jit.decisions.size(), 1u);
  const auto& decision = profile->jit.decisions[0];
  EXPECT_EQ(profile->jit.log[decision.method].full_name, "A.run()V");
  EXPECT_EQ(decision.reason, "a higher level costs less");
  EXPECT_TRUE(decision.recompiles);
  EXPECT_EQ(decision.to, 2);
  EXPECT_EQ(decision.past_ns - decision.compile_ns - decision.future_ns, 30);
  EXPECT_EQ(decision.samples, 2.125);
}

}  // namespace
}  // namespace yp
