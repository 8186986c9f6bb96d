#include "core/sampling/overhead_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace yp {
namespace {

constexpr int64_t kRoundNs = 100'000'000;

// A program whose observation costs `unit` of its CPU time, and whose profiler costs `fixed` of it
// anyway.
class FakeProgram {
 public:
  double unit = 0, fixed = 0;

  explicit FakeProgram(double budget) : budget_(budget) {}

  void Run(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const auto observing =
          static_cast<int64_t>(unit * budget_.share() * static_cast<double>(kRoundNs));
      const auto fixed_ns = static_cast<int64_t>(fixed * static_cast<double>(kRoundNs));
      spent_.program_cpu_ns += kRoundNs;
      spent_.observing_cpu_ns += observing;
      spent_.fixed_cpu_ns += fixed_ns;
      last_cost_ = static_cast<double>(observing + fixed_ns) / static_cast<double>(kRoundNs);
      budget_.Update(spent_);
    }
  }
  void SpendOnce(int64_t fixed_ns) { spent_.fixed_cpu_ns += fixed_ns; }
  void Idle() {
    spent_.program_cpu_ns += 1'000'000;
    budget_.Update(spent_);
  }
  double share() const { return budget_.share(); }
  double last_cost() const { return last_cost_; }
  void Owe(int64_t owed_ns) { spent_.owed_cpu_ns = owed_ns; }
  // Since the beginning.
  double whole_cost() const {
    return static_cast<double>(spent_.observing_cpu_ns + spent_.fixed_cpu_ns + spent_.owed_cpu_ns) /
           static_cast<double>(spent_.program_cpu_ns);
  }

 private:
  OverheadBudget budget_;
  OverheadBudget::Spent spent_;
  double last_cost_ = 0;
};

TEST(OverheadBudgetTest, TheCostComesToTheBudget) {
  for (const double unit : {0.01, 0.03, 0.2}) {
    for (const double fixed : {0.0, 0.001, 0.003}) {
      FakeProgram program(0.005);
      program.unit = unit;
      program.fixed = fixed;
      program.Run(1000);
      EXPECT_NEAR(program.whole_cost(), 0.005, 0.0003) << unit << " " << fixed;
      EXPECT_NEAR(program.last_cost(), 0.005, 0.0002) << unit << " " << fixed;
    }
  }
}

TEST(OverheadBudgetTest, WhatIsCheapIsObservedAllTheTime) {
  FakeProgram program(0.005);
  program.unit = 0.004;
  program.Run(15);
  EXPECT_EQ(program.share(), OverheadBudget::kMostAtStart) << "while it starts";
  program.Run(15);
  EXPECT_EQ(program.share(), 1.0);
}

TEST(OverheadBudgetTest, WhereTheRestAloneIsTooDearAFewSamplesRemain) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.fixed = 0.01;
  program.Run(100);
  EXPECT_EQ(program.share(), OverheadBudget::kMinShare);
}

TEST(OverheadBudgetTest, TheStartBorrowsAndPaysBack) {
  for (const double unit : {0.01, 0.05, 0.2}) {
    FakeProgram program(0.005);
    program.unit = unit;
    program.Run(10);  // A second.
    EXPECT_LT(program.whole_cost(), 0.0101 + unit * OverheadBudget::kFirstShare / 10) << unit;
    const double at_most = unit * OverheadBudget::kMostAtStart;
    EXPECT_GT(program.whole_cost(), std::min(0.006, 0.9 * at_most)) << unit;
    program.Run(40);
    for (int seconds = 5; seconds < 60; ++seconds) {
      EXPECT_LT(program.whole_cost(), 1.05 * 0.005) << unit << " after " << seconds << " s";
      program.Run(10);
    }
  }
}

TEST(OverheadBudgetTest, WhatWillHaveToBeSpentIsSetAside) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.Owe(15'000'000);
  program.Run(60);
  EXPECT_LT(program.whole_cost(), 1.05 * 0.005);
  program.Run(1000);
  EXPECT_NEAR(program.whole_cost(), 0.005, 0.0002);
}

TEST(OverheadBudgetTest, WhatIsDoneNowAndThenIsPaidBackEvenly) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.Run(200);
  program.SpendOnce(25'000'000);  // Half of what there is for ten seconds.
  program.Run(1);
  EXPECT_NEAR(program.share(), 0.15, 0.04) << "0.25 before";
  program.Run(600);
  EXPECT_NEAR(program.whole_cost(), 0.005, 0.0001);
  EXPECT_NEAR(program.share(), 0.25, 0.02);
}

TEST(OverheadBudgetTest, ADebtThatCannotBePaidIsNotRemembered) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.fixed = 0.02;
  program.Run(10'000);
  EXPECT_EQ(program.share(), OverheadBudget::kMinShare);
  program.fixed = 0;
  program.Run(400);
  EXPECT_NEAR(program.share(), 0.25, 0.03);
}

TEST(OverheadBudgetTest, PhasesOfTheProgramDoNotMoveTheShare) {
  FakeProgram program(0.005);
  double least = 1, most = 0;
  for (int phase = 0; phase < 200; ++phase) {
    program.unit = phase % 2 == 0 ? 0.01 : 0.05;
    program.Run(4);
    if (phase < 50) continue;
    least = std::min(least, program.share());
    most = std::max(most, program.share());
  }
  EXPECT_LT(most, 1.25 * least);
  EXPECT_NEAR(program.whole_cost(), 0.005, 0.0002);
}

TEST(OverheadBudgetTest, AProgramThatBecomesMuchDearerIsFollowedAtOnce) {
  FakeProgram program(0.005);
  program.unit = 0.01;
  program.Run(100);
  program.unit = 0.2;  // Twenty times.
  program.Run(10);
  EXPECT_LT(program.last_cost(), 3.2 * 0.005);
  program.Run(1000);
  EXPECT_NEAR(program.whole_cost(), 0.005, 0.0003);
  EXPECT_NEAR(program.last_cost(), 0.005, 0.0003);
  program.unit = 0.01;
  program.Run(1500);
  EXPECT_NEAR(program.last_cost(), 0.005, 0.0005) << "and back, as observed time comes together";
}

TEST(OverheadBudgetTest, OneRoundMovesTheShareByAFactorOfTwoAtMost) {
  FakeProgram program(0.005);
  program.unit = 10;
  program.Run(1);
  EXPECT_EQ(program.share(), OverheadBudget::kFirstShare / 2);
}

TEST(OverheadBudgetTest, AProgramThatDoesNothingChangesNothing) {
  FakeProgram program(0.005);
  program.unit = 0.05;
  program.Run(50);
  const double before = program.share();
  program.Idle();
  program.Idle();
  EXPECT_EQ(program.share(), before);
}

}  // namespace
}  // namespace yp
