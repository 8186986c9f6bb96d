#ifndef YP_FORMAT_PROFILE_PERIODS_OF_CODE_H_
#define YP_FORMAT_PROFILE_PERIODS_OF_CODE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "format/profile/jit_profile.h"
#include "format/spool/records.h"

namespace yp {

// Makes the periods of a profile from the records of a spool, in their order.
//
// The agent's drain tells in rounds: the stacks and ticks since the round before, then the time by
// which they were taken, and the calls. A round belongs to one period as a whole, by its end, so
// that stacks, calls, and the time in which these were sampled are of the same part of the run,
// however late a busy machine lets the drain run.
class PeriodsOfCode {
 public:
  void Take(const spool::Tick& tick);
  // `time_ns`: of the first of them, or of their round.
  void Take(int64_t time_ns, const CodePeriod::Samples& stacks);
  void Take(int64_t time_ns, const CodePeriod::Counted& counted);
  // `end_ns`: of their round, which has been told. Not of a period in which none were sampled.
  void Take(int64_t end_ns, const CodePeriod::Calls& calls);
  // `open_ns`: how long calls were sampled in the round.
  void EndRound(int64_t end_ns, int64_t open_ns);

  // By time. `stack_ns`: CPU time from one stack to the next; 0 where it is not known.
  std::vector<CodePeriod> Finish(double stack_ns);

 private:
  struct Period {
    CodePeriod code;
    double open_ns = 0;
    double open_cpu_ns = 0;  // Of the program's threads, by the ticks.
  };
  struct Stacks {
    int64_t time_ns = 0;
    CodePeriod::Samples samples;
  };

  Period& At(int64_t time_ns);
  void Share(const spool::Tick& tick, int64_t end_ns);

  std::map<int64_t, Period> periods_;  // By their number.
  bool has_ticks_ = false;
  int64_t end_ns_ = 0;  // Of the latest round.
  // Of the round that has not ended.
  std::vector<Stacks> stacks_;
  std::vector<spool::Tick> ticks_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_PERIODS_OF_CODE_H_
