#include "core/adaptive/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "base/random.h"
#include "core/adaptive/levels_for_test.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Edge kCallOfGet{kMain, 4, kGet}, kCallOfHash{kMain, 9, kHash};

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() { sizes_.bytes = {{kMain, 100}, {kGet, 100}, {kHash, 50}}; }

  Decision Consider(MethodId method, double past_ms, const CallsOfMethod& calls = {}) {
    return controller_.Consider({method, past_ms / 20, past_ms}, calls, ++now_ms_);
  }
  void Compile(MethodId method, int32_t level, const CallsOfMethod& calls = {},
               std::vector<Edge> inlined = {}) {
    controller_.OnCompiled(method, level, calls, inlined);
  }
  // Two tenths of all calls are the method's; those that are named are inlinable.
  static CallsOfMethod Calls(const std::vector<std::pair<Edge, double>>& inlinable) {
    CallsOfMethod calls{.weight = 0.2};
    for (const auto& [edge, weight] : inlinable) {
      calls.inlinable.push_back({.edge = edge, .weight = weight, .bytes = 20});
    }
    return calls;
  }

  const AdaptivePolicy policy_;
  SizesForTest sizes_;
  Controller controller_{policy_, JikesLevels(), sizes_};
  double now_ms_ = 0;
};

TEST_F(ControllerTest, PlansTheLevelOfLeastCostAndSaysWhy) {
  Compile(kMain, kBase);
  const Decision decision = Consider(kMain, 100);
  EXPECT_TRUE(decision.recompiles());
  EXPECT_EQ(decision.reason, DecisionReason::kHigherLevel);
  EXPECT_EQ(decision.from(), kBase);
  EXPECT_EQ(decision.to(), kOpt1);
  EXPECT_EQ(decision.costs.bytes, 100);
  EXPECT_EQ(decision.costs.past_ms, 100);
  EXPECT_EQ(decision.samples, 5);
  EXPECT_EQ(decision.time_ms, 1);
  EXPECT_EQ(controller_.plan().size(), 1u);
  EXPECT_DOUBLE_EQ(controller_.plan().gain_ms(), decision.gain_ms());
}

TEST_F(ControllerTest, EachDecisionToStayHasItsReason) {
  EXPECT_EQ(Consider(kMain, 100).reason, DecisionReason::kNotCompiled);
  Compile(kMain, kBase);
  EXPECT_EQ(Consider(kMain, 1).reason, DecisionReason::kCheaperToStay);
  Compile(kMain, kOpt2);
  EXPECT_EQ(Consider(kMain, 1e6).reason, DecisionReason::kHighestLevel);
  sizes_.bytes.erase(kMain);
  EXPECT_EQ(Consider(kMain, 1e6).reason, DecisionReason::kUnknownSize);
  EXPECT_TRUE(controller_.plan().empty());
}

TEST_F(ControllerTest, WhatGainsMostIsCompiledFirst) {
  for (const MethodId method : {kMain, kGet, kHash}) Compile(method, kBase);
  Consider(kMain, 40);
  Consider(kGet, 400);
  Consider(kHash, 400);  // Smaller, therefore cheaper.
  std::vector<MethodId> order;
  while (const std::optional<Decision> next = controller_.plan().Take()) {
    order.push_back(next->method);
  }
  EXPECT_THAT(order, ElementsAre(kHash, kGet, kMain));
}

TEST_F(ControllerTest, AMethodIsInThePlanOnceAsItWasDecidedLast) {
  Compile(kMain, kBase);
  Consider(kMain, 10);
  Consider(kMain, 1'000);
  EXPECT_EQ(controller_.plan().size(), 1u);
  EXPECT_EQ(controller_.plan().Take()->to(), kOpt2);
  Consider(kMain, 10);
  Consider(kMain, 1);
  EXPECT_TRUE(controller_.plan().empty()) << "it has decayed";
}

TEST_F(ControllerTest, WhatIsBeingCompiledIsNotPlannedAgain) {
  Compile(kMain, kBase);
  controller_.OnCompileBegin(Consider(kMain, 100));
  EXPECT_EQ(Consider(kMain, 1'000).reason, DecisionReason::kBeingCompiled);
  EXPECT_TRUE(controller_.plan().empty());
  Compile(kMain, kOpt1);
  const Decision decision = Consider(kMain, 1e5);
  EXPECT_EQ(decision.from(), kOpt1);
  EXPECT_EQ(decision.to(), kOpt2);
}

TEST_F(ControllerTest, ALevelThatRefusedAMethodIsNotTriedAgain) {
  Compile(kMain, kBase);
  const Decision decision = Consider(kMain, 1e6);
  ASSERT_EQ(decision.to(), kOpt2);
  controller_.OnCompileBegin(decision);
  controller_.OnRefused(kMain);
  EXPECT_EQ(Consider(kMain, 1e6).to(), kOpt1);
}

TEST_F(ControllerTest, AMethodThatLostItsCodeIsNotPlanned) {
  Compile(kMain, kBase);
  Consider(kMain, 100);
  controller_.OnCodeEnd(kMain);
  EXPECT_TRUE(controller_.plan().empty());
  EXPECT_EQ(Consider(kMain, 100).reason, DecisionReason::kNotCompiled);
}

// Adaptive inlining.

TEST_F(ControllerTest, AMethodWhoseHotCallsBecameInlinableIsCompiledAgain) {
  Compile(kMain, kOpt2, Calls({{kCallOfGet, 0.1}}));
  EXPECT_EQ(Consider(kMain, 1e4, Calls({{kCallOfGet, 0.1}})).reason, DecisionReason::kHighestLevel)
      << "nothing is new";
  const Decision decision = Consider(kMain, 1e4, Calls({{kCallOfGet, 0.1}, {kCallOfHash, 0.05}}));
  EXPECT_EQ(decision.reason, DecisionReason::kInlining);
  EXPECT_EQ(decision.from(), kOpt2);
  EXPECT_EQ(decision.to(), kOpt2);
  EXPECT_THAT(decision.new_calls, ElementsAre(kCallOfHash));
  EXPECT_DOUBLE_EQ(decision.costs.inlining_speedup, 1 + 0.087 * 0.05 / 0.2);
  EXPECT_EQ(decision.costs.inlined_bytes, 20);
}

// More than 1 % of the graph's weight (Arnold and Grove 2005, section 5.1).
TEST_F(ControllerTest, ACallThatIsNotHotIsNoReasonToCompileAgain) {
  Compile(kMain, kOpt2);
  EXPECT_FALSE(Consider(kMain, 1e6, Calls({{kCallOfGet, 0.01}})).recompiles());
  EXPECT_TRUE(Consider(kMain, 1e6, Calls({{kCallOfGet, 0.0101}})).recompiles());
}

TEST_F(ControllerTest, InliningHasToPayLikeAnyRecompilation) {
  Compile(kMain, kOpt2);
  const CallsOfMethod calls = Calls({{kCallOfGet, 0.1}});
  EXPECT_EQ(Consider(kMain, 100, calls).reason, DecisionReason::kCheaperToStay);
  EXPECT_EQ(Consider(kMain, 1'000, calls).reason, DecisionReason::kInlining);
}

TEST_F(ControllerTest, ALevelThatDoesNotInlineIsNotCompiledAgainForInlining) {
  Levels levels = JikesLevels();
  levels.resize(kOpt0 + 1);
  Controller controller(policy_, levels, sizes_);
  controller.OnCompiled(kMain, kOpt0, {});
  EXPECT_EQ(controller.Consider({kMain, 5e4, 1e6}, Calls({{kCallOfGet, 0.1}}), 1).reason,
            DecisionReason::kHighestLevel);
}

TEST_F(ControllerTest, WhatTheCompilerInlinedOrWouldNotIsNoNews) {
  Compile(kMain, kOpt2, Calls({{kCallOfGet, 0.1}}), {kCallOfHash});
  EXPECT_FALSE(Consider(kMain, 1e6, Calls({{kCallOfGet, 0.1}, {kCallOfHash, 0.1}})).recompiles());
}

TEST_F(ControllerTest, InliningAgainAndAgainComesToAnEnd) {
  Compile(kMain, kOpt2);
  int recompilations = 0;
  for (int32_t bci = 0; bci < 100; ++bci) {
    const CallsOfMethod calls = Calls({{{kMain, bci, kGet}, 0.1}});
    const Decision decision = Consider(kMain, 1e6, calls);
    if (!decision.recompiles()) continue;
    ++recompilations;
    controller_.OnCompileBegin(decision);
    Compile(kMain, kOpt2, calls);
  }
  EXPECT_EQ(recompilations, policy_.most_inlining_recompilations);
}

TEST_F(ControllerTest, ARefusedInliningIsNotTriedAgain) {
  Compile(kMain, kOpt2);
  const Decision decision = Consider(kMain, 1e6, Calls({{kCallOfGet, 0.1}}));
  controller_.OnCompileBegin(decision);
  controller_.OnRefused(kMain);
  EXPECT_FALSE(Consider(kMain, 1e6, Calls({{kCallOfHash, 0.1}})).recompiles());
}

// Whatever is told to it in whatever order.
TEST_F(ControllerTest, NeverPlansALowerLevelOrMoreCostThanGain) {
  Xoshiro256 random(3);
  const auto below = [&](uint64_t bound) { return random.UniformFromOneTo(bound) - 1; };
  std::vector<int32_t> levels(20, kBase);
  for (uint32_t i = 0; i < levels.size(); ++i) {
    sizes_.bytes[MethodId{i}] = static_cast<int32_t>(below(1'000)) + 1;
    Compile(MethodId{i}, kBase);
  }
  int taken = 0;
  for (int round = 0; round < 5'000; ++round) {
    const MethodId method{static_cast<uint32_t>(below(levels.size()))};
    const CallsOfMethod calls = Calls({{{method, 0, kGet}, static_cast<double>(below(20)) / 100}});
    const Decision decision = Consider(method, static_cast<double>(below(20'000)), calls);
    if (decision.recompiles()) {
      EXPECT_GE(decision.to(), levels[ToIndex(method)]);
      EXPECT_EQ(decision.to() == decision.from(), decision.reason == DecisionReason::kInlining);
      EXPECT_LT(decision.choice.best.compile_ms,
                decision.costs.past_ms - decision.choice.best.future_ms);
    }
    const RecompilationPlan& plan = controller_.plan();
    EXPECT_GE(plan.gain_ms(), 0);
    if (below(3) != 0) continue;
    if (const std::optional<Decision> next = controller_.plan().Take()) {
      ++taken;
      controller_.OnCompileBegin(*next);
      if (below(10) == 0) {
        controller_.OnRefused(next->method);
      } else {
        Compile(next->method, next->to(), calls);
        levels[ToIndex(next->method)] = next->to();
      }
    }
  }
  EXPECT_GT(taken, 20);
}

TEST(RecompilationPlanTest, AnEmptyPlanHasNothing) {
  RecompilationPlan plan;
  EXPECT_FALSE(plan.Take());
  EXPECT_EQ(plan.compile_ms(), 0);
  EXPECT_EQ(plan.gain_ms(), 0);
}

}  // namespace
}  // namespace yp
