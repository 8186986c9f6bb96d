#include "core/sampling/overhead_budget.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

// H, in CPU time.
constexpr double kPartOfRun = 0.25;
constexpr double kLeastHorizonNs = 1e9, kMostHorizonNs = 10e9;
constexpr double kLeastHorizonTicks = 4;
// Of the program's CPU time: of which the budget may be owed, or spent later.
constexpr double kMostDebtNs = 10e9, kMostCreditNs = 10e9;
constexpr double kSetAsideTicks = 2, kSetAsideShare = 0.04, kMostAsideNs = 2e9;
constexpr double kBackgroundMemoryNs = 5e9;
constexpr double kLeastFactor = 0.25, kMostFactor = 3;
// A tick is made responsible for no more than so many times the mean.
constexpr double kMostOfMean = 4;

// While the debt is paid back.
constexpr double kPayingShare = (OverheadBudget::kPaidBackNs - 2 * OverheadBudget::kBorrowedNs) /
                                (OverheadBudget::kPaidBackNs - OverheadBudget::kBorrowedNs);

}  // namespace

double OverheadBudget::AllowedNs(double program_cpu_ns) const {
  const double paying_ns = 2 * kBorrowedNs + kPayingShare * (program_cpu_ns - kBorrowedNs);
  return budget_ * std::max(program_cpu_ns, std::min(2 * program_cpu_ns, paying_ns));
}

double OverheadBudget::AllowedAtEndNs(double program_cpu_ns) const {
  return budget_ * (program_cpu_ns < kPaidBackNs ? 2 : 1) * program_cpu_ns;
}

double OverheadBudget::LeftNs(double program_cpu_ns, uint64_t ticks_begun) const {
  const auto pending =
      static_cast<double>(ticks_begun > told_.ticks ? ticks_begun - told_.ticks : 0);
  const double since_ns = program_cpu_ns - static_cast<double>(told_.program_cpu_ns);
  return AllowedNs(program_cpu_ns) + forgiven_ns_ -
         static_cast<double>(told_.cost_ns + told_.owed_cpu_ns) - pending * tick_ns_ -
         background() * std::max(0.0, since_ns);
}

void OverheadBudget::LearnBackground(double cpu_ns, double cost_ns) {
  const double kept = std::exp(-cpu_ns / kBackgroundMemoryNs);
  background_cpu_ns_ = background_cpu_ns_ * kept + cpu_ns;
  background_cost_ns_ = background_cost_ns_ * kept + std::min(cost_ns, budget_ * cpu_ns);
}

void OverheadBudget::LearnTicks(double ticks, double cost_ns) {
  const double mean_ns = std::clamp(cost_ns / ticks, 1.0, kMostOfMean * tick_ns_);
  ticks_ = std::min(ticks_ + ticks, kMemoryTicks);
  tick_ns_ += (mean_ns - tick_ns_) * std::min(1.0, ticks / ticks_);
}

void OverheadBudget::ExpectTicksOf(double tick_ns) {
  if (told_.ticks == 0) tick_ns_ = tick_ns;
}

void OverheadBudget::Update(const Spent& spent) {
  const auto cpu_ns = static_cast<double>(spent.program_cpu_ns - told_.program_cpu_ns);
  const auto cost_ns = static_cast<double>(spent.cost_ns - told_.cost_ns);
  const auto ticks = static_cast<double>(spent.ticks - told_.ticks);
  told_ = spent;
  if (ticks > 0) {
    LearnTicks(ticks, cost_ns - background() * cpu_ns);
  } else {
    LearnBackground(cpu_ns, cost_ns);
  }
  const double left_ns = LeftNs(static_cast<double>(spent.program_cpu_ns), spent.ticks);
  forgiven_ns_ += std::clamp(left_ns, -budget_ * kMostDebtNs, budget_ * kMostCreditNs) - left_ns;
}

double OverheadBudget::TicksPerCpuNs(double program_cpu_ns, uint64_t ticks_begun) const {
  const double left_ns = LeftNs(program_cpu_ns, ticks_begun);
  if (left_ns < -budget_ * kPoorNs) return 0;
  const double coming = AllowedNs(program_cpu_ns + 1) - AllowedNs(program_cpu_ns) - background();
  const double least_ns = std::max(kLeastHorizonNs, kLeastHorizonTicks * tick_ns_ / budget_);
  const double horizon_ns =
      std::clamp(kPartOfRun * program_cpu_ns, least_ns, std::max(least_ns, kMostHorizonNs));
  const double part_ns =
      std::min(kSetAsideShare * AllowedNs(program_cpu_ns), budget_ * kMostAsideNs);
  const double aside_ns = std::max(kSetAsideTicks * tick_ns_, part_ns);
  const double factor = 1 + (left_ns - aside_ns) / (budget_ * horizon_ns);
  return std::max(0.0, coming) / tick_ns_ * std::clamp(factor, kLeastFactor, kMostFactor);
}

}  // namespace yp
