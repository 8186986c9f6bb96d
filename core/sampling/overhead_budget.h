#ifndef YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_
#define YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_

#include <cstdint>

namespace yp {

// Keeps what a profiler costs below a share b of the program's CPU time, by how often it opens
// ticks, in which calls are observed.
//
// What may have been spent after t of the program's CPU time:
//
//   allowed(t) = b min(2 t, 2 B + (t - B) (P - 2 B) / (P - B))   until P, then b t
//
// with B = kBorrowedNs and P = kPaidBackNs: 2 b in the first second, as a short program deserves
// samples; what that borrows is paid back evenly until P; from then on the whole run has no more
// than b.
//
// How often ticks come follows from what one costs, c, and what the profiler costs anyway, f, as a
// share; what is done at the end is owed from the start on:
//
//   left(t)   = allowed(t) - spent - owed - R
//   lambda(t) = (allowed'(t) - f) / c * clamp(1 + left(t) / (b H), 1/4, 3)    per ns of CPU time
//
// The first factor spends what comes in, the second what is left, or missing, within some H of CPU
// time: a quarter of the run so far, so that the share of what is not used is small at any time,
// but at least four ticks (the feedback comes a tick late, and must not overshoot) and 10 s at
// most. R is set aside: two ticks, as one more may have been taken than was expected, and
// a small part of what is allowed, for dear phases of a long run.
//
// The rate never falls to nothing when something is missing: a moment that is not observed by
// chance is estimated, one that cannot be observed is not, and the variance has the mean of 1 /
// lambda in it. Only as long as more than kPoorNs of the budget is missing it is 0.
//
// c is the mean of the ticks so far, and later of the last kMemoryTicks or so. It follows the
// program slowly on purpose: a rate that is high after cheap ticks and low after dear ones sees
// little of the phases in which much is called. One tick that costs very much is a matter for what
// is left, and hardly one for c, and so is the first, which finds all that has been compiled.
// Ticks whose cost is not told yet count as c. f comes from the rounds in which no tick ended; what
// is done now and then, as reading profiles, counts as part of the budget at most there.
class OverheadBudget {
 public:
  // What was spent since the beginning.
  struct Spent {
    int64_t program_cpu_ns = 0;  // By the process, the profiler included.
    int64_t cost_ns = 0;         // By the profiler, on whatever.
    // What will have to be spent at the end, were it now; of this alone the latest value counts.
    int64_t owed_cpu_ns = 0;
    uint64_t ticks = 0;  // Those whose cost is in cost_ns.
  };
  static constexpr double kBorrowedNs = 1e9;
  static constexpr double kPaidBackNs = 5e9;
  static constexpr double kPoorNs = 5e9;
  // c before there is any tick, unless told otherwise, counted as so many.
  static constexpr double kFirstTickNs = 2e6;
  static constexpr double kFirstTicks = 1;
  static constexpr double kMemoryTicks = 8;

  // `budget`: as a share, 0.005 for half a percent; above 0. `first_tick_ns`: above 0.
  explicit OverheadBudget(double budget, double first_tick_ns = kFirstTickNs)
      : budget_(budget), tick_ns_(first_tick_ns) {}

  // What a tick is expected to cost, above 0: of use as long as none is told.
  void ExpectTicksOf(double tick_ns);
  // `spent` never falls from one call to the next, but for what is owed.
  void Update(const Spent& spent);
  // How many ticks are to come per ns of the program's CPU time after so much of it, when so many
  // have begun; 0 when nothing is left.
  double TicksPerCpuNs(double program_cpu_ns, uint64_t ticks_begun) const;
  // c and f.
  double tick_cost_ns() const { return tick_ns_; }
  double background() const { return background_cost_ns_ / background_cpu_ns_; }
  // What may have been spent after so much of the program's CPU time, in ns.
  double AllowedNs(double program_cpu_ns) const;
  // The same of what is only spent when the program ends, so that nothing will have to be paid
  // back: 2 b t before P, b t from then on.
  double AllowedAtEndNs(double program_cpu_ns) const;

 private:
  double LeftNs(double program_cpu_ns, uint64_t ticks_begun) const;
  void LearnBackground(double cpu_ns, double cost_ns);
  void LearnTicks(double ticks, double cost_ns);

  double budget_;
  Spent told_;
  double tick_ns_;
  double ticks_ = kFirstTicks;  // As many as tick_ns_ is the mean of.
  // Decaying sums.
  double background_cpu_ns_ = 1e9, background_cost_ns_ = 0;
  double forgiven_ns_ = 0;  // Negative: what was not used and will not be.
};

}  // namespace yp

#endif  // YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_
