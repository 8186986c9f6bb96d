#include "recorder/pacer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace yp {
namespace {

// Not worth another sleep.
constexpr double kSoonNs = 10'000;
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

void Pacer::SeeLoad(int64_t past_ns, int64_t past_cpu_ns) {
  const auto memory_ns = static_cast<double>(kLoadMemoryNs);
  const auto ns = static_cast<double>(past_ns);
  if (past_ns <= 0) return;
  // A process that was stopped for long is looked at as before a moment later.
  const double part = std::min(1.0, memory_ns / ns);
  const double kept = std::exp(-part * ns / memory_ns);
  load_cpu_ns_ = load_cpu_ns_ * kept + part * static_cast<double>(past_cpu_ns);
  load_ns_ = load_ns_ * kept + part * ns;
}

double Pacer::RateNow(int64_t program_cpu_ns) {
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
  const double rate = unit_budget_->TicksPerCpuNs(static_cast<double>(cpu_ns), unit_ticks_);
  // A program on several processors uses more CPU time in a tick, and in less time.
  const double most = kMaxOpenShare / (static_cast<double>(open_ns_) * std::max(1.0, load()));
  return std::min(rate, most);
}

TickSpan Pacer::For(int64_t busy_ns) const {
  if (!budget_ || !settles_) return {.ns = busy_ns};
  return {.ns = busy_ns, .cpu_ns = busy_ns, .most_ns = std::max(busy_ns, kMaxOpenNs)};
}

TickPace Pacer::Next(int64_t now_ns, int64_t program_cpu_ns) {
  if (!is_paced_) {
    const auto armed_ns = static_cast<int64_t>(static_cast<double>(tick_ns_) * kMaxArmedShare);
    share_ = {.period_ns = tick_ns_, .open = {.ns = armed_ns}};
    return {.closed_ns = tick_ns_ - armed_ns, .open = share_.open};
  }
  if (budget_) return NextInCpuTime(now_ns, program_cpu_ns);
  share_ = {.period_ns = open_ns_, .open = For(open_ns_)};
  if (fixed_rate_ == 0) return {.closed_ns = 0, .open = share_.open};
  // What the thread has overslept does not count: the process may have been stopped for hours.
  const auto closed_ns = static_cast<int64_t>(std::max(0.0, places_.Left() / fixed_rate_));
  const TickSpan settle = closed_ns > 0 && settles_ ? For(kSettleNs) : For(0);
  places_.Pass(static_cast<double>(closed_ns + settle.ns + open_ns_) * fixed_rate_);
  places_.Take();
  share_.period_ns = static_cast<int64_t>(1 / fixed_rate_);
  return {.closed_ns = closed_ns, .settle = settle, .open = share_.open};
}

TickPace Pacer::NextInCpuTime(int64_t now_ns, int64_t program_cpu_ns) {
  if (seen_.now_ns == 0) seen_ = {now_ns, program_cpu_ns};
  const int64_t past_ns = now_ns - seen_.now_ns;
  const auto past_cpu_ns = static_cast<double>(program_cpu_ns - seen_.program_cpu_ns);
  SeeLoad(past_ns, program_cpu_ns - seen_.program_cpu_ns);
  seen_ = {now_ns, program_cpu_ns};
  // What a process that is idle has overslept does not count: it may have been stopped for hours.
  const double passed =
      std::max(past_cpu_ns * rate_, static_cast<double>(std::min(past_ns, planned_ns_)) /
                                        static_cast<double>(longest_ns_));
  places_.Pass(passed);
  const double left = places_.Left();
  rate_ = RateNow(program_cpu_ns);
  longest_ns_ = unit_ticks_ == 0 ? kMaxFirstPeriodNs : kMaxPeriodNs;
  const double due_cpu_ns = std::min(left / rate_, static_cast<double>(kLookCpuNs));
  const double due_ns = left * static_cast<double>(longest_ns_);
  if (std::min(due_cpu_ns, due_ns) > kSoonNs) {
    planned_ns_ = static_cast<int64_t>(due_ns);
    return {.closed_ns = planned_ns_, .closed_cpu_ns = static_cast<int64_t>(due_cpu_ns)};
  }
  places_.Take();
  ++ticks_;
  share_ = {.period_cpu_ns = static_cast<int64_t>(passed > 0 ? past_cpu_ns / passed : 1 / rate_),
            .open = For(open_ns_)};
  const TickSpan settle = settles_ ? For(kSettleNs) : For(0);
  planned_ns_ = std::max(settle.ns, settle.most_ns) + std::max(open_ns_, share_.open.most_ns);
  return {.closed_ns = 0, .settle = settle, .open = share_.open};
}

int64_t Pacer::Share::PeriodNs(int64_t open_ns, int64_t open_cpu_ns) const {
  const auto length_ns = static_cast<double>(open_ns);
  if (period_cpu_ns == 0) {
    const double planned_ns = static_cast<double>(std::max<int64_t>(1, open.ns));
    return static_cast<int64_t>(static_cast<double>(period_ns) *
                                std::min(1.0, length_ns / planned_ns));
  }
  const auto cpu_ns = static_cast<double>(std::max<int64_t>({1, open_cpu_ns, open.cpu_ns}));
  return static_cast<int64_t>(static_cast<double>(period_cpu_ns) * length_ns / cpu_ns);
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
