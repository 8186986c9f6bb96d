#ifndef YP_RECORDER_PACER_H_
#define YP_RECORDER_PACER_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/random.h"
#include "core/options/recording_options.h"
#include "core/sampling/overhead_budget.h"
#include "core/sampling/tick_places.h"
#include "recorder/triggers/tick_thread.h"

namespace yp {

// How often ticks come, and how long they last.
//
// Windows with the bytecode probe: one tick in each tick_ns, which lasts until all windows are
// complete, and kMaxArmedShare of it at most. At compiled entries, and where calls are counted
// down: ticks of some milliseconds, so often as the budget asks for, or the options, and at random
// places (core/sampling/tick_places.h), so that no phases of the program are in step with them, and
// yet long phases have their part.
//
// With a budget all of it is in the process's CPU time: when a tick comes, for how long it settles,
// and for how long calls count in it. So a program that calls in short bursts, and waits in
// between, has ticks in its bursts, in proportion to the CPU time that they take. The rate is
// worked out anew with each tick and kLookCpuNs, from how much CPU time the program has used until
// now, and from what ticks have cost that began before S came to its present unit.
class Pacer {
 public:
  // Of a tick with the bytecode probe: the program is armed for no longer.
  static constexpr double kMaxArmedShare = 0.2;
  // A tick at compiled entries. How much the rates of calls of two ticks differ depends little on
  // their length, so that many short ones tell more of all calls than few long ones; but opening
  // and closing one costs 0.3 to 0.5 ms in a program with 4,000 compilations, however short it is,
  // and one in which few calls are sampled tells little of what was inlined in them. With half a
  // percent of ten iterations there were 16, 8 and 20 ticks of 8 ms in ecj, fop and antlr4, 7 to 15
  // of 20 ms and 25, 12 and 28 of 4 ms. Of sunflow, with hundreds of ticks, 82 % of the intervals
  // of numbers held with 8 ms, and 57 to 61 with 4. (2026-11, JDK 17, 2-core x86-64 virtual
  // machine; the agent's option open_ns.)
  static constexpr int64_t kOpenNs = 8'000'000;
  // With a budget, where calls are counted down in a program that waits: until it has used kOpenNs
  // of CPU time, and for so long at most. Waiting costs nothing, and a tick in which hardly
  // anything is called tells as little. (8 threads that pause 5 ms after each request, 10 s: 0.89
  // to 1.04 of the calls where ticks of 4 ms told 0.48 to 1.02; 6 runs each, 2026-11,
  // cli/integration/testdata/Bursty.java.)
  static constexpr int64_t kMaxOpenNs = 100'000'000;
  static constexpr int64_t kOpenForWindowsNs = 5'000'000;
  // The same of a countdown in rewritten classes, where opening and closing costs nothing.
  static constexpr int64_t kOpenInClassesNs = 5'000'000;
  // What such a tick costs, before there was one (2026-11, cli/integration/testdata/Bursty.java).
  static constexpr double kTickInClassesNs = 400'000;
  // What is called in a tick where calls are counted down counts when it has been open for so long,
  // or longer in a program that waits: until it has used so much CPU time. Code that has just been
  // patched runs cold. Of 400 to 1,800 ticks of 21 ms the first of 4 ms,
  // after one to settle, had 0.93 (checkstyle), 0.88 (antlr4), 0.99 (tomcat) and 1.01 (fop) of the
  // calls per CPU time of the last 8 ms, +-0.01 to 0.05, and all later ones 0.99 in the mean (100
  // iterations on JDK 17, 2-core x86-64 virtual machine with other work on it, 2026-11).
  static constexpr int64_t kSettleNs = 5'000'000;
  // With a budget, of the time, however cheap it is.
  static constexpr double kMaxOpenShare = 0.3;
  // A program that is idle all but now and then is still looked at: one tick in so much time, and
  // where nothing is left of the budget. A profile of a few samples tells more than none, and its
  // cost stands in it.
  static constexpr int64_t kMaxPeriodNs = 10'000'000'000;
  // The same of the first tick with a budget, whatever it costs: a program of a tenth of a second
  // has one.
  static constexpr int64_t kMaxFirstPeriodNs = 40'000'000;
  // Between two looks at the rate, with a budget. Waking up to look takes 60 to 150 us of CPU time
  // (2026-11, h2 and fop on a 2-core x86-64 virtual machine with other work on it).
  static constexpr int64_t kLookCpuNs = 1'000'000'000;
  static constexpr int64_t kLoadMemoryNs = 1'000'000'000;

  // `seed` for the ticks' places.
  Pacer(const RecordingOptions& options, bool at_entries, uint64_t seed);

  bool has_ticks() const { return has_ticks_; }
  bool has_budget() const { return budget_.has_value(); }
  // What the trigger's thread, which is the one to ask, is to do next. `now_ns`: of the clock;
  // `program_cpu_ns`: of the process, since the recording's start.
  TickPace Next(int64_t now_ns, int64_t program_cpu_ns);
  // What the tick stands for that Next has told of.
  struct Share {
    int64_t period_ns = 0;      // Time: 1 / lambda. With a budget 0, and
    int64_t period_cpu_ns = 0;  // the process's CPU time, likewise.
    TickSpan open;

    // As time, at the rate of the tick, which was open for so long, while the process used so much
    // CPU time. One that ended early, as the recording did, was no less likely to have a moment
    // than the others.
    int64_t PeriodNs(int64_t open_ns, int64_t open_cpu_ns) const;
  };
  // From the trigger's thread.
  const Share& share() const { return share_; }
  // What a tick will cost, as far as the probe can tell before the first. From any thread.
  void ExpectTicksOf(double tick_ns);
  // From the drain's thread, with each of its rounds. Nothing without a budget.
  void Spent(const OverheadBudget::Spent& spent);
  // From any thread: from now on the budget is this share, above 0, of what the program uses from
  // now on. What was left of the earlier one, or missing, is forgotten. Nothing without a budget.
  void ChangeBudget(double budget);
  // What is left for what has to be done at the end, where that is now; negative when too much was
  // spent. Without a budget as much as one likes.
  double LeftAtEndNs(const OverheadBudget::Spent& spent) const;

 private:
  TickPace NextInCpuTime(int64_t now_ns, int64_t program_cpu_ns);
  TickSpan For(int64_t busy_ns) const;
  // Ticks per ns of CPU time.
  double RateNow(int64_t program_cpu_ns);
  // Since the budget began.
  OverheadBudget::Spent SinceBegin(const OverheadBudget::Spent& spent) const;
  // On how many processors the program runs.
  double load() const { return load_cpu_ns_ / load_ns_; }
  void SeeLoad(int64_t past_ns, int64_t past_cpu_ns);

  const int64_t tick_ns_;
  const bool is_paced_;
  const bool has_ticks_;
  int64_t open_ns_ = 0;
  bool settles_ = false;
  double fixed_rate_ = 0;  // Without a budget; 0: always open.

  mutable std::mutex mutex_;
  std::optional<OverheadBudget> budget_;  // Guarded by mutex_ once there are two threads.
  OverheadBudget::Spent told_;            // The latest; guarded likewise.
  OverheadBudget::Spent begin_;           // What was spent when budget_ began; likewise.
  bool is_changed_ = false;               // Since unit_budget_ was taken; likewise.
  // As it was when S came to this unit.
  std::optional<OverheadBudget> unit_budget_;
  double unit_ = -1;
  uint64_t unit_ticks_ = 0;        // That had begun then, of those that the budget knows of.
  int64_t unit_begin_cpu_ns_ = 0;  // When the budget began.
  uint64_t ticks_ = 0;             // That were told.
  // Since the latest look: ticks per ns of CPU time, but one in so much time at least.
  double rate_ = 0;
  int64_t longest_ns_ = kMaxFirstPeriodNs;
  int64_t planned_ns_ = 0;  // Time until the next look, at most.

  struct {
    int64_t now_ns = 0, program_cpu_ns = 0;
  } seen_;
  // Decaying sums: CPU time, and the time in which it was used.
  double load_cpu_ns_, load_ns_;

  Share share_;
  Xoshiro256 random_;
  TickPlaces places_;
};

}  // namespace yp

#endif  // YP_RECORDER_PACER_H_
