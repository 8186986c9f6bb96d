#include "format/profile/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/time_test_util.h"
#include "core/options/config_keys.h"
#include "format/profile/fold_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// main calls a at 1 s in thread "main" and b at 3 s in "worker"; a has inlined c.
class SelectionTest : public testing::Test {
 protected:
  SelectionTest() {
    profile_.config = {{"mode", "cbs"}, {"policy", "countdown"}};
    profile_.duration_ns = 4 * kSecond;
    main_ = Define("main");
    a_ = Define("a");
    b_ = Define("b");
    c_ = Define("c");
    AddEdge(main_, 1, a_, 1000, kEdgeSampled);
    AddEdge(main_, 2, b_, 500, kEdgeSampled);
    AddEdge(a_, 3, c_, 8000, kEdgeInferred);
    profile_.threads = {{ThreadId{1}, "main"}, {ThreadId{2}, "worker"}};
    AddWindow(1, kSecond, ThreadId{1}, {{EdgeId{0}, 6}});
    AddWindow(2, 3 * kSecond, ThreadId{1}, {{EdgeId{0}, 4}});
    AddWindow(2, 3 * kSecond, ThreadId{2}, {{EdgeId{1}, 5}});
  }

  MethodId Define(const std::string& name) {
    return profile_.methods.Intern({"A", name, "()V", "A.java", Method::kObserved, {}});
  }
  void AddEdge(MethodId caller, int32_t bci, MethodId callee, double calls, uint32_t flags) {
    EdgeStats stats;
    stats.edge = {caller, bci, callee};
    stats.calls = stats.uncorrected = calls;
    stats.low = calls / 2;
    stats.high = calls * 2;
    stats.flags = flags;
    profile_.edges.push_back(stats);
  }
  void AddWindow(uint64_t tick, int64_t start_ns, ThreadId thread,
                 std::vector<std::pair<EdgeId, uint32_t>> samples) {
    spool::Window window;
    window.tick = tick;
    window.start_ns = start_ns;
    window.thread = thread;
    window.samples = std::move(samples);
    window.weight = 100;
    profile_.windows.push_back(window);
  }
  // Its calls by callee, "a 600".
  std::vector<std::string> CallsAfter(const Selection& selection) {
    Result<std::vector<std::string>> notes = Select(selection, &profile_);
    EXPECT_TRUE(notes) << notes.message();
    if (notes) notes_ = *notes;
    std::vector<std::string> calls;
    for (const EdgeStats& edge : profile_.edges) {
      calls.push_back(profile_.methods[edge.edge.callee].name + " " +
                      std::to_string(std::lround(edge.calls)));
    }
    return calls;
  }
  std::string ErrorAfter(const Selection& selection) {
    return std::string(Select(selection, &profile_).message());
  }

  Profile profile_;
  std::vector<std::string> notes_;
  MethodId main_{}, a_{}, b_{}, c_{};
};

TEST_F(SelectionTest, ATimeHasTheCallsThatWereSampledInItAndThoseTheyInlined) {
  EXPECT_THAT(CallsAfter({.to_ns = 2 * kSecond}), ElementsAre("a 600", "c 4800"));
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("1 edges were not seen in the selection: each may have "
                                            "up to 300 calls")));
  EXPECT_THAT(profile_.windows, SizeIs(1));
  EXPECT_EQ(profile_.edges[0].samples, 6u);
}

TEST_F(SelectionTest, AThreadHasItsOwnCalls) {
  const Selection selection{.has_thread = [](std::string_view name) { return name == "worker"; }};
  EXPECT_THAT(CallsAfter(selection), ElementsAre("b 500"));
}

TEST_F(SelectionTest, AllOfItIsAll) {
  EXPECT_THAT(CallsAfter({}), ElementsAre("a 1000", "b 500", "c 8000"));
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(SelectionTest, IntervalsHoldTheChanceOfTheSelectionAndNoMoreThanTheWholeRun) {
  CallsAfter({.to_ns = 2 * kSecond});
  const EdgeStats& edge = profile_.edges[0];
  EXPECT_LT(edge.low, 300) << "one tick says less than the factor 2 of the whole run";
  EXPECT_GE(edge.low, 6) << "so many were sampled";
  EXPECT_LE(edge.high, 2000);
  EXPECT_GT(edge.high, 1200);
}

TEST_F(SelectionTest, WhatTheVmCountedIsInNoSelection) {
  profile_.edges[0].calls += 9000;
  profile_.edges[0].counted = 9000;
  profile_.edges[0].flags |= kEdgeCounted;
  EXPECT_THAT(CallsAfter({.to_ns = 2 * kSecond}), ElementsAre("a 600", "c 4800"));
  EXPECT_THAT(notes_,
              testing::Contains(HasSubstr("49 % of the run's calls were counted by the VM")));
  EXPECT_THAT(notes_, testing::Contains(HasSubstr("these 9000 calls are more than the 5400")));
  EXPECT_EQ(profile_.edges[0].flags & kEdgeCounted, 0u);
}

// Of an older file: it is not known how many of them were counted.
TEST_F(SelectionTest, WithoutTheNumberOfCountedCallsAllButSampledOnesAreTakenForCounted) {
  profile_.edges[2].flags |= kEdgeCounted;
  for (spool::Window& window : profile_.windows) window.weight = 0;
  EXPECT_THAT(CallsAfter({.to_ns = 2 * kSecond}), ElementsAre("a 600"));
}

TEST_F(SelectionTest, ATimeWithoutASampleHasNothingAndSaysSo) {
  EXPECT_THAT(CallsAfter({.from_ns = kSecond + 1, .to_ns = 2 * kSecond}), IsEmpty());
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("in which nothing was sampled")));
}

TEST_F(SelectionTest, NoSuchThreadNamesThoseThatThereAre) {
  EXPECT_THAT(ErrorAfter({.has_thread = [](std::string_view) { return false; }}),
              HasSubstr("those that were sampled: main, worker"));
}

TEST_F(SelectionTest, CountedProfilesHaveNoTimes) {
  profile_.config["mode"] = "exact";
  EXPECT_THAT(ErrorAfter({}), HasSubstr("without their times and threads"));
  profile_.config["mode"] = "edges";
  EXPECT_THAT(ErrorAfter({}), HasSubstr("without their times and threads"));
  EXPECT_THAT(std::string(Select({}, std::make_unique<Profile>().get()).message()),
              HasSubstr("no samples"));
}

TEST_F(SelectionTest, StacksAreTakenByPartsAndThreads) {
  const ContextId in_main = profile_.contexts.Child(kRootContext, kNoBci, main_);
  const ContextId in_a = profile_.contexts.Child(in_main, 1, a_);
  profile_.contexts.Add(in_main, 2);
  profile_.contexts.Add(in_a, 10);
  profile_.stack_times = {.part_ns = kSecond,
                          .threads = {{"main", "worker"}, {{ThreadId{1}, 0}, {ThreadId{2}, 1}}},
                          .samples = {{0, 0, in_a, 3}, {1, 0, in_main, 2}, {1, 1, in_a, 7}}};
  profile_.config[config_key::kStacksPeriod] = "1000000";
  profile_.config[config_key::kCostStacksNs] = "768000";  // Of 12 stacks.
  EXPECT_DOUBLE_EQ(StackSampleNs(profile_), 936'000);
  Profile other = profile_;
  CallsAfter({.from_ns = kSecond - 1, .to_ns = 2 * kSecond});
  EXPECT_DOUBLE_EQ(StackSampleNs(profile_), 936'000) << "a selection changes no sample's time";
  EXPECT_EQ(profile_.contexts[in_main].weight, 2);
  EXPECT_EQ(profile_.contexts[in_a].weight, 7);
  EXPECT_EQ(profile_.contexts.total(), 9);
  EXPECT_THAT(notes_, testing::Contains(HasSubstr("by parts of 1000 ms")));
  ASSERT_TRUE(Select({.has_thread = [](std::string_view name) { return name == "main"; }}, &other));
  EXPECT_EQ(other.contexts[in_a].weight, 3);
}

TEST_F(SelectionTest, ASampleStandsForNoLessThanNothingAndForItsPeriodWhereNoCostIsKnown) {
  profile_.contexts.Add(profile_.contexts.Child(kRootContext, kNoBci, main_), 2);
  profile_.config[config_key::kStacksPeriod] = "1000000";
  EXPECT_DOUBLE_EQ(StackSampleNs(profile_), 1'000'000);
  profile_.config[config_key::kCostStacksNs] = "5000000";
  EXPECT_DOUBLE_EQ(StackSampleNs(profile_), 0);
  profile_.config[config_key::kStacksEvent] = "branch-misses";
  EXPECT_DOUBLE_EQ(StackSampleNs(profile_), 0);
}

TEST_F(SelectionTest, StacksOfThreadsThatWereKeptTogetherAreNotTakenInPart) {
  const ContextId in_main = profile_.contexts.Child(kRootContext, kNoBci, main_);
  profile_.contexts.Add(in_main, 2);
  profile_.stack_times = {.part_ns = kSecond,
                          .threads = {{"all"}, {{ThreadId{1}, 0}, {ThreadId{2}, 0}}},
                          .samples = {{0, 0, in_main, 2}}};
  CallsAfter({.has_thread = [](std::string_view name) { return name == "main"; }});
  EXPECT_EQ(profile_.contexts.total(), 0);
  EXPECT_THAT(notes_, testing::Contains(HasSubstr("kept together")));
}

TEST(SelectionFoldTest, ASpoolsStacksHaveTimesAndThreads) {
  const auto profile = Fold({
      spool::Config{{{"mode", "cbs"}}},
      DefineMethod(1, "main", Method::kObserved),
      spool::ThreadDefinition{ThreadId{1}, "main"},
      spool::ThreadDefinition{ThreadId{2}, "worker"},
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      spool::ContextSamples{0, ThreadId{1}, {{ContextId{1}, 3}}},
      spool::ContextSamples{5 * kSecond, ThreadId{2}, {{ContextId{1}, 4}}},
      spool::End{6 * kSecond, 0},
  });
  ASSERT_TRUE(profile) << profile.message();
  const StackTimes& times = profile->stack_times;
  EXPECT_EQ(times.part_ns, PartNs(6 * kSecond));
  EXPECT_THAT(times.threads.names, ElementsAre("worker", "main"));
  const auto part = static_cast<uint32_t>(5 * kSecond / times.part_ns);
  EXPECT_THAT(times.samples, ElementsAre(StackTimes::Samples{0, 1, ContextId{1}, 3},
                                         StackTimes::Samples{part, 0, ContextId{1}, 4}));
}

// As a spool that is wrong may tell it.
TEST(SelectionFoldTest, AContextThatBecomesUnknownKeepsItsSamples) {
  const auto profile = Fold({
      spool::Config{{{"mode", "cbs"}}},
      DefineMethod(1, "main", Method::kObserved),
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      spool::ContextSamples{0, ThreadId{1}, {{ContextId{1}, 3}}},
      spool::ContextDefinition{ContextId{1}, ContextId{9}, kNoBci, MethodId{1}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(profile->stack_times.samples, SizeIs(1));
}

// Signals know the kernel's names of threads.
TEST(SelectionFoldTest, AThreadOfStacksIsThatOfTheCallsOfTheSameKernelThread) {
  spool::Window window;
  window.thread = ThreadId{1};
  window.samples = {{EdgeId{1}, 1}};
  const auto profile = Fold({
      spool::Config{{{"mode", "cbs"}}},
      DefineMethod(1, "main", Method::kObserved),
      DefineEdge(1, 1, 9, 1),
      spool::ThreadDefinition{ThreadId{1u << 30}, "java", 77},
      spool::ThreadDefinition{ThreadId{1u << 30 | 1}, "VM Thread", 78},
      spool::ThreadDefinition{ThreadId{1}, "main", 77},
      window,
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      spool::ContextSamples{0, ThreadId{1u << 30}, {{ContextId{1}, 3}}},
      spool::ContextSamples{0, ThreadId{1u << 30 | 1}, {{ContextId{1}, 1}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(profile->stack_times.threads.names, ElementsAre("main", "VM Thread"));
  EXPECT_EQ(profile->stack_times.threads.group.at(ThreadId{1}), 0u);
  EXPECT_THAT(profile->threads, SizeIs(2));
}

TEST(SelectionFoldTest, AThreadOfStacksHasTheNameThatTheKernelCut) {
  const auto profile = Fold({
      spool::Config{{{"mode", "cbs"}}},
      DefineMethod(1, "main", Method::kObserved),
      spool::ThreadDefinition{ThreadId{1u << 30}, "Compiler Proces", 77},
      spool::ThreadDefinition{ThreadId{1u << 30 | 1}, "", 78},
      spool::ThreadDefinition{ThreadId{1u << 30 | 2}, "Reference Handl", 79},
      spool::ThreadDefinition{ThreadId{1}, "Compiler Processing Task", 5},
      spool::ContextDefinition{ContextId{1}, kRootContext, kNoBci, MethodId{1}},
      spool::ContextSamples{0, ThreadId{1u << 30}, {{ContextId{1}, 3}}},
      spool::ContextSamples{0, ThreadId{1u << 30 | 1}, {{ContextId{1}, 2}}},
      spool::ContextSamples{0, ThreadId{1u << 30 | 2}, {{ContextId{1}, 1}}},
  });
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(profile->stack_times.threads.names,
              ElementsAre("Compiler Processing Task", "threads without a name", "Reference Handl"));
}

}  // namespace
}  // namespace yp
