#include "core/sampling/overhead_budget.h"

#include <gtest/gtest.h>

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
  void Idle() {
    spent_.program_cpu_ns += 1'000'000;
    budget_.Update(spent_);
  }
  double share() const { return budget_.share(); }
  double last_cost() const { return last_cost_; }

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
      program.Run(600);
      EXPECT_NEAR(program.last_cost(), 0.005, 0.0001) << unit << " " << fixed;
    }
  }
}

TEST(OverheadBudgetTest, WhatIsCheapIsObservedAllTheTime) {
  FakeProgram program(0.005);
  program.unit = 0.004;
  program.Run(20);
  EXPECT_EQ(program.share(), 1.0);
}

TEST(OverheadBudgetTest, WhereTheRestAloneIsTooDearAFewSamplesRemain) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.fixed = 0.01;
  program.Run(100);
  EXPECT_EQ(program.share(), OverheadBudget::kMinShare);
}

TEST(OverheadBudgetTest, WhatItTakesToStartIsFree) {
  FakeProgram program(0.005);
  program.unit = 0.02;
  program.fixed = 0.01;
  program.Run(30);  // 30 ms of the profiler's own.
  EXPECT_NEAR(program.share(), 0.25, 1e-4) << "all of the budget is for observing";
  program.Run(20);
  EXPECT_EQ(program.share(), OverheadBudget::kMinShare);
}

TEST(OverheadBudgetTest, AProgramThatBecomesDearerIsFollowedWithinSeconds) {
  FakeProgram program(0.005);
  program.unit = 0.01;
  program.Run(100);
  program.unit = 0.1;
  program.Run(100);
  EXPECT_NEAR(program.last_cost(), 0.005, 0.0005);
  program.unit = 0.01;
  program.Run(200);
  EXPECT_NEAR(program.last_cost(), 0.005, 0.0005);
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
