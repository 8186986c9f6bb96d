#include "recorder/pacer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace yp {
namespace {

// What is known of the load before the first look: one processor.
constexpr double kFirstLoadNs = 20e6;

bool IsCountdown(const RecordingOptions& options) {
  return options.policy.kind == PolicyOptions::Kind::kCountdown;
}

// Whether how often ticks come is for the pacer to say.
bool IsPaced(const RecordingOptions& options, bool at_entries) {
  const bool may_be = at_entries || IsCountdown(options);
  return may_be && (options.budget_of_ticks() > 0 || options.open_share < 1);
}

bool HasTicks(const RecordingOptions& options, bool at_entries) {
  if (options.probe == RecordingOptions::Probe::kNone) return false;
  // Every call counts there, until there have been enough.
  if (options.SeesEveryCall() || options.mode == RecordingOptions::Mode::kPatching) {
    return false;
  }
  return IsPaced(options, at_entries) || !IsCountdown(options);
}

}  // namespace

Pacer::Pacer(const RecordingOptions& options, bool at_entries, uint64_t seed)
    : tick_ns_(options.tick_ns),
      is_paced_(at_entries || IsCountdown(options)),
      has_ticks_(HasTicks(options, at_entries)),
      load_cpu_ns_(kFirstLoadNs),
      load_ns_(kFirstLoadNs),
      random_(seed),
      places_(random_) {
  open_ns_ = options.open_ns != 0    ? options.open_ns
             : !IsCountdown(options) ? kOpenForWindowsNs
             : at_entries            ? kOpenNs
                                     : kOpenInClassesNs;
  if (!is_paced_ || !has_ticks_) return;
  settles_ = IsCountdown(options);
  adapts_open_ = options.budget_of_ticks() > 0 && options.open_ns == 0 && IsCountdown(options);
  if (options.budget_of_ticks() > 0) {
    budget_.emplace(options.budget_of_ticks(),
                    at_entries ? OverheadBudget::kFirstTickNs : kTickInClassesNs);
    return;
  }
  const auto open_ns = static_cast<double>(open_ns_);
  const double share =
      IsCountdown(options) ? options.open_share : open_ns / static_cast<double>(tick_ns_);
  if (share < 1) {
    fixed_rate_ = std::max(share / open_ns, 1 / static_cast<double>(kMaxPeriodNs));
  }
}

void Pacer::SeeLoad(int64_t now_ns, int64_t program_cpu_ns) {
  const auto memory_ns = static_cast<double>(kLoadMemoryNs);
  const auto past_ns = static_cast<double>(now_ns - seen_.now_ns);
  const auto cpu_ns = static_cast<double>(program_cpu_ns - seen_.program_cpu_ns);
  const bool is_first = seen_.now_ns == 0;
  seen_ = {now_ns, program_cpu_ns};
  if (is_first || past_ns <= 0) return;
  // A process that was stopped for long is looked at as before a moment later.
  const double part = std::min(1.0, memory_ns / past_ns);
  const double kept = std::exp(-part * past_ns / memory_ns);
  load_cpu_ns_ = load_cpu_ns_ * kept + part * cpu_ns;
  load_ns_ = load_ns_ * kept + part * past_ns;
}

double Pacer::RateNow(int64_t program_cpu_ns) {
  if (!budget_) return fixed_rate_;
  {
    const std::lock_guard lock(mutex_);
    if (places_.unit() != unit_ || std::exchange(is_changed_, false)) {
      unit_ = places_.unit();
      unit_ticks_ = ticks_ - std::min(ticks_, begin_.ticks);
      unit_begin_cpu_ns_ = begin_.program_cpu_ns;
      unit_budget_ = budget_;
    }
  }
  const int64_t cpu_ns = std::max<int64_t>(0, program_cpu_ns - unit_begin_cpu_ns_);
  const double rate =
      unit_budget_->TicksPerCpuNs(static_cast<double>(cpu_ns), unit_ticks_) * load();
  const int64_t longest_ns = unit_ticks_ == 0 ? kMaxFirstPeriodNs : kMaxPeriodNs;
  const double least = 1 / static_cast<double>(longest_ns);
  const double most = kMaxOpenShare / static_cast<double>(ForLoad(open_ns_));
  return std::max(std::min(rate, most), least);
}

int64_t Pacer::ForLoad(int64_t busy_ns) const {
  if (!adapts_open_) return busy_ns;
  const auto least_ns = static_cast<double>(busy_ns);
  return static_cast<int64_t>(
      std::clamp(least_ns / std::max(load(), 1e-9), least_ns, static_cast<double>(kMaxOpenNs)));
}

TickThread::Pace Pacer::Next(int64_t now_ns, int64_t program_cpu_ns) {
  if (!is_paced_) {
    const auto armed_ns = static_cast<int64_t>(static_cast<double>(tick_ns_) * kMaxArmedShare);
    period_ns_ = tick_ns_;
    told_open_ns_ = armed_ns;
    return {.closed_ns = tick_ns_ - armed_ns, .open_ns = armed_ns};
  }
  told_open_ns_ = open_ns_;
  period_ns_ = open_ns_;
  if (!budget_ && fixed_rate_ == 0) return {.closed_ns = 0, .open_ns = open_ns_};
  SeeLoad(now_ns, program_cpu_ns);
  const double rate = RateNow(program_cpu_ns);
  // What the thread has overslept does not count: the process may have been stopped for hours.
  const double due_ns = places_.Left() / rate;
  if (budget_ && due_ns > static_cast<double>(kLookNs)) {
    const double wait_ns =
        std::clamp(due_ns / 2, static_cast<double>(kLookNs), static_cast<double>(kMaxLookNs));
    places_.Pass(wait_ns * rate);
    return {.closed_ns = static_cast<int64_t>(wait_ns), .open_ns = 0};
  }
  const double due_rate = due_ns < 0 ? rate_ : rate;
  rate_ = rate;
  const auto closed_ns = static_cast<int64_t>(std::max(0.0, due_ns));
  told_open_ns_ = ForLoad(open_ns_);
  const int64_t settle_ns = closed_ns > 0 && settles_ ? ForLoad(kSettleNs) : 0;
  places_.Pass(static_cast<double>(closed_ns + settle_ns + told_open_ns_) * rate);
  places_.Take();
  ++ticks_;
  period_ns_ = static_cast<int64_t>(1 / due_rate);
  return {.closed_ns = closed_ns, .settle_ns = settle_ns, .open_ns = told_open_ns_};
}

void Pacer::ExpectTicksOf(double tick_ns) {
  if (!budget_) return;
  const std::lock_guard lock(mutex_);
  budget_->ExpectTicksOf(tick_ns);
}

double Pacer::LeftAtEndNs(const OverheadBudget::Spent& spent) const {
  if (!budget_) return std::numeric_limits<double>::infinity();
  const std::lock_guard lock(mutex_);
  const OverheadBudget::Spent since = SinceBegin(spent);
  return budget_->AllowedAtEndNs(static_cast<double>(since.program_cpu_ns)) -
         static_cast<double>(since.cost_ns);
}

void Pacer::Spent(const OverheadBudget::Spent& spent) {
  if (!budget_) return;
  const std::lock_guard lock(mutex_);
  told_ = spent;
  budget_->Update(SinceBegin(spent));
}

OverheadBudget::Spent Pacer::SinceBegin(const OverheadBudget::Spent& spent) const {
  OverheadBudget::Spent since = spent;
  since.program_cpu_ns -= begin_.program_cpu_ns;
  since.cost_ns -= begin_.cost_ns;
  since.ticks -= begin_.ticks;
  return since;
}

void Pacer::ChangeBudget(double budget) {
  if (!budget_) return;
  const std::lock_guard lock(mutex_);
  // Whether there is one is asked without the mutex.
  *budget_ = OverheadBudget(budget, std::max(1.0, budget_->tick_cost_ns()));
  begin_ = told_;
  is_changed_ = true;
}

}  // namespace yp
