#include "format/profile/periods_of_code.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "format/profile/spool_times.h"

namespace yp {
namespace {

constexpr int64_t kPeriodNs = 100'000'000;  // As often as the agent tells.

int64_t PeriodIndex(int64_t time_ns) {
  return std::clamp<int64_t>(time_ns, 0, kLatestNs) / kPeriodNs;
}

}  // namespace

PeriodsOfCode::Period& PeriodsOfCode::At(int64_t time_ns) { return periods_[PeriodIndex(time_ns)]; }

void PeriodsOfCode::Take(const spool::Tick& tick) {
  has_ticks_ = true;
  ticks_.push_back(tick);
}

void PeriodsOfCode::Take(int64_t time_ns, const CodePeriod::Samples& stacks) {
  stacks_.push_back({time_ns, stacks});
}

void PeriodsOfCode::Take(int64_t time_ns, const CodePeriod::Counted& counted) {
  At(time_ns).code.counted.push_back(counted);
}

void PeriodsOfCode::Take(int64_t end_ns, const CodePeriod::Calls& calls) {
  Period& period = At(end_ns);
  if (period.open_ns > 0) period.code.calls.push_back(calls);
}

// A tick is told when it has ended: part of it may have been in the round before.
void PeriodsOfCode::Share(const spool::Tick& tick, int64_t end_ns) {
  const auto open_ns = static_cast<double>(tick.open_ns);
  const double earlier_ns = static_cast<double>(end_ns_) - static_cast<double>(tick.begin_ns);
  const double earlier = open_ns > 0 ? std::clamp(earlier_ns / open_ns, 0.0, 1.0) : 0;
  const auto cpu_ns = static_cast<double>(tick.open_cpu_ns);
  if (earlier > 0) At(end_ns_).open_cpu_ns += earlier * cpu_ns;
  At(end_ns).open_cpu_ns += (1 - earlier) * cpu_ns;
}

void PeriodsOfCode::EndRound(int64_t end_ns, int64_t open_ns) {
  Period& period = At(end_ns);
  if (open_ns > 0) period.open_ns += static_cast<double>(open_ns);
  for (const Stacks& each : std::exchange(stacks_, {})) {
    period.code.samples.push_back(each.samples);
  }
  for (const spool::Tick& tick : std::exchange(ticks_, {})) Share(tick, end_ns);
  end_ns_ = std::max(end_ns_, end_ns);
}

std::vector<CodePeriod> PeriodsOfCode::Finish(double stack_ns) {
  // A spool that was cut off, or one that does not tell of its rounds.
  for (const Stacks& each : std::exchange(stacks_, {})) {
    At(each.time_ns).code.samples.push_back(each.samples);
  }
  std::vector<CodePeriod> finished;
  for (auto& [index, period] : periods_) {
    period.code.end_ns = (index + 1) * kPeriodNs;
    if (has_ticks_ && stack_ns > 0) {
      period.code.open_samples = period.open_cpu_ns / stack_ns;
    } else {
      const double part = std::min(1.0, period.open_ns / kPeriodNs);
      period.code.open_samples = part * static_cast<double>(period.code.stacks());
    }
    finished.push_back(std::move(period.code));
  }
  return finished;
}

}  // namespace yp
