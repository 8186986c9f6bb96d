#include "core/adaptive/cost_benefit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "core/adaptive/controller.h"
#include "core/adaptive/levels_for_test.h"

namespace yp {
namespace {

const Levels kLevels = JikesLevels();
constexpr int32_t kBytes = 100;

Choice Choose(double past_ms, int32_t level = kBase, int32_t bytes = kBytes) {
  return ChooseLevel(kLevels, {.bytes = bytes, .level = level, .past_ms = past_ms});
}

TEST(CostBenefitTest, CompilingCostsBySizeAndRate) {
  EXPECT_DOUBLE_EQ(CompileMs(kLevels[kOpt0], 3953), 100);
  EXPECT_DOUBLE_EQ(CompileMs(kLevels[kOpt0], 2 * 3953), 200);
}

// "a method that has executed for N seconds will execute for N more seconds divided by the speedup
// of the level compared to the current level."
TEST(CostBenefitTest, TheFutureIsThePastDividedByTheSpeedUpOfOneLevelOverTheOther) {
  EXPECT_DOUBLE_EQ(FutureMs(kLevels[kBase], kLevels[kOpt0], 4030), 1000);
  EXPECT_DOUBLE_EQ(FutureMs(kLevels[kOpt0], kLevels[kOpt1], 588), 403);
}

// By hand, for 100 bytes: OPT0 pays when T - T / 4.03 > 100 / 39.53, and so on.
TEST(CostBenefitTest, TheLongerAMethodHasRunTheHigherTheLevelOfLeastCost) {
  for (const auto& [past_ms, level] : {std::pair(3.3, kBase),
                                       {3.4, kOpt0},
                                       {36.8, kOpt0},
                                       {37.0, kOpt1},
                                       {261.0, kOpt1},
                                       {263.0, kOpt2}}) {
    const Choice choice = Choose(past_ms);
    EXPECT_EQ(choice.recompiles, level != kBase) << past_ms;
    if (choice.recompiles) {
      EXPECT_EQ(choice.best.level, level) << past_ms;
    }
  }
}

TEST(CostBenefitTest, AChoiceHasTheTermsOfTheModel) {
  const Choice choice = Choose(100);
  EXPECT_EQ(choice.stay.total_ms(), 100);
  EXPECT_EQ(choice.best.level, kOpt1);
  EXPECT_DOUBLE_EQ(choice.best.compile_ms, 100 / 18.48);
  EXPECT_DOUBLE_EQ(choice.best.future_ms, 100 / 5.88);
  EXPECT_DOUBLE_EQ(choice.gain_ms(), 100 - 100 / 18.48 - 100 / 5.88);
}

TEST(CostBenefitTest, WhatCostsAsMuchAsStayingIsNotDone) {
  const Levels levels = {{.name = "slow", .compile_bytes_per_ms = 1000, .speedup = 1},
                         {.name = "fast", .compile_bytes_per_ms = 1, .speedup = 2}};
  const MethodCosts method{.bytes = 50, .past_ms = 100};
  EXPECT_EQ(ChooseLevel(levels, method).gain_ms(), 0);
  EXPECT_FALSE(ChooseLevel(levels, method).recompiles);
}

TEST(CostBenefitTest, OfEqualAlternativesTheLowerLevelIsChosen) {
  Levels levels = kLevels;
  levels[kOpt2] = levels[kOpt1];
  EXPECT_EQ(ChooseLevel(levels, {.bytes = kBytes, .past_ms = 1e6}).best.level, kOpt1);
}

TEST(CostBenefitTest, AtTheHighestLevelAMethodStays) {
  const Choice choice = Choose(1e9, kOpt2);
  EXPECT_FALSE(choice.recompiles);
  EXPECT_EQ(choice.best.level, kOpt2);
  EXPECT_EQ(choice.gain_ms(), 0);
}

TEST(CostBenefitTest, ALevelThatRefusesTheMethodIsNoAlternative) {
  const MethodCosts method{.bytes = kBytes, .level = kBase, .most_level = kOpt0, .past_ms = 1e6};
  EXPECT_EQ(ChooseLevel(kLevels, method).best.level, kOpt0);
}

TEST(CostBenefitTest, InliningIsWeighedLikeALevel) {
  MethodCosts method{.bytes = kBytes,
                     .level = kOpt2,
                     .past_ms = 200,
                     .inlining_speedup = 1.087,
                     .inlined_bytes = 150};
  const Choice choice = ChooseLevel(kLevels, method);
  EXPECT_TRUE(choice.recompiles);
  EXPECT_TRUE(choice.best.for_inlining);
  EXPECT_EQ(choice.best.level, kOpt2);
  EXPECT_DOUBLE_EQ(choice.best.compile_ms, 250 / 17.28) << "the callees are compiled as well";
  EXPECT_DOUBLE_EQ(choice.best.future_ms, 200 / 1.087);
  method.past_ms = 150;
  EXPECT_FALSE(ChooseLevel(kLevels, method).recompiles) << "12 ms are less than 14.5";
}

TEST(LevelsTest, MustBeUsableNumbers) {
  EXPECT_TRUE(Validate(kLevels).ok());
  EXPECT_FALSE(Validate({}).ok());
  EXPECT_FALSE(Validate({{.name = "none", .compile_bytes_per_ms = 0}}).ok());
  EXPECT_FALSE(
      Validate({{.name = "nan", .compile_bytes_per_ms = std::numeric_limits<double>::quiet_NaN()}})
          .ok());
  EXPECT_FALSE(Validate({{.name = "twice", .compile_bytes_per_ms = 1, .speedup = 2}}).ok());
}

// Properties, and that they would see a model that is wrong.

// The first property that the model breaks, on methods and levels made up by the seed; empty: none.
std::string FirstBroken(const Controller::Model& model, uint64_t seed) {
  Xoshiro256 random(seed);
  const auto up_to = [&](uint64_t n) { return static_cast<double>(random.UniformFromOneTo(n)); };
  for (int round = 0; round < 2'000; ++round) {
    Levels levels = {{.name = "0", .compile_bytes_per_ms = 100 + up_to(900)}};
    for (int i = 1; i < 4; ++i) {
      levels.push_back({.name = std::to_string(i),
                        .compile_bytes_per_ms = up_to(100),
                        .speedup = levels.back().speedup * (0.9 + up_to(300) / 100)});
    }
    const MethodCosts method{.bytes = static_cast<int32_t>(up_to(2'000)),
                             .level = static_cast<int32_t>(up_to(4)) - 1,
                             .past_ms = up_to(100'000) / 10};
    const Choice choice = model(levels, method);
    const double future_ms = choice.best.compile_ms + choice.best.future_ms;
    if (choice.recompiles) {
      if (choice.best.level <= method.level) return "recompiles at no higher level";
      if (future_ms >= method.past_ms) return "the plan costs more than it gains";
      const Level& to = levels[static_cast<size_t>(choice.best.level)];
      const Level& from = levels[static_cast<size_t>(method.level)];
      const double cost_ms =
          method.bytes / to.compile_bytes_per_ms + method.past_ms * from.speedup / to.speedup;
      if (std::abs(future_ms - cost_ms) > 1e-9 * cost_ms) return "its terms are not the paper's";
    }
    for (auto i = static_cast<size_t>(method.level) + 1; i < levels.size(); ++i) {
      const double other_ms =
          method.bytes / levels[i].compile_bytes_per_ms +
          method.past_ms * levels[static_cast<size_t>(method.level)].speedup / levels[i].speedup;
      const double chosen_ms = choice.recompiles ? future_ms : method.past_ms;
      if (other_ms < chosen_ms * (1 - 1e-9)) return "something else costs less";
    }
    MethodCosts longer = method, smaller = method;
    longer.past_ms *= 1.5;
    smaller.bytes /= 2;
    if (choice.recompiles && !model(levels, longer).recompiles) return "not monotone in time";
    if (choice.recompiles && !model(levels, smaller).recompiles) return "not monotone in size";
    if (choice.recompiles && model(levels, longer).gain_ms() < choice.gain_ms()) {
      return "gain not monotone in time";
    }
    const Choice again = model(levels, method);
    if (again.recompiles != choice.recompiles || again.best.level != choice.best.level) {
      return "not deterministic";
    }
  }
  return "";
}

TEST(CostBenefitPropertiesTest, HoldForTheModel) {
  for (const uint64_t seed : {1, 2, 3}) EXPECT_EQ(FirstBroken(&ChooseLevel, seed), "");
}

TEST(CostBenefitPropertiesTest, AreBrokenByEachWrongModel) {
  const auto changed = [](auto change) {
    return [change](const Levels& levels, const MethodCosts& method) {
      Choice choice = ChooseLevel(levels, method);
      change(levels, method, &choice);
      return choice;
    };
  };
  const std::vector<std::pair<std::string, Controller::Model>> wrong = {
      {"never recompiles",
       changed([](auto&, auto&, Choice* choice) { choice->recompiles = false; })},
      {"always takes the highest level",
       [](const Levels& levels, const MethodCosts& method) {
         Choice choice{.stay = {.level = method.level, .future_ms = method.past_ms}};
         choice.best = choice.stay;
         const std::vector<Alternative> all = AlternativesOf(levels, method);
         if (!all.empty()) choice.best = all.back();
         choice.recompiles = !all.empty();
         return choice;
       }},
      {"forgets what compiling costs",
       [](const Levels& levels, const MethodCosts& method) {
         MethodCosts free = method;
         free.bytes = 0;
         return ChooseLevel(levels, free);
       }},
      {"takes speed-ups for relative to BASE",
       [](const Levels& levels, const MethodCosts& method) {
         Levels same = levels;
         same[static_cast<size_t>(method.level)].speedup = 1;
         return ChooseLevel(same, method);
       }},
      {"expects twice the past",
       [](const Levels& levels, const MethodCosts& method) {
         MethodCosts twice = method;
         twice.past_ms *= 2;
         return ChooseLevel(levels, twice);
       }},
      {"goes back to lower levels", changed([](auto&, const MethodCosts& method, Choice* choice) {
         if (method.level > 0 && !choice->recompiles) {
           choice->recompiles = true;
           choice->best.level = method.level - 1;
         }
       })},
      {"takes the next level, not the best", [](const Levels& levels, const MethodCosts& method) {
         MethodCosts next = method;
         next.most_level = method.level + 1;
         return ChooseLevel(levels, next);
       }}};
  for (const auto& [what, model] : wrong) EXPECT_NE(FirstBroken(model, 1), "") << what;
}

}  // namespace
}  // namespace yp
