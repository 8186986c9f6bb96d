#include "core/adaptive/adaptive_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "core/adaptive/levels_for_test.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr MethodId kParse{1}, kScan{2}, kSolve{3}, kNorm{4}, kReport{5}, kNext{6};

// A program on a virtual clock, with a compiler on a processor of its own. A phase is work, in
// milliseconds at BASE's speed, and how it is spread over methods; each tick of 20 ms samples one
// method and one call.
struct Phase {
  double work_ms = 0;
  std::vector<std::pair<MethodId, double>> shares;  // Of the work.
  std::vector<std::pair<Edge, double>> calls;       // Shares of the calls.
};

struct History {
  double end_ms = 0;      // When the program ended.
  double compile_ms = 0;  // By the compiler, beside it.
  std::map<MethodId, int32_t> levels;
  std::map<MethodId, int> compilations;
  std::vector<Decision> decisions;  // All.
  std::vector<Decision> compiled;   // Those that were taken from the plan.
};

class Simulation {
 public:
  explicit Simulation(Controller::Model model = &ChooseLevel, uint64_t seed = 1)
      : random_(seed), system_(policy_, JikesLevels(), sizes_, std::move(model)) {
    sizes_.bytes = {{kParse, 300}, {kScan, 80},    {kSolve, 400},
                    {kNorm, 30},   {kReport, 900}, {kNext, 25}};
    for (const auto& [method, bytes] : sizes_.bytes) Install(method, kBase);
  }

  History Play(const std::vector<Phase>& phases) {
    for (const Phase& phase : phases) {
      for (double work_ms = 0; work_ms < phase.work_ms; ++work_ms) Work(phase);
    }
    run_.end_ms = now_ms_;
    return std::move(run_);
  }

 private:
  template <typename T>
  const T& Pick(const std::vector<std::pair<T, double>>& shares) {
    double left = random_.UniformOpenClosed();
    for (const auto& [what, share] : shares) {
      if ((left -= share) <= 0) return what;
    }
    return shares.back().first;
  }

  // One millisecond of work at BASE's speed.
  void Work(const Phase& phase) {
    const MethodId method = Pick(phase.shares);
    const Levels& levels = system_.levels();
    now_ms_ += 1 / levels[static_cast<size_t>(run_.levels[method])].speedup;
    if (compiling_ && now_ms_ >= compiled_at_ms_) {
      Install(compiling_->method, compiling_->to());
      compiling_.reset();
    }
    if (now_ms_ >= next_tick_ms_) {
      next_tick_ms_ += policy_.sample_ms;
      const bool wakes = system_.OnSample(MethodSample{method});
      for (int i = 0; i < 16; ++i) system_.OnSample(CallSample{Pick(phase.calls)});
      if (wakes) {
        const std::vector<Decision> decisions = system_.Organize(now_ms_);
        run_.decisions.insert(run_.decisions.end(), decisions.begin(), decisions.end());
      }
    }
    if (compiling_) return;
    compiling_ = system_.NextCompilation(now_ms_);
    if (!compiling_) return;
    run_.compiled.push_back(*compiling_);
    ++run_.compilations[compiling_->method];
    run_.compile_ms += compiling_->choice.best.compile_ms;
    compiled_at_ms_ = now_ms_ + compiling_->choice.best.compile_ms;
  }

  void Install(MethodId method, int32_t level) {
    system_.OnCompiled(method, level, now_ms_);
    run_.levels[method] = level;
  }

  const AdaptivePolicy policy_;
  SizesForTest sizes_;
  Xoshiro256 random_;
  AdaptiveSystem system_;
  History run_;
  double now_ms_ = 0, next_tick_ms_ = 0, compiled_at_ms_ = 0;
  std::optional<Decision> compiling_;
};

const Phase kParsing = {.work_ms = 60'000,
                        .shares = {{kParse, 0.6}, {kScan, 0.395}, {kReport, 0.005}},
                        .calls = {{{kParse, 7, kScan}, 0.99}, {{kReport, 3, kNorm}, 0.01}}};
const Phase kSolving = {.work_ms = 60'000,
                        .shares = {{kSolve, 0.9}, {kNorm, 0.1}},
                        .calls = {{{kSolve, 12, kNorm}, 1}}};
// The same method as before; it calls another one.
const Phase kSolvingOtherwise = {
    .work_ms = 400'000, .shares = {{kSolve, 1}}, .calls = {{{kSolve, 20, kNext}, 1}}};

TEST(AdaptiveSystemTest, OptimizesTheHotMethodsOfEachPhase) {
  const History run = Simulation().Play({kParsing, kSolving});
  EXPECT_THAT(run.levels.at(kParse), Ge(kOpt1));
  EXPECT_THAT(run.levels.at(kScan), Ge(kOpt1));
  EXPECT_THAT(run.levels.at(kSolve), Ge(kOpt1));
  EXPECT_THAT(run.levels.at(kReport), Le(kOpt0)) << "300 ms of work, and 900 bytes";
  EXPECT_EQ(run.levels.at(kNext), kBase) << "never called";
  EXPECT_LT(run.end_ms, 120'000 / 4.0);
  for (const auto& [method, compilations] : run.compilations) EXPECT_LE(compilations, 4);
}

// Figure 4 of Buytaert et al. 2007: "Once all important methods have been fully optimized" little
// happens any more.
TEST(AdaptiveSystemTest, ComesToRestWithinAPhase) {
  const History run = Simulation().Play({kParsing, kParsing});
  const auto late = std::ranges::count_if(
      run.compiled, [&](const Decision& decision) { return decision.time_ms > run.end_ms / 2; });
  EXPECT_LE(late, 1);
  EXPECT_GT(run.compiled.size(), 2u);
}

// What ran before and does not any more is not compiled.
TEST(AdaptiveSystemTest, FollowsAChangeOfPhase) {
  const History run = Simulation().Play({kParsing, kSolving});
  const auto first_of_solving = std::ranges::find(run.compiled, kSolve, &Decision::method);
  ASSERT_NE(first_of_solving, run.compiled.end());
  std::vector<MethodId> afterwards;
  for (auto it = first_of_solving; it != run.compiled.end(); ++it) afterwards.push_back(it->method);
  EXPECT_THAT(afterwards, testing::Each(testing::AnyOf(kSolve, kNorm)));
}

TEST(AdaptiveSystemTest, CompilesAMethodAgainWhoseCallsHaveChanged) {
  const History run = Simulation().Play({kSolving, kSolvingOtherwise});
  ASSERT_FALSE(run.compiled.empty());
  const auto inlining =
      std::ranges::find(run.compiled, DecisionReason::kInlining, &Decision::reason);
  ASSERT_NE(inlining, run.compiled.end());
  EXPECT_EQ(inlining->method, kSolve);
  EXPECT_THAT(inlining->new_calls, ElementsAre(Edge{kSolve, 20, kNext}));
  EXPECT_EQ(std::ranges::count(run.compiled, DecisionReason::kInlining, &Decision::reason), 1);
}

TEST(AdaptiveSystemTest, IsDeterministic) {
  const auto rows = [](const History& run) {
    std::vector<std::pair<double, std::string>> told;
    for (const Decision& decision : run.decisions) {
      told.emplace_back(decision.time_ms, std::to_string(ToIndex(decision.method)) + " " +
                                              std::string(ToString(decision.reason)));
    }
    return told;
  };
  const std::vector<Phase> phases = {kParsing, kSolving, kSolvingOtherwise};
  EXPECT_EQ(rows(Simulation().Play(phases)), rows(Simulation().Play(phases)));
  EXPECT_NE(rows(Simulation().Play(phases)), rows(Simulation(&ChooseLevel, 2).Play(phases)));
}

// In a program of short phases it matters what compiling costs, in one of long ones how far it is
// taken. Each wrong controller loses in one of them: the program's time, and the compiler's.
TEST(AdaptiveSystemTest, NoWrongControllerIsAsGood) {
  std::vector<Phase> brief, lasting;
  for (int i = 0; i < 8; ++i) {
    const MethodId method{static_cast<uint32_t>(kParse) + static_cast<uint32_t>(i) % 5};
    brief.push_back({.work_ms = 25, .shares = {{method, 1}}, .calls = {{{method, 1, kNext}, 1}}});
  }
  lasting = {kParsing, kSolving};
  const auto cost = [](Controller::Model model, const std::vector<Phase>& phases) {
    const History run = Simulation(std::move(model)).Play(phases);
    return run.end_ms + run.compile_ms;
  };
  const double brief_ms = cost(&ChooseLevel, brief), lasting_ms = cost(&ChooseLevel, lasting);
  const std::vector<std::pair<std::string, Controller::Model>> wrong = {
      {"never recompiles",
       [](const Levels&, const MethodCosts& method) {
         Choice choice{.stay = {.level = method.level, .future_ms = method.past_ms}};
         choice.best = choice.stay;
         return choice;
       }},
      {"compiles whatever is sampled at the highest level",
       [](const Levels& levels, const MethodCosts& method) {
         Choice choice{.stay = {.level = method.level, .future_ms = method.past_ms}};
         const std::vector<Alternative> all = AlternativesOf(levels, method);
         choice.best = all.empty() ? choice.stay : all.back();
         choice.recompiles = !all.empty();
         return choice;
       }},
      {"takes the cheapest compilation", [](const Levels& levels, const MethodCosts& method) {
         MethodCosts next = method;
         next.most_level = kOpt0;
         return ChooseLevel(levels, next);
       }}};
  for (const auto& [what, model] : wrong) {
    const bool loses =
        cost(model, brief) > 1.05 * brief_ms || cost(model, lasting) > 1.05 * lasting_ms;
    EXPECT_TRUE(loses) << what;
  }
}

TEST(AdaptiveSystemTest, WhatHasNotRunForLongIsDroppedFromThePlan) {
  SizesForTest sizes;
  sizes.bytes = {{kParse, 300}};
  AdaptiveSystem system({.half_life_ms = 1'000}, JikesLevels(), sizes);
  system.OnCompiled(kParse, kBase, 0);
  for (int i = 0; i < 3; ++i) system.OnSample(MethodSample{kParse});
  ASSERT_TRUE(system.Organize(0).at(0).recompiles());
  EXPECT_EQ(system.plan().size(), 1u);
  EXPECT_FALSE(system.NextCompilation(10'000));
  EXPECT_TRUE(system.plan().empty());
}

TEST(AdaptiveSystemTest, NewCodeIsJudgedByItsOwnSamples) {
  SizesForTest sizes;
  sizes.bytes = {{kParse, 300}};
  AdaptiveSystem system({}, JikesLevels(), sizes);
  system.OnCompiled(kParse, kBase, 0);
  for (int i = 0; i < 100; ++i) system.OnSample(MethodSample{kParse});
  system.Organize(0);
  ASSERT_TRUE(system.NextCompilation(0));
  system.OnCompiled(kParse, kOpt1, 0);
  system.OnSample(MethodSample{kParse});
  EXPECT_EQ(system.Organize(0).at(0).samples, 1);
}

TEST(AdaptiveSystemTest, WithoutSamplesNothingIsDecided) {
  SizesForTest sizes;
  AdaptiveSystem system({}, JikesLevels(), sizes);
  EXPECT_THAT(system.Organize(0), IsEmpty());
  EXPECT_FALSE(system.NextCompilation(0));
}

// A virtual machine with one level samples, and never compiles again.
TEST(AdaptiveSystemTest, WithOneLevelEverythingStays) {
  SizesForTest sizes;
  sizes.bytes = {{kParse, 300}};
  AdaptiveSystem system({}, {JikesLevels()[kBase]}, sizes);
  system.OnCompiled(kParse, kBase, 0);
  for (int i = 0; i < 1'000; ++i) system.OnSample(MethodSample{kParse});
  EXPECT_THAT(system.Organize(0),
              ElementsAre(testing::Field(&Decision::reason, DecisionReason::kHighestLevel)));
  EXPECT_FALSE(system.NextCompilation(0));
}

}  // namespace
}  // namespace yp
