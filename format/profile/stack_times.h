#ifndef YP_FORMAT_PROFILE_STACK_TIMES_H_
#define YP_FORMAT_PROFILE_STACK_TIMES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/graph/cct.h"
#include "format/spool/records.h"

namespace yp {

// A run is told by equal parts, so that what is kept of each is bounded: at most kMaxParts of them,
// each 10 ms times a power of two long. Of a run without length: 10 ms.
inline constexpr int64_t kMaxParts = 64;
int64_t PartNs(int64_t duration_ns);

// Threads that are told apart: each by itself where there are few; else those whose names differ in
// numbers only together ("pool-#-thread-#"), and of these the busiest; the rest is one group.
inline constexpr size_t kMaxThreadGroups = 32;
struct ThreadGrouping {
  std::vector<std::string> names;                // Of the groups.
  std::unordered_map<ThreadId, uint32_t> group;  // Of each thread that has work.
};
// `work`: of each thread that has any, in any unit. A thread without a name is "thread 7".
ThreadGrouping GroupThreads(const std::vector<spool::ThreadDefinition>& threads,
                            const std::map<ThreadId, double>& work);

// The samples of a profile's stacks by part of the run and group of threads.
struct StackTimes {
  struct Samples {
    uint32_t part = 0;
    uint32_t group = 0;   // Of `threads`.
    ContextId context{};  // Of the contexts that have code, where these were recorded.
    uint64_t samples = 0;
    auto operator<=>(const Samples&) const = default;
  };
  int64_t part_ns = 0;  // 0: nothing is known.
  ThreadGrouping threads;
  std::vector<Samples> samples;  // Ascending, each place once.
};

// Collects them in the order in which they come, in as little room as StackTimes takes.
class StackTimesBuilder {
 public:
  void Take(int64_t time_ns, ThreadId thread, ContextId context, uint64_t samples);
  // Of a run of that length; forgets them. Of several contexts that `context_of` makes one, or
  // threads that `thread_of` does, the samples are added up.
  template <typename F, typename G>
  StackTimes Finish(int64_t duration_ns, const std::vector<spool::ThreadDefinition>& threads,
                    F context_of, G thread_of) {
    Coarsen(PartNs(duration_ns));
    std::map<Place, uint64_t> sums;
    for (const auto& [place, samples] : sums_) {
      const auto& [part, thread, context] = place;
      sums[{part, thread_of(thread), context_of(context)}] += samples;
    }
    sums_ = std::move(sums);
    return Build(threads);
  }

 private:
  using Place = std::tuple<int64_t, ThreadId, ContextId>;  // Part, thread, context.
  void Coarsen(int64_t part_ns);
  StackTimes Build(const std::vector<spool::ThreadDefinition>& threads);

  int64_t part_ns_ = PartNs(0);
  std::map<Place, uint64_t> sums_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_STACK_TIMES_H_
