#ifndef YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_
#define YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_

#include <cstdint>

namespace yp {

// Keeps what a profiler costs below a share of the program's CPU time, by how much of the time
// calls are observed.
//
// What may have been spent after t of the program's CPU time, with the budget b as a share:
//
//   allowed(t) = b t (1 + max(0, 1 - t / kBorrowNs))
//
// A short program deserves samples, so that the first moments have 2 b; after kBorrowNs the whole
// run has no more than b.
//
// What observing costs is proportional to the share s of the time in which it is done: with u the
// cost of one second of the program's CPU time that is observed all along, as a share, and D what
// was spent beyond what is allowed, in whatever way, or will have to be spent at the end,
//
//   u s = allowed'(t) - D / T
//
// pays the debt back within some T of the program's CPU time, which is as long as the program has
// run, and 1 to 10 s. All else that the profiler does is only in D: it may be done now and then, as
// reading profiles, and is paid for evenly afterwards; a cost of f that lasts leaves a debt of f T
// behind, once. A debt of more than budget * 10 s, in which nothing would be observed, is not
// remembered, and of what was not used that of two seconds only.
//
// u is learnt slowly, from the last second that was observed (20 ticks): a share that follows the
// program's phases sees little of those in which much is called. Only when the latest ticks cost
// several times that, it follows them. The share moves towards its goal by at most a factor of
// kMaxStep in a round, as one round may have seen little. When there is nothing left, the share is
// the smallest, not zero: a profile of a few samples tells more than none, and its cost stands in
// the profile.
class OverheadBudget {
 public:
  // What was spent since the beginning.
  struct Spent {
    int64_t program_cpu_ns = 0;    // By the process, the profiler included.
    int64_t observing_cpu_ns = 0;  // For observing: calls counted down, slow paths, opening and
                                   // closing.
    int64_t fixed_cpu_ns = 0;      // For all else: the profiler's own threads.
    // What will have to be spent at the end, were it now; of this alone the latest value counts.
    int64_t owed_cpu_ns = 0;
  };
  static constexpr double kMinShare = 0.003;
  static constexpr double kBorrowNs = 5e9;
  static constexpr double kMaxStep = 2.0;
  static constexpr double kFirstShare = 0.2;
  // A program that starts calls little, which costs little to observe; a few moments later it calls
  // much, and what was spent on its start is missing.
  static constexpr double kStartNs = 2e9;
  static constexpr double kMostAtStart = 0.3;

  // `budget`: as a share, 0.005 for half a percent; above 0.
  explicit OverheadBudget(double budget) : budget_(budget) {}

  // The share to go on with, in [kMinShare, 1]. `spent` never falls from one call to the next, but
  // for what is owed.
  double Update(const Spent& spent);
  double share() const { return share_; }
  // What may have been spent after so much of the program's CPU time, in ns.
  double AllowedNs(double program_cpu_ns) const;

 private:
  const double budget_;
  double share_ = kFirstShare;
  Spent told_;
  // Decaying sums: the program's CPU time that was observed, and what that cost.
  struct Observed {
    double cpu_ns = 0, cost_ns = 0;
    void Add(double cpu, double cost, double memory_ns);
    double UnitCost() const { return cost_ns / cpu_ns; }
  };
  Observed lasting_, latest_;
  double debt_ns_ = 0;
};

}  // namespace yp

#endif  // YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_
