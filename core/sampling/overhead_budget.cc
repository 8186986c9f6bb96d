#include "core/sampling/overhead_budget.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

// How long what was measured of u counts, in observed time, so that rare ticks make no noisier a
// number than frequent ones.
constexpr double kLastingMemoryNs = 1e9;
constexpr double kLatestMemoryNs = 100e6;
// Of the program's CPU time: in which a debt is paid back, and of which the budget may be spent
// later.
constexpr double kLeastPayBackNs = 1e9, kPayBackNs = 10e9;
constexpr double kCreditNs = 2e9;
// The latest ticks are followed when they cost more than so many times the mean.
constexpr double kPhaseFactor = 3;
// Less than that in a round says nothing.
constexpr int64_t kMinRoundNs = 5'000'000;

}  // namespace

void OverheadBudget::Observed::Add(double cpu, double cost, double memory_ns) {
  const double kept = std::exp(-cpu / memory_ns);
  cpu_ns = cpu_ns * kept + cpu;
  cost_ns = cost_ns * kept + cost;
}

double OverheadBudget::AllowedNs(double program_cpu_ns) const {
  return budget_ * program_cpu_ns * (1 + std::max(0.0, 1 - program_cpu_ns / kBorrowNs));
}

double OverheadBudget::Update(const Spent& spent) {
  const auto cpu_ns = static_cast<double>(spent.program_cpu_ns - told_.program_cpu_ns);
  if (spent.program_cpu_ns - told_.program_cpu_ns < kMinRoundNs) return share_;
  const auto fixed_ns = static_cast<double>(spent.fixed_cpu_ns - told_.fixed_cpu_ns);
  const auto now_ns = static_cast<double>(spent.program_cpu_ns);
  const double allowed_ns = AllowedNs(now_ns) - AllowedNs(now_ns - cpu_ns);
  const auto observing_ns = static_cast<double>(spent.observing_cpu_ns - told_.observing_cpu_ns);
  lasting_.Add(cpu_ns * share_, observing_ns, kLastingMemoryNs);
  latest_.Add(cpu_ns * share_, observing_ns, kLatestMemoryNs);
  told_ = spent;

  const double unit_cost = std::max(lasting_.UnitCost(), latest_.UnitCost() / kPhaseFactor);
  debt_ns_ += observing_ns + fixed_ns - allowed_ns;
  const auto owed_ns = static_cast<double>(spent.owed_cpu_ns);
  debt_ns_ = std::clamp(debt_ns_, -budget_ * kCreditNs - owed_ns, budget_ * kPayBackNs);
  const double debt_ns = debt_ns_ + owed_ns;
  const double left =
      allowed_ns / cpu_ns - debt_ns / std::clamp(now_ns, kLeastPayBackNs, kPayBackNs);
  const double goal = left <= 0                       ? kMinShare
                      : unit_cost * kMinShare >= left ? kMinShare
                      : unit_cost <= left             ? 1.0
                                                      : left / unit_cost;
  const double most = now_ns < kStartNs ? kMostAtStart : 1.0;
  share_ = std::clamp(std::clamp(goal, share_ / kMaxStep, share_ * kMaxStep), kMinShare, most);
  return share_;
}

}  // namespace yp
