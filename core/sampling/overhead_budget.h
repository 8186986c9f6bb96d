#ifndef YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_
#define YP_CORE_SAMPLING_OVERHEAD_BUDGET_H_

#include <cstdint>

namespace yp {

// Keeps what a profiler costs below a share of the program's CPU time, by how much of the time
// calls are observed.
//
// What observing costs is proportional to the share s of the time in which it is done: with u the
// cost of one second of the program's CPU time that is observed all along, as a share, and D what
// was spent beyond the budget so far, in whatever way,
//
//   u s = budget - D / T
//
// pays the debt back within some T = 10 s of the program's CPU time. All else that the profiler
// does is only in D: it may be done now and then, as reading profiles, and is paid for evenly
// afterwards; a cost of f that lasts leaves a debt of f T behind, once. A debt of more than
// budget * T, in which nothing would be observed, is not remembered, and of what was not used that
// of two seconds only.
//
// u is learnt slowly, from the last second that was observed (20 ticks): a share that follows the
// program's phases sees little of those in which much is called. Only when the latest ticks cost
// several times that, it follows them. The share moves towards its goal by at most a factor of
// kMaxStep in a round, as one round may have seen little. What a profiler does once, when a program
// starts, is not held against the rest of a short run: the first kStartUpNs of its fixed cost are
// free. When there is nothing left, the share is the smallest, not zero: a profile of a few samples
// tells more than none, and its cost stands in the profile.
class OverheadBudget {
 public:
  // What was spent since the beginning.
  struct Spent {
    int64_t program_cpu_ns = 0;    // By the process, the profiler included.
    int64_t observing_cpu_ns = 0;  // For observing: calls counted down, slow paths, opening and
                                   // closing.
    int64_t fixed_cpu_ns = 0;      // For all else: the profiler's own threads.
  };
  static constexpr double kMinShare = 0.01;
  static constexpr int64_t kStartUpNs = 30'000'000;
  static constexpr double kMaxStep = 2.0;
  static constexpr double kFirstShare = 0.1;

  // `budget`: as a share, 0.005 for half a percent; above 0.
  explicit OverheadBudget(double budget) : budget_(budget) {}

  // The share to go on with, in [kMinShare, 1]. `spent` never falls from one call to the next.
  double Update(const Spent& spent);
  double share() const { return share_; }

 private:
  const double budget_;
  double share_ = kFirstShare;
  Spent told_;
  int64_t start_up_left_ns_ = kStartUpNs;
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
