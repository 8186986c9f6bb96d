#include "format/profile/executions.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace yp {
namespace {

constexpr int64_t kPeriodNs = 100'000'000;
constexpr double kUnitNs = 1e6 - 1e4;  // A stack each millisecond, less what one costs.

// A run of ten periods: method "hot" is compiled at level 3, as 1, at the end of the second, and at
// level 4, as 2, at the end of the fifth, which inlines "leaf" at bytecode 7.
class ExecutionsTest : public testing::Test {
 protected:
  ExecutionsTest() {
    profile_.duration_ns = 10 * kPeriodNs;
    profile_.jit.periods.resize(10);
    for (int i = 0; i < 10; ++i) {
      profile_.jit.periods[i].end_ns = (i + 1) * kPeriodNs;
    }
    Compile(1, 3, 2);
    Compile(2, 4, 5);
    profile_.jit.log.On(JitInlining{2, false, hot_method_, 7, leaf_method_, true, "inline (hot)"});
    profile_.jit.log.On(JitInlining{2, false, hot_method_, 9, leaf_method_, false, "too big"});
  }

  void Compile(int64_t id, int32_t level, int64_t period, bool is_osr = false) {
    JitCompilation compilation;
    compilation.compile_id = id;
    compilation.method = hot_method_;
    compilation.level = level;
    compilation.is_osr = is_osr;
    compilation.start_ns = period * kPeriodNs - 1'000;
    compilation.end_ns = period * kPeriodNs;
    profile_.jit.log.On(compilation);
  }
  static CodeLabel Code(int32_t id, int32_t level, bool is_osr = false) {
    return {.compile_id = id, .level = level, .is_osr = is_osr};
  }
  ContextId Hot(CodeLabel code) {
    return profile_.jit.contexts.Child(kRootContext, -1, hot_, code);
  }
  void Sampled(int period, MethodId method, CodeLabel code, uint64_t samples) {
    profile_.jit.periods[period].samples.push_back({method, code, samples});
  }
  void Called(int period, int32_t id, uint64_t samples) {
    profile_.jit.periods[period].calls.push_back(
        {hot_, id, samples, 1000 * static_cast<double>(samples)});
  }
  // The configuration's numbers, which follow from the samples in the contexts. Calls were sampled
  // all the time, but in the periods that are closed.
  Executions Of(const std::set<int>& closed = {}) {
    for (int i = 0; i < 10; ++i) {
      CodePeriod& period = profile_.jit.periods[i];
      period.open_samples = closed.contains(i) ? 0 : static_cast<double>(period.stacks());
    }
    const auto stacks = static_cast<int64_t>(profile_.jit.contexts.total());
    profile_.config["stacks.period"] = "1000000";
    profile_.config["cost.stacks_ns"] = std::to_string(stacks * 10'000);
    lacks_.clear();
    return ExecutionsOf(profile_, &lacks_);
  }
  const VersionExecution* Find(const Executions& executions, int64_t id) {
    const auto found = executions.versions.find({profile_.jit.log.Intern(hot_method_), id});
    return found == executions.versions.end() ? nullptr : &found->second;
  }

  Profile profile_;
  std::vector<std::string> lacks_;
  const MethodId hot_ =
      profile_.methods.Intern({"A", "hot", "()V", "A.java", Method::kObserved, {}});
  const MethodId leaf_ = profile_.methods.Intern({"A", "leaf", "()V", "A.java", 0, {}});
  const JitMethod hot_method_{"A.hot()V", "app"};
  const JitMethod leaf_method_{"A.leaf()V", "app"};
};

TEST_F(ExecutionsTest, TimesAndCallsAreThoseOfEachVersion) {
  profile_.jit.contexts.Add(Hot(Code(1, 3)), 100);
  Sampled(3, hot_, Code(1, 3), 40);
  Sampled(6, hot_, Code(2, 4), 60);
  Sampled(7, hot_, Code(2, 4), 10);
  Called(6, 2, 50);
  Called(7, 2, 20);
  profile_.jit.periods[9].counted = {{hot_, 6000}};
  const Executions executions = Of();
  const VersionExecution* first = Find(executions, 1);
  ASSERT_NE(first, nullptr);
  EXPECT_NEAR(executions.unit_ns, kUnitNs, 1);
  EXPECT_EQ(first->execution.samples, 100) << "in whatever code";
  EXPECT_EQ(first->execution.calls->number, 6000) << "the VM counted them";
  EXPECT_EQ(first->execution.calls->variance, 0);
  const VersionExecution* second = Find(executions, 2);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->execution.samples, 70);
  EXPECT_NEAR(second->execution.calls->number, 70'000, 1);
  EXPECT_GT(second->execution.calls->variance, 1.0 / 70) << "two periods tell little";
  ASSERT_EQ(second->periods.size(), 2u);
  EXPECT_EQ(second->periods[0].calls, 50'000);
  EXPECT_EQ(second->periods[0].samples, 60);
}

TEST_F(ExecutionsTest, CallsBeforeTheProbeCameAreThoseThatTookTheTime) {
  profile_.jit.contexts.Add(Hot(Code(2, 4)), 100);
  Sampled(5, hot_, Code(2, 4), 30);
  Sampled(8, hot_, Code(2, 4), 60);
  Called(8, 2, 20);
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 2), nullptr);
  EXPECT_NEAR(Find(executions, 2)->execution.calls->number, 30'000, 1);
  EXPECT_EQ(Find(executions, 2)->execution.samples, 90);
}

TEST_F(ExecutionsTest, CallsWhileTheProbeWasClosedAreThoseThatTookTheTime) {
  profile_.jit.contexts.Add(Hot(Code(2, 4)), 100);
  for (int period = 5; period < 10; ++period) Sampled(period, hot_, Code(2, 4), 10);
  Called(5, 2, 20);
  Called(8, 2, 20);
  const Executions executions = Of({6, 7, 9});
  ASSERT_NE(Find(executions, 2), nullptr);
  EXPECT_NEAR(Find(executions, 2)->execution.calls->number, 100'000, 1);
  EXPECT_EQ(Find(executions, 2)->periods.size(), 2u) << "what is not known says nothing of drift";
}

TEST_F(ExecutionsTest, WithoutSampledCallsOnlyTheTimeIsKnown) {
  profile_.jit.contexts.Add(Hot(Code(2, 4)), 100);
  Sampled(8, hot_, Code(2, 4), 60);
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 2), nullptr);
  EXPECT_EQ(Find(executions, 2)->execution.samples, 60);
  EXPECT_FALSE(Find(executions, 2)->execution.calls.has_value());
}

// A main that loops: its one call began in the interpreter.
TEST_F(ExecutionsTest, FewCallsThatTookTheirTimeInLoopsAreOfNoVersion) {
  Compile(8, 3, 2, true);
  profile_.jit.contexts.Add(Hot(Code(8, 3, true)), 100);
  profile_.jit.contexts.Add(Hot(Code(1, 3)), 20);
  Sampled(3, hot_, Code(8, 3, true), 100);
  for (const double calls : {0.0, 9.0}) {
    profile_.jit.periods[9].counted = {{hot_, calls}};
    const Executions executions = Of();
    ASSERT_NE(Find(executions, 1), nullptr);
    EXPECT_TRUE(Find(executions, 1)->is_in_loops);
    EXPECT_FALSE(Find(executions, 1)->execution.calls.has_value());
    EXPECT_EQ(Find(executions, 1)->execution.samples, 120);
  }
  profile_.jit.periods[9].counted = {{hot_, 10}};
  EXPECT_EQ(Find(Of(), 1)->execution.calls->number, 10);
  profile_.jit.contexts.Add(Hot(Code(1, 3)), 100);
  profile_.jit.periods[9].counted = {{hot_, 9}};
  EXPECT_EQ(Find(Of(), 1)->execution.calls->number, 9) << "most of it outside of loops";
}

// The VM counts calls of a method where it is inlined as well.
TEST_F(ExecutionsTest, CountedCallsTookTheTimeOfAllFramesAtTheirLevel) {
  CallingContextTree& tree = profile_.jit.contexts;
  CodeLabel inlined = Code(7, 3);
  inlined.is_inlined = true;
  tree.Add(Hot(Code(1, 3)), 5);
  tree.Add(tree.Child(tree.Child(kRootContext, -1, leaf_, Code(7, 3)), 4, hot_, inlined), 8);
  tree.Add(Hot(Code(2, 4)), 100);
  tree.Add(Hot(Code(0, 0)), 3);
  profile_.jit.periods[9].counted = {{hot_, 6000, 250}};
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 1), nullptr);
  EXPECT_EQ(Find(executions, 1)->execution.samples, 13);
  ASSERT_NE(Find(executions, 0), nullptr) << "while it was interpreted";
  EXPECT_EQ(Find(executions, 0)->execution.samples, 3);
  EXPECT_EQ(Find(executions, 0)->execution.calls->number, 250);
}

// The first 250 calls by the interpreter are counted apart, its further ones with the inlined ones.
TEST_F(ExecutionsTest, WhereOnlyOthersCountAMethodAtLevel3ItsInterpretedCallsAreNotKnown) {
  JitCompilation own;
  own.compile_id = 5;
  own.method = leaf_method_;
  own.level = 4;
  own.end_ns = 4 * kPeriodNs;
  profile_.jit.log.On(own);
  profile_.jit.contexts.Add(profile_.jit.contexts.Child(kRootContext, -1, leaf_, Code(0, 0)), 30);
  Sampled(1, leaf_, Code(0, 0), 30);
  const auto interpreted = [&](double invocations) {
    profile_.jit.periods[9].counted = {{leaf_, invocations, 250}};
    return Of().versions.at({profile_.jit.log.Intern(leaf_method_), 0}).execution.calls;
  };
  EXPECT_FALSE(interpreted(1'000'000).has_value());
  ASSERT_TRUE(interpreted(0).has_value()) << "no other counts it";
  EXPECT_EQ(interpreted(0)->number, 250);
}

// It stops counting them apart after 400 calls, and looks at each 128th whether it is to.
TEST_F(ExecutionsTest, TheCallsOfAMethodThatTheInterpreterHasProfiledAreNotKnown) {
  profile_.jit.contexts.Add(Hot(Code(0, 0)), 30);
  Sampled(1, hot_, Code(0, 0), 30);
  const auto interpreted = [&](double calls) {
    profile_.jit.periods[9].counted = {{hot_, 6000, calls}};
    return Find(Of(), 0)->execution.calls.has_value();
  };
  EXPECT_TRUE(interpreted(256));
  EXPECT_FALSE(interpreted(512));
}

// Its calls are counted as level 3's are, its time is the interpreter's.
TEST_F(ExecutionsTest, WhereAMethodIsInterpretedAgainTheVmsCountsTellNothing) {
  profile_.jit.contexts.Add(Hot(Code(0, 0)), 53);
  Sampled(1, hot_, Code(0, 0), 3);
  Sampled(3, hot_, Code(1, 3), 20);
  Sampled(8, hot_, Code(0, 0), 50);
  profile_.jit.periods[9].counted = {{hot_, 1'000'000, 250}};
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 0), nullptr);
  EXPECT_FALSE(Find(executions, 0)->execution.calls.has_value());
  ASSERT_NE(Find(executions, 1), nullptr);
  EXPECT_FALSE(Find(executions, 1)->execution.calls.has_value());
}

TEST_F(ExecutionsTest, LoopsCountForTheVersionThatWasCalled) {
  Compile(3, 4, 4, true);
  profile_.jit.contexts.Add(Hot(Code(3, 4, true)), 100);
  Sampled(4, hot_, Code(3, 4, true), 40);
  Sampled(7, hot_, Code(3, 4, true), 7);
  Called(4, 1, 3);
  Called(7, 2, 5);
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 1), nullptr);
  ASSERT_NE(Find(executions, 2), nullptr);
  EXPECT_EQ(Find(executions, 1)->execution.samples, 40);
  EXPECT_EQ(Find(executions, 2)->execution.samples, 7);
}

TEST_F(ExecutionsTest, CalleesAreThoseThatTheOtherVersionInlines) {
  CallingContextTree& tree = profile_.jit.contexts;
  const ContextId before = Hot(Code(1, 3));
  const ContextId leaf = tree.Child(before, 7, leaf_, Code(5, 3));
  tree.Add(leaf, 11);
  tree.Add(tree.Child(leaf, 1, leaf_, Code(5, 3)), 100);     // Not inlined there.
  tree.Add(tree.Child(before, 9, leaf_, Code(5, 3)), 1000);  // Nor here.
  CodeLabel inlined = Code(2, 4);
  inlined.is_inlined = true;
  tree.Add(tree.Child(Hot(Code(2, 4)), 7, leaf_, inlined), 500);  // The version's own time.
  const Executions executions = Of();
  ASSERT_EQ(executions.callees.size(), 1u);
  const auto& [compilation, samples] = *executions.callees.begin();
  EXPECT_EQ(compilation, 1u);
  EXPECT_EQ(samples.before, 11);
  EXPECT_EQ(samples.after, 0);
}

TEST_F(ExecutionsTest, WhatC2HasInlinedIsToldByItsPath) {
  CallingContextTree& tree = profile_.jit.contexts;
  JitCompilation own;  // Of the leaf.
  own.compile_id = 5;
  own.method = leaf_method_;
  own.level = 3;
  own.end_ns = 1;
  profile_.jit.log.On(own);
  CodeLabel inlined = Code(2, 4), by_the_first = Code(1, 3);
  inlined.is_inlined = by_the_first.is_inlined = true;
  const ContextId hot = Hot(Code(2, 4));
  tree.Add(hot, 1000);
  const ContextId leaf = tree.Child(hot, 7, leaf_, inlined);
  tree.Add(leaf, 3);
  tree.Add(tree.Child(hot, 9, leaf_, inlined), 4);
  tree.Add(tree.Child(leaf, 1, hot_, inlined), 5);
  tree.Add(tree.Child(Hot(Code(1, 3)), 7, leaf_, by_the_first), 2000);
  const Executions executions = Of();
  const JitMethodId h = profile_.jit.log.Intern(hot_method_);
  const JitMethodId l = profile_.jit.log.Intern(leaf_method_);
  ASSERT_EQ(executions.inlined.size(), 2u);
  EXPECT_EQ(executions.inlined[0].path, (std::vector<JitMethodId>{h, l}));
  EXPECT_EQ(executions.inlined[0].samples, 7);
  EXPECT_EQ(executions.inlined[1].path, (std::vector<JitMethodId>{h, l, h}));
  EXPECT_EQ(executions.inlined[1].samples, 5);
}

// Its own frames are its own time, wherever they are; and what others interpret is not its.
TEST_F(ExecutionsTest, ARecursiveMethodIsNoCalleeOfItself) {
  CallingContextTree& tree = profile_.jit.contexts;
  profile_.jit.log.On(JitInlining{2, false, hot_method_, 3, hot_method_, true, "inline (hot)"});
  tree.Add(Hot(Code(1, 3)), 5);
  const ContextId again = tree.Child(Hot(Code(1, 3)), 3, hot_, Code(1, 3));
  tree.Add(again, 8);
  tree.Add(tree.Child(again, 7, leaf_, Code(5, 3)), 11);
  const ContextId other = tree.Child(kRootContext, -1, leaf_, Code(0, 0));
  tree.Add(tree.Child(other, 2, hot_, Code(0, 0)), 1000);
  profile_.jit.periods[9].counted = {{hot_, 6000, 0}};
  const Executions executions = Of();
  ASSERT_NE(Find(executions, 1), nullptr);
  EXPECT_EQ(Find(executions, 1)->execution.samples, 13);
  ASSERT_TRUE(executions.callees.contains(1));
  EXPECT_EQ(executions.callees.at(1).before, 11);
  for (const auto& [compilation, samples] : executions.callees) {
    EXPECT_LT(samples.before, 1000) << compilation;
  }
}

TEST_F(ExecutionsTest, WithoutStacksNothingIsKnownAndSaid) {
  const Executions executions = Of();
  EXPECT_TRUE(executions.versions.empty());
  EXPECT_EQ(executions.unit_ns, 0);
  ASSERT_FALSE(lacks_.empty());
  EXPECT_NE(lacks_[0].find("execution times"), std::string::npos);
  EXPECT_NE(lacks_.back().find("the CPU time of compilations"), std::string::npos);
}

}  // namespace
}  // namespace yp
