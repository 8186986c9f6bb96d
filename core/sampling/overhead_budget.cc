#include "core/sampling/overhead_budget.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

// How long what was measured counts: u by observed time, so that rare ticks make no noisier a
// number than frequent ones, f by the program's CPU time.
constexpr double kObservedMemoryNs = 100e6;
constexpr double kFixedMemoryNs = 5e9;
// Less than that in a round says nothing.
constexpr int64_t kMinRoundNs = 5'000'000;

// What remains of a sum after that much more of what it is measured by.
double Kept(double more, double memory) { return std::exp(-more / memory); }

}  // namespace

double OverheadBudget::Update(const Spent& spent) {
  const auto cpu_ns = static_cast<double>(spent.program_cpu_ns - told_.program_cpu_ns);
  if (spent.program_cpu_ns - told_.program_cpu_ns < kMinRoundNs) return share_;
  const int64_t fixed_ns = spent.fixed_cpu_ns - told_.fixed_cpu_ns;
  const int64_t free_ns = std::min(fixed_ns, start_up_left_ns_);
  start_up_left_ns_ -= free_ns;
  const double fixed_kept = Kept(cpu_ns, kFixedMemoryNs);
  cpu_ns_ = cpu_ns_ * fixed_kept + cpu_ns;
  fixed_ns_ = fixed_ns_ * fixed_kept + static_cast<double>(fixed_ns - free_ns);
  const double observed_kept = Kept(cpu_ns * share_, kObservedMemoryNs);
  observed_cpu_ns_ = observed_cpu_ns_ * observed_kept + cpu_ns * share_;
  observing_ns_ = observing_ns_ * observed_kept +
                  static_cast<double>(spent.observing_cpu_ns - told_.observing_cpu_ns);
  told_ = spent;

  const double unit_cost = observing_ns_ / observed_cpu_ns_;
  const double left = budget_ - fixed_ns_ / cpu_ns_;
  const double goal = left <= 0                       ? kMinShare
                      : unit_cost * kMinShare >= left ? kMinShare
                      : unit_cost <= left             ? 1.0
                                                      : left / unit_cost;
  share_ = std::clamp(std::clamp(goal, share_ / kMaxStep, share_ * kMaxStep), kMinShare, 1.0);
  return share_;
}

}  // namespace yp
