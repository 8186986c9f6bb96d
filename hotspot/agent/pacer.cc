#include "hotspot/agent/pacer.h"

#include <algorithm>
#include <utility>

namespace yp::hotspot {
namespace {

// A program that is idle all but now and then is still looked at.
constexpr int64_t kMaxClosedNs = 10'000'000'000;

// A short program has something, too.
constexpr int64_t kFirstClosedNs = 20'000'000;

bool IsCountdown(const AgentOptions& options) {
  return options.policy.kind == PolicyOptions::Kind::kCountdown;
}

// Whether how often ticks come is for the pacer to say.
bool IsPaced(const AgentOptions& options, bool at_entries) {
  const bool may_be = at_entries || IsCountdown(options);
  return may_be && (options.budget > 0 || options.open_share < 1);
}

bool HasTicks(const AgentOptions& options, bool at_entries) {
  if (options.probe == AgentOptions::Probe::kNone) return false;
  // Every call counts there, until there have been enough.
  if (CountsCalls(options.mode) || options.mode == AgentOptions::Mode::kPatching) {
    return false;
  }
  return IsPaced(options, at_entries) || !IsCountdown(options);
}

}  // namespace

Pacer::Pacer(const AgentOptions& options, bool at_entries, uint64_t seed)
    : tick_ns_(options.tick_ns),
      is_paced_(at_entries || IsCountdown(options)),
      has_ticks_(HasTicks(options, at_entries)),
      open_share_(options.open_share),
      random_(seed) {
  open_ns_ = options.open_ns != 0    ? options.open_ns
             : !IsCountdown(options) ? kOpenForWindowsNs
             : at_entries            ? kOpenNs
                                     : kOpenInClassesNs;
  if (!is_paced_ || !has_ticks_) return;
  if (options.budget > 0) {
    budget_.emplace(options.budget);
    open_share_.store(budget_->share(), std::memory_order_relaxed);
  } else if (!IsCountdown(options)) {
    open_share_.store(std::min(1.0, static_cast<double>(open_ns_) / static_cast<double>(tick_ns_)),
                      std::memory_order_relaxed);
  }
}

// A countdown's ticks; those of windows end when these are complete.
int64_t Pacer::OpenNs() const {
  const bool is_start = budget_ && elapsed_ns_ < kStartNs && open_ns_ == kOpenNs;
  return is_start ? kOpenAtStartNs : open_ns_;
}

TickThread::Pace Pacer::Next() {
  if (!is_paced_) {
    const auto armed_ns = static_cast<int64_t>(static_cast<double>(tick_ns_) * kMaxArmedShare);
    period_ns_ = tick_ns_;
    told_open_ns_ = armed_ns;
    return {.closed_ns = tick_ns_ - armed_ns, .open_ns = armed_ns};
  }
  const TickThread::Pace pace = Paced();
  told_open_ns_ = pace.open_ns;
  elapsed_ns_ += pace.closed_ns + pace.open_ns;
  return pace;
}

TickThread::Pace Pacer::Paced() {
  const int64_t open_ns = OpenNs();
  if (budget_ && std::exchange(is_first_, false)) {
    period_ns_ = kFirstClosedNs + open_ns;
    return {.closed_ns = kFirstClosedNs, .open_ns = open_ns};
  }
  const double share = open_share_.load(std::memory_order_relaxed);
  if (share >= 1) {
    rest_ns_ = 0;
    period_ns_ = open_ns;
    return {.closed_ns = 0, .open_ns = open_ns};
  }
  const double mean_closed_ns = static_cast<double>(open_ns) * (1 / share - 1);
  period_ns_ = open_ns + static_cast<int64_t>(mean_closed_ns);
  const double before_ns = mean_closed_ns * random_.UniformOpenClosed();
  const double closed_ns = std::exchange(rest_ns_, mean_closed_ns - before_ns) + before_ns;
  return {.closed_ns = std::clamp(static_cast<int64_t>(closed_ns), int64_t{1}, kMaxClosedNs),
          .open_ns = open_ns};
}

void Pacer::Spent(const OverheadBudget::Spent& spent) {
  if (budget_) open_share_.store(budget_->Update(spent), std::memory_order_relaxed);
}

bool ProfilePace::IsDue(int64_t now_ns, int64_t program_cpu_ns, size_t methods) const {
  if (now_ns < due_ns_) return false;
  if (budget_ <= 0) return true;
  const int64_t cost_ns = spent_ns_ + static_cast<int64_t>(methods) * kMethodNs;
  return static_cast<double>(cost_ns) <= kShare * budget_ * static_cast<double>(program_cpu_ns);
}

void ProfilePace::WereRead(int64_t now_ns, int64_t cost_ns) {
  due_ns_ = 4 * now_ns;
  spent_ns_ += cost_ns;
}

}  // namespace yp::hotspot
