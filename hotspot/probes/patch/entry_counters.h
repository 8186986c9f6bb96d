#ifndef YP_HOTSPOT_PROBES_PATCH_ENTRY_COUNTERS_H_
#define YP_HOTSPOT_PROBES_PATCH_ENTRY_COUNTERS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hotspot/probes/probe.h"

namespace yp::hotspot {

// Whose entries are counted between ticks, and what was counted. A tick sees few calls of code that
// is seldom entered, and one of them may run a loop of thousands of inlined calls: how often that
// code was entered is then known from one sample or none. To count the entries of code that loops,
// all of them, costs less than a tick. What is entered often is left to the ticks, which have many
// samples of it.
//
// A *gap* is the time from one tick to the next. An entry that is counted in a gap has a quota of
// calls. When it is used up the entry is granted more, as long as it has cost no more than
// kMostEntryNs in this gap, and all entries together no more than a pool, to which each gap adds
// kGapNs. Otherwise it is not counted for the rest of the gap. It is tried again after a number of
// gaps, which doubles each time, and halves with each gap in which all was counted.
//
// Whether an entry is counted in a gap is decided from what came before the tick that the gap
// follows: that tick's samples, which stand for the calls of the gap where they are not counted,
// must not decide it.
//
// Which entries these are is the caller's: it numbers them, and has their counters.
class EntryCounters {
 public:
  // In ns of the program's CPU time: a third of what a tick costs, where so much is called, and
  // what was not used of it is kept for bursts.
  static constexpr double kGapNs = 200'000, kMostPoolNs = 1'000'000, kMostEntryNs = 100'000;
  static constexpr int64_t kFirstCalls = 64;
  static constexpr uint32_t kLeastAgainGaps = 2, kMostAgainGaps = 32;

  // What is known of one entry. Zeros are one of which nothing is.
  struct Entry {
    std::atomic<int64_t> granted;  // In this gap.
    uint64_t run_calls;            // In the gaps from run_first to run_end, of which it is told.
    uint32_t run_first, run_end;
    uint32_t again_at;  // Not counted before this gap of the recording.
    uint32_t again_gaps;
    bool was_called;  // In a gap in which it was counted.
    bool has_run;
    uint32_t skipped_end;  // Behind the latest gap in which it was left out; 0: none since told.

    void Clear();
  };
  // As CountedEntries::Count.
  struct Counted {
    uint32_t number = 0;  // Of the entry.
    uint32_t first_gap = 0, end_gap = 0;
    int64_t part_ns = 0;
    uint64_t calls = 0;
  };
  // As CountedEntries::Use.
  struct Used {
    uint32_t number = 0;
    uint32_t end_gap = 0;
  };
  struct Told {
    std::vector<CountedEntries::Gap> gaps;
    std::vector<Counted> counts;
    std::vector<Used> uses;
  };

  // A recording begins, of which nothing is known.
  void Clear();
  // Before a tick: whether the entry is to be counted in the gap after it.
  bool Wants(const Entry& entry) const { return gap_ >= entry.again_at; }
  // The tick has ended.
  void BeginGap(int64_t now_ns);
  // The entry is counted in the gap that has begun: its quota.
  int64_t Begin(Entry* entry);
  // The entry is in use in the gap that has begun, and not counted.
  void Skip(uint32_t number, Entry* entry);
  // Its quota is used up: how much more it has; 0 when it is not counted any more. From any thread;
  // one at a time for each entry.
  int64_t Grant(Entry* entry);
  // The gap ends. Then End for each entry that was counted in it.
  void EndGap(int64_t now_ns);
  // `left`: of what was granted. `used_up_ns`: when all of it was used up, and no more granted.
  void End(uint32_t number, int64_t left, std::optional<int64_t> used_up_ns, Entry* entry);
  // What was counted in gaps that have ended, since the last time. `entry_of` finds an entry by its
  // number.
  template <typename EntryOf>
  Told Take(EntryOf entry_of) {
    for (const uint32_t number : running_) Close(number, entry_of(number));
    running_.clear();
    std::vector<Used> uses;
    for (const uint32_t number : std::exchange(skipped_, {})) {
      uses.push_back({number, std::exchange(entry_of(number)->skipped_end, 0)});
    }
    return {std::exchange(gaps_, {}), std::exchange(counts_, {}), std::move(uses)};
  }
  // What counting has taken, told or not.
  double cost_ns() const { return cost_ns_; }
  // Of so many calls of an entry in one gap: the first ones find neither the trampoline nor the
  // counter in the caches, as a rule.
  static double CostNs(int64_t calls) {
    return kCallNs * static_cast<double>(calls) +
           kColdCallNs * static_cast<double>(std::min(calls, kColdCalls));
  }

 private:
  static constexpr double kCallNs = 4, kColdCallNs = 20;
  static constexpr int64_t kColdCalls = 500;

  void PutOff(Entry* entry);
  void Close(uint32_t number, Entry* entry, int64_t part_ns = 0);

  std::vector<CountedEntries::Gap> gaps_;  // The latest may not have ended.
  std::vector<Counted> counts_;
  std::vector<uint32_t> running_;  // Entries with a run.
  std::vector<uint32_t> skipped_;  // Entries with a skipped_end.
  uint32_t gap_ = 0;               // How many have begun in the recording.
  std::atomic<int64_t> pool_ns_{0};
  double cost_ns_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PATCH_ENTRY_COUNTERS_H_
