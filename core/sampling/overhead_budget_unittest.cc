#include "core/sampling/overhead_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/random.h"
#include "base/time_test_util.h"
#include "core/sampling/tick_places.h"

namespace yp {
namespace {

constexpr double kBudget = 0.005;
constexpr double kLeastTicksPerNs = 1 / 10e9;
constexpr int64_t kStepNs = 1'000'000;

// A program on one processor, whose ticks come where their rate says, and are told of in rounds.
class FakeProgram {
 public:
  std::function<double()> tick_ns = [] { return 1e6; };
  double fixed = 0;         // Of its CPU time, that the profiler costs anyway.
  double owed_per_ns = 0;   // The same, at the end.
  double max_rate = 15e-9;  // The program may be observed for only so much of the time.

  explicit FakeProgram(double budget = kBudget, uint64_t seed = 7)
      : budget_(budget), unit_budget_(budget), random_(seed), places_(random_) {}

  void Run(double seconds) {
    const auto steps = static_cast<int64_t>(seconds * 1000);
    for (int64_t i = 0; i < steps; ++i) Step();
  }
  void SpendOnce(double ns) { cost_ns_ += ns; }
  void Owe(double ns) { owed_ns_ = ns; }
  // Since the beginning.
  double whole_cost() const { return (cost_ns_ + owed_ns_) / static_cast<double>(cpu_ns_); }
  uint64_t ticks() const { return ticks_; }
  double seconds() const { return static_cast<double>(cpu_ns_) / 1e9; }
  double rate() const { return Rate() * 1e9; }
  const OverheadBudget& budget() const { return budget_; }

 private:
  double Rate() const {
    return std::clamp(unit_budget_.TicksPerCpuNs(static_cast<double>(cpu_ns_), unit_ticks_),
                      kLeastTicksPerNs, max_rate);
  }
  void Step() {
    if (places_.unit() != unit_) {
      unit_ = places_.unit();
      unit_budget_ = budget_;
      unit_ticks_ = ticks_;
    }
    places_.Pass(Rate() * kStepNs);
    if (places_.Left() <= 0) {
      places_.Take();
      ++ticks_;
      cost_ns_ += tick_ns();
    }
    cpu_ns_ += kStepNs;
    cost_ns_ += fixed * kStepNs;
    owed_ns_ += owed_per_ns * kStepNs;
    if (cpu_ns_ % (100 * kMs) == 0) {
      budget_.Update(
          {cpu_ns_, static_cast<int64_t>(cost_ns_), static_cast<int64_t>(owed_ns_), ticks_});
    }
  }

  OverheadBudget budget_, unit_budget_;
  Xoshiro256 random_;
  TickPlaces places_;
  double unit_ = -1;
  uint64_t unit_ticks_ = 0;
  uint64_t ticks_ = 0;
  int64_t cpu_ns_ = 0;
  double cost_ns_ = 0, owed_ns_ = 0;
};

// From five seconds on: no more than the budget, and at least 80 % of it.
void ExpectKept(FakeProgram& program, const char* what, double a_dear_tick = 0) {
  program.Run(5);
  double most = 0, least = 1;
  for (int i = 0; i < 1100; ++i) {
    most = std::max(most, program.whole_cost());
    least = std::min(least, program.whole_cost());
    program.Run(0.1);
  }
  EXPECT_LE(most, (1 + a_dear_tick) * kBudget) << what;
  EXPECT_GE(least, 0.8 * kBudget) << what;
  EXPECT_GE(program.whole_cost(), 0.94 * kBudget) << what;
}

TEST(OverheadBudgetTest, WhatIsSpentWhenAShortProgramEndsMayBeTwiceTheBudget) {
  const OverheadBudget budget(kBudget);
  EXPECT_DOUBLE_EQ(budget.AllowedAtEndNs(1e9), 10e6);
  EXPECT_DOUBLE_EQ(budget.AllowedAtEndNs(4.9e9), 49e6);
  EXPECT_DOUBLE_EQ(budget.AllowedAtEndNs(5e9), 25e6);
  EXPECT_DOUBLE_EQ(budget.AllowedAtEndNs(60e9), 300e6);
}

TEST(OverheadBudgetTest, NoMoreThanTheBudgetIsSpentAndMostOfIt) {
  for (const double tick_ns : {0.4e6, 0.7e6, 1e6}) {
    for (const double fixed : {0.0, 0.001, 0.002}) {
      FakeProgram program;
      program.tick_ns = [=] { return tick_ns; };
      program.fixed = fixed;
      ExpectKept(program, "even ticks");
    }
  }
}

TEST(OverheadBudgetTest, AlsoWhereTicksCostTheMoreTheMoreIsCalled) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Xoshiro256 random(seed);
    FakeProgram program(kBudget, seed);
    program.tick_ns = [&] { return 0.4e6 * std::exp(1.2 * random.UniformOpenClosed()); };
    ExpectKept(program, "ticks that differ", 0.03);
  }
}

TEST(OverheadBudgetTest, AlsoWhereMuchIsOwed) {
  FakeProgram program;
  program.owed_per_ns = 0.0003;
  program.Owe(5e6);
  ExpectKept(program, "methods to be read at the end", 0.01);
}

TEST(OverheadBudgetTest, TheStartBorrowsAndPaysBackEvenly) {
  FakeProgram program;
  program.Run(1);
  EXPECT_LT(program.whole_cost(), 2 * kBudget);
  EXPECT_GT(program.whole_cost(), 1.1 * kBudget);
  for (int second = 1; second < 5; ++second) {
    const uint64_t before = program.ticks();
    program.Run(1);
    EXPECT_LT(program.whole_cost(), 2 * kBudget);
    // Three of four that come later.
    EXPECT_GE(program.ticks() - before, 2u) << "after " << second << " s";
    EXPECT_LE(program.ticks() - before, 6u) << "after " << second << " s";
  }
}

TEST(OverheadBudgetTest, TicksComeEvenly) {
  FakeProgram program;
  program.Run(5);
  for (int i = 0; i < 100; ++i) {
    const uint64_t before = program.ticks();
    program.Run(2);
    EXPECT_NEAR(static_cast<double>(program.ticks() - before), 10, 3) << program.seconds() << " s";
  }
}

// The least and the most of the rates that the next 50 seconds have.
std::pair<double, double> RatesOfFiftySeconds(FakeProgram& program) {
  double least = 1e9, most = 0;
  for (int i = 0; i < 500; ++i) {
    program.Run(0.1);
    least = std::min(least, program.rate());
    most = std::max(most, program.rate());
  }
  return {least, most};
}

TEST(OverheadBudgetTest, TheRateDoesNotSwing) {
  FakeProgram program;
  program.Run(20);
  const auto [least, most] = RatesOfFiftySeconds(program);
  EXPECT_LT(most, 1.3 * least) << "five ticks a second";
  EXPECT_NEAR((most + least) / 2, 5, 0.5);
}

TEST(OverheadBudgetTest, PhasesOfTheProgramHardlyMoveTheRate) {
  FakeProgram program;
  program.tick_ns = [&] { return std::fmod(program.seconds(), 0.8) < 0.4 ? 0.3e6 : 1.5e6; };
  program.Run(50);
  const auto [least, most] = RatesOfFiftySeconds(program);
  EXPECT_LT(most, 2.5 * least);
  EXPECT_NEAR(program.whole_cost(), kBudget, 0.1 * kBudget);
}

TEST(OverheadBudgetTest, WhatIsDoneNowAndThenIsPaidBackEvenly) {
  FakeProgram program;
  program.Run(100);
  const double before = program.rate();
  program.SpendOnce(8e6);  // Most of what is set aside.
  program.Run(1);
  EXPECT_NEAR(program.rate() / before, 0.84, 0.1);
  EXPECT_LE(program.whole_cost(), kBudget);
  program.Run(60);
  EXPECT_NEAR(program.rate() / before, 1, 0.15);
  EXPECT_NEAR(program.budget().tick_cost_ns(), 1e6, 0.2e6) << "no matter of ticks";
}

TEST(OverheadBudgetTest, WhereNothingIsLeftThereAreNoTicks) {
  FakeProgram program;
  program.fixed = 0.01;
  program.Run(100);
  EXPECT_EQ(program.budget().TicksPerCpuNs(100e9, program.ticks()), 0);
}

TEST(OverheadBudgetTest, ADebtThatCannotBePaidIsNotRemembered) {
  FakeProgram program;
  program.fixed = 0.02;
  program.Run(1000);
  EXPECT_EQ(program.budget().TicksPerCpuNs(1000e9, program.ticks()), 0);
  program.fixed = 0;
  program.Run(60);
  EXPECT_GT(program.rate(), 2);
}

TEST(OverheadBudgetTest, WhatWasNotUsedIsNotSpentAtOnce) {
  FakeProgram program;
  program.tick_ns = [] { return 0.05e6; };  // Fifteen a second are a seventh of the budget.
  program.Run(500);
  EXPECT_NEAR(program.rate(), 15, 1e-6);
  program.tick_ns = [] { return 2e6; };
  program.Run(20);
  EXPECT_LT(program.rate(), 2.2 * kBudget / 2e6 * 1e9);
  program.Run(200);
  EXPECT_NEAR(program.rate(), kBudget / 2e6 * 1e9, 0.5);
}

TEST(OverheadBudgetTest, AProgramThatBecomesMuchDearerIsFollowedAtOnce) {
  FakeProgram program;
  program.Run(50);
  program.tick_ns = [] { return 20e6; };  // Twenty times.
  const double before = program.whole_cost() * program.seconds();
  program.Run(20);
  EXPECT_LT(program.whole_cost() * program.seconds() - before, 20 * kBudget + 0.05);
  program.Run(400);
  EXPECT_NEAR(program.whole_cost(), kBudget, 0.1 * kBudget);
}

TEST(OverheadBudgetTest, TicksWhoseCostIsNotToldYetCountAsTheMean) {
  OverheadBudget budget(kBudget);
  budget.Update({10 * kSecond, 40'000'000, 0, 40});
  const double none = budget.TicksPerCpuNs(10e9, 40);
  EXPECT_GT(none, 0);
  EXPECT_LT(budget.TicksPerCpuNs(10e9, 41), none);
  EXPECT_EQ(budget.TicksPerCpuNs(10e9, 90), 0);
  EXPECT_GT(budget.TicksPerCpuNs(20e9, 90), 0) << "as soon as there is something again";
}

TEST(OverheadBudgetTest, WhatIsExpectedOfATickCountsUntilOneIsTold) {
  OverheadBudget budget(kBudget);
  const double before = budget.TicksPerCpuNs(1e8, 0);
  budget.ExpectTicksOf(0.4e6);
  EXPECT_EQ(budget.tick_cost_ns(), 0.4e6);
  EXPECT_GT(budget.TicksPerCpuNs(1e8, 0), 2 * before);
  budget.Update({kSecond, 1'000'000, 0, 1});
  const double learnt = budget.tick_cost_ns();
  EXPECT_NEAR(learnt, 0.7e6, 1) << "as much as one tick";
  budget.ExpectTicksOf(5e6);
  EXPECT_EQ(budget.tick_cost_ns(), learnt);
}

}  // namespace
}  // namespace yp
