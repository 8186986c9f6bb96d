#ifndef YP_FORMAT_PROFILE_ENTRY_COUNTS_H_
#define YP_FORMAT_PROFILE_ENTRY_COUNTS_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"
#include "format/profile/counted.h"
#include "format/profile/inferred.h"
#include "format/profile/profile.h"
#include "format/spool/records.h"

namespace yp {

// How often compilations were entered, where that was counted between ticks. The run is divided
// into the times u(k) from one tick's begin to the next, in CPU time, the first being what comes
// before any tick. In each of them there is a gap between ticks, in a part c(k) of which entries
// were counted, from its begin on:
//
//   counted(e)   = sum over k of counted(e,k) u(k) / gap(k)
//   uncounted(e) = counted(e) / (sum of c(k) u(k)) * sum of (1 - c(k)) u(k)
//
// the latter over the times in which the code was in use: from the first one in which its entries
// were counted to the last one in which it was seen. That many entries are expected there; how many
// there were, samples tell as well, as far as there are any. The steadier the rate was among the
// runs of gaps that were counted, the more samples is it worth: with n runs, and v the relative
// variance of their rates, (n + 1) / (n v + 1).
//
// A sample of tick k stands for the time to both sides, u(k-1) and u(k), for each as long as it is,
// as far as entries were not counted there: the trapezoidal rule. Samples to both sides matter:
// counting ends where the code has been called often, and begins again where it was not. With the
// samples of the tick before alone, bursts of calls are estimated up to 20 % too low in a
// simulation.
//
// Whether entries are counted after a tick is decided before the tick
// (hotspot/probes/patch/entry_counters.h): by its own samples it would be decided that what has
// many is sampled, and what has few is counted.
class EntryCountsBuilder {
 public:
  void Take(const spool::EntryCounts& record);
  // Tells `evidence` of them: entry_counts, and what parts of the calls' samples stand for. Ticks
  // and windows are the profile's, which are as they were told.
  void Finish(const Profile& profile, const std::vector<SampledRound>& rounds,
              InlineEvidence* evidence) const;

 private:
  struct Run {
    size_t first_gap = 0, end_gap = 0;  // Of gaps_.
    double part_ns = 0;                 // Of the gap end_gap.
    double calls = 0;
  };
  std::vector<spool::EntryCounts::Gap> gaps_;
  std::map<CompilationId, std::vector<Run>> runs_;
  std::map<CompilationId, size_t> ends_;  // Of use: behind the latest gap of gaps_.
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_ENTRY_COUNTS_H_
