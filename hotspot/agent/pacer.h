#ifndef YP_HOTSPOT_AGENT_PACER_H_
#define YP_HOTSPOT_AGENT_PACER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/random.h"
#include "core/sampling/overhead_budget.h"
#include "hotspot/agent/options.h"
#include "hotspot/triggers/tick_thread.h"

namespace yp::hotspot {

// How often ticks come, and how long they last.
//
// Windows with the bytecode probe: one tick in each tick_ns, which lasts until all windows are
// complete, and kMaxArmedShare of it at most. At compiled entries, and where calls are counted
// down: ticks of a fixed length, so far apart as the budget asks for, or the options: one at a
// random place in each period, so that no phases of the program are in step with them, and yet long
// phases have their part.
class Pacer {
 public:
  // Of a tick with the bytecode probe: the program is armed for no longer.
  static constexpr double kMaxArmedShare = 0.2;
  // A tick at compiled entries. Long enough for what opening and closing it costs, up to a
  // millisecond, and for a thread's window; so short that the program's phases have some.
  static constexpr int64_t kOpenNs = 50'000'000;
  static constexpr int64_t kOpenForWindowsNs = 5'000'000;
  // At a recording's start: a program of a second has several, and few methods are compiled yet.
  static constexpr int64_t kOpenAtStartNs = 20'000'000;
  static constexpr int64_t kStartNs = 2'000'000'000;
  // The same of a countdown in rewritten classes, where opening and closing costs nothing.
  static constexpr int64_t kOpenInClassesNs = 5'000'000;

  // `seed` for the times between ticks.
  Pacer(const AgentOptions& options, bool at_entries, uint64_t seed);

  bool has_ticks() const { return has_ticks_; }
  bool has_budget() const { return budget_.has_value(); }
  // From the trigger's thread. With a budget the first tick comes at once.
  TickThread::Pace Next();
  // The time of which the tick that Next has told of is a random part. From the trigger's thread.
  int64_t period_ns() const { return period_ns_; }
  // How long that tick is to last. The same.
  int64_t open_ns() const { return told_open_ns_; }
  // From the drain's thread, with each of its rounds. Nothing without a budget.
  void Spent(const OverheadBudget::Spent& spent);

 private:
  const int64_t tick_ns_;
  const bool is_paced_;
  const bool has_ticks_;
  int64_t open_ns_ = 0;
  std::optional<OverheadBudget> budget_;
  std::atomic<double> open_share_;  // Of the time, at compiled entries.
  bool is_first_ = true;
  int64_t OpenNs() const;
  TickThread::Pace Paced();

  int64_t elapsed_ns_ = 0;  // Of the paces that were told.
  int64_t period_ns_ = 0;
  int64_t told_open_ns_ = 0;
  double rest_ns_ = 0;  // Of the latest tick's period, after it.
  Xoshiro256 random_;
};

// When to read the VM's method profiles. They are read at the end in any case; before that only in
// case the process is killed: first after kFirstNs, then after four times the time of the last
// reading, and so on, and with a budget not before kShare of it pays for all readings so far and
// one more.
class ProfilePace {
 public:
  static constexpr int64_t kFirstNs = 5'000'000'000;
  static constexpr double kShare = 0.2;
  // For one method, the first time (2026-11, 3,500 of ecj's methods, 2-core x86-64 virtual
  // machine).
  static constexpr int64_t kMethodNs = 15'000;

  // `budget`: as OverheadBudget's; 0 when there is none.
  explicit ProfilePace(double budget) : budget_(budget) {}

  // Times since the recording began: `now_ns` of the clock, `program_cpu_ns` of the process.
  // `methods`: how many there are to read.
  bool IsDue(int64_t now_ns, int64_t program_cpu_ns, size_t methods) const;
  void WereRead(int64_t now_ns, int64_t cost_ns);

 private:
  const double budget_;
  int64_t due_ns_ = kFirstNs;
  int64_t spent_ns_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_PACER_H_
