#ifndef YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_H_
#define YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "hotspot/arch/arch.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/probes/entry/entry_probes.h"
#include "hotspot/probes/patch/entry_counters.h"
#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"
#include "hotspot/vmstructs/code_cache.h"

namespace yp::hotspot {

// The probe on compiled code: the entries of compiled methods lead through trampolines that count
// calls down (Suganuma's code patching). Calls that the compilers have inlined, and those of
// interpreted methods, are not seen; those that are cost half a nanosecond or so, and nothing while
// the entries are as the VM made them.
//
// What is compiled is found in the code cache, not by the VM's events, which would have it look up
// and write down more for every method: what is new since the last look by the map of its blocks,
// which is a thousandth of it, and now and then by a walk over all of them.
//
// - An entry is written by one exchange of an aligned word, and taken back by one that succeeds
//   only while our word is there: what the VM writes meanwhile stays.
// - A trampoline belongs to one compilation for the process's life and is never reused, as a thread
//   may be in it for any length of time.
// - Entries are patched while a tick lasts. Patching or restoring one takes 10 to 30 ns.
// - Where it may (CountBySteps), an entry that is seldom called is led through a trampoline that
//   counts down several steps for each call, so that its calls are sampled so much more often: most
//   methods of a program are called too seldom to have a sample in each tick, and what they inline
//   is known from samples of their entries alone. The steps of a call are known before it is made,
//   so that it can be weighted by the inverse of its chance (core/sampling/countdown.h).
// - One object for the process; one recording at a time.
class PatchProbe final : public Probe, PatchHook {
 public:
  struct Statistics {
    uint64_t patched = 0;  // Compilations that have a trampoline.
    uint64_t refused = 0;  // Compilations whose entries are not as known.
    uint64_t overwritten =
        0;               // Entries that were the VM's own again when they were to be restored.
    uint64_t walks = 0;  // Over all compilations.
  };

  // `set_calls_left` sets the countdown of every thread, `handler` takes the calls; all must
  // outlive the process's threads.
  PatchProbe(const CodeCache& code_cache, int jdk_feature_version, Clock& clock,
             EntryHandler& handler, std::function<void(int64_t)> set_calls_left);

  void Configure(const AgentOptions& options) override;

  // From the next Install on: also in a JDK with which it was never tried.
  void Force(bool force) { force_ = force; }
  // From the next Install on: only compilations of the last level, methods that have become hot,
  // or all.
  void OnlyOptimized(bool only) { only_optimized_ = only; }
  // From the next Install on: a call may count down so many steps, a power of kMoreSteps; 1: each
  // counts down one.
  void CountBySteps(uint32_t most) { most_steps_ = most; }
  // So many samples or fewer in so many ticks: more steps. So many in one tick: fewer steps, at
  // once for the rest of it. Runs with few ticks have none of it, as they gain nothing: with 8
  // samples in 16 ticks, recordings of 20 to 70 ticks overlapped with the exact graph by 84, 89, 91
  // and 92 % (fop, jython, lusearch, numerics; medians of 6 or 7 pairs in turns), and by 86, 89, 91
  // and 91 % without steps, and had up to a tenth fewer ticks (2026-11, JDK 17, default budget,
  // 2-core x86-64 virtual machine).
  static constexpr uint32_t kFewSamples = 32, kTicksToChoose = 64, kMostSamplesInTick = 16;
  static constexpr uint32_t kMoreSteps = 8;
  // From the next Install on: whether entries of code that loops are counted between ticks.
  void CountBetweenTicks(bool counts) { counts_between_ = counts; }
  // So many compilations that are counted, and were never sampled, are described in one gap: that
  // takes 10 to 100 us each.
  static constexpr size_t kMostDescribed = 3;
  // Two jumps and a word to count down: 0 to 1.8 ns of the program's time, 0.9 in the median, where
  // ticks were open for 90 % of the time (ecj, fop, h2, jython, sunflow and xalan, 4 pairs of runs
  // each). It is less where calls come so close together that it hides behind other work, which is
  // where most are: with the half of the median the totals of these and of four other programs came
  // to 1.00 of the exact ones in the mean, at ten times the default budget. In a loop around one
  // empty method it is 0. (2026-11, JDK 17, 2-core x86-64 virtual machine.)
  static constexpr int64_t kObservedCallPs = 500;
  static constexpr size_t kCapacity = kMaxObservedEntries;
  const char* name() const override { return "patch"; }
  Status Install(JNIEnv* jni) override;
  void Remove(JNIEnv* jni) override;
  void Arm(uint32_t tick, Countdown countdown) override;
  void Disarm() override;
  void AllDone() override {}
  int64_t observed_call_ps() const override { return kObservedCallPs; }
  void Prepare() override;
  double ExpectedTickNs() const override;
  size_t compilations() const override { return statistics().patched; }
  CountedEntries TakeCountedEntries() override;
  int64_t counted_entries_ns() const override;
  void Maintain() override;
  std::vector<std::pair<std::string, std::string>> Facts() const override;

  Statistics statistics() const;

  // For tests: where the machine's own view comes from.
  void SetProcFilesForTest(std::string maps, std::string status);

 private:
  // A trampoline. A compilation has one that counts down one step for each call, and others for
  // more steps, and to count between ticks; what is said of the compilation stands in the first.
  static constexpr size_t kStepLevels = 3;
  struct Slot {
    const char* nmethod;
    uintptr_t entry;
    EntryWord original, patched;
    int32_t compile_id;
    uint32_t steps;
    uint32_t first;             // The compilation's first trampoline.
    std::atomic<bool> is_made;  // All above are there, and stay.
    // Of the compilation:
    std::atomic<bool> is_unwanted;       // Its calls are of no interest.
    std::atomic<uint32_t> tick_samples;  // Slow paths in the latest tick.
    uint32_t others[kStepLevels];        // Trampolines for more and more steps; 0: none.
    uint32_t level;                      // Which of them is in use; 0: the first trampoline.
    uint32_t used;                       // The trampoline that is in.
    int32_t recent_ticks;                // Since the steps were last looked at,
    uint32_t recent_samples;             // and what was sampled in them.
    bool is_in;                          // The entry was patched, and not restored since.
    bool is_live;                        // It is in live_.
    // Between ticks:
    uint32_t counter;                // The trampoline that counts there; 0: none.
    bool is_counter;                 // It is one.
    bool is_of_last_level;           // Others are counted by the VM.
    bool is_to_count, is_to_skip;    // After the tick.
    bool is_counting;                // The counting trampoline is in.
    std::atomic<bool> is_described;  // What it consists of is known to the handler.
    std::atomic<bool> is_to_describe;
    const void* method;
    std::atomic<int64_t> used_up_ns;  // The quota, and no more is granted; 0: it is not.
    std::atomic<bool> is_granting;    // A thread is about to add to the quota.
    EntryCounters::Entry counted;
  };
  // What a counting trampoline counts down: a cache line, as threads need not share one for it.
  struct alignas(64) Counter {
    std::atomic<int64_t> left;
  };
  static constexpr int32_t kMaxCompileId = 1 << 24;
  // Opening, closing and draining a tick, and what comes with each compilation: its entry, and that
  // more is called that has to be told (2026-11, Bursty.java, fop, ecj and groovy, 2-core x86-64
  // virtual machine).
  static constexpr double kTickNs = 200'000, kTickOfCompilationNs = 350;
  // Numbers in by_id_: nothing known, or refused; else a slot's number and this.
  static constexpr uint32_t kUnknown = 0, kRefused = 1, kFirstSlot = 2;

  void OnSlowPath(uint32_t number, const uintptr_t* return_address,
                  uintptr_t frame_pointer) override;

  // The quota of a compilation is used up, or the compilation is to be described.
  void OnCounted(const Slot& counting, Slot& first, const uintptr_t* return_address,
                 uintptr_t frame_pointer);
  Status CheckMachine() const;
  Status CheckEntries();
  // All from here on with mutex_ held.
  // From which index on live_ is new.
  size_t Discover();
  void ForgetLive();
  // A block in which there may be a compilation, or soon.
  struct Block {
    const char* blob = nullptr;
    int looks = 0;
  };
  void LookInto(Block block);
  void Consider(const CodeCache::Compilation& compilation);
  bool MakeSlot(const CodeCache::Compilation& compilation);
  // Makes the next trampoline, for a method that has that word at its entry; nothing when a jump
  // would be too far. With a counter, calls count that down, and no steps.
  std::optional<uint32_t> MakeTrampolineFor(const char* nmethod, int32_t compile_id,
                                            uintptr_t entry, EntryWord word, uint32_t steps,
                                            const Counter* counter = nullptr);
  // One more of a compilation; nothing where it would take the room that other compilations need.
  std::optional<uint32_t> MakeAnother(const Slot& slot, uint32_t steps, const Counter* counter);
  // How many steps the compilation's calls are to count down, from what was sampled until now.
  void ChooseSteps(uint32_t number);
  void SetLevel(Slot& slot, uint32_t level);
  static void BeginToCount(Slot& slot);
  static CodeCache::Frame FrameOf(const Slot& slot);
  static void PrefetchEntry(const Slot& slot);
  void Prefetch(const Slot& slot) const;
  // False when it will never be patched again.
  bool Patch(uint32_t number);
  // After a tick calls may be counted, as the slot has it.
  enum class Then { kNothing, kCount };
  void Restore(Slot& slot, Then then);
  // Those from `first` on, of live_.
  void PatchLive(size_t first);
  void RestorePatched(Then then);
  // The trampoline that counts, set to a quota; null where there is none.
  const Slot* CountingTrampolineOf(Slot& slot);
  Counter& CounterOf(const Slot& slot) { return entry_counters_[slot.counter]; }
  // Of its quota.
  int64_t LeftOf(const Slot& slot);
  // When its quota was used up; nothing where it is not.
  static std::optional<int64_t> UsedUp(const Slot& slot);
  // What was counted until now goes to counters_.
  void EndGap();
  // Of those that count still.
  void StopCounting();

  const CodeCache& code_cache_;
  const int jdk_feature_version_;
  Clock& clock_;
  EntryHandler& handler_;
  const std::function<void(int64_t)> set_calls_left_;
  std::string maps_for_test_, status_for_test_;
  bool force_ = false;
  bool only_optimized_ = false;
  uint32_t most_steps_ = 1;
  bool counts_between_ = false;

  mutable std::mutex mutex_;
  std::unique_ptr<TrampolineMemory> memory_;
  Slot* slots_ = nullptr;  // kCapacity of them.
  uint32_t next_slot_ = 0;
  bool has_told_full_ = false;   // That there is room for no more slots.
  std::vector<uint32_t> by_id_;  // By compile id; numbers of first trampolines, as all below.
  std::vector<uint32_t> live_;   // Slots whose compilations are in use, as far as is known.
  CodeCache::Seen seen_;
  std::vector<Block> unfinished_;  // Blocks that had no compilation in use when they were new.
  std::vector<uint32_t> patched_;  // Slots that are in.
  // Between ticks; entry_counters_ by the number of the counting trampoline.
  Counter* entry_counters_ = nullptr;
  EntryCounters counters_;
  std::vector<uint32_t> counting_;  // Slots that count, or did when this gap began.
  bool is_gap_ = false;
  size_t to_describe_ = 0;  // In this gap.
  // The VM's methods that were compiled for on-stack replacement: they loop, and for long. One that
  // comes to the place of another is taken for it.
  std::unordered_set<const void*> looping_;
  bool is_open_ = false;
  bool is_prepared_ = false;  // For the tick to come.
  int64_t next_walk_ns_ = 0;
  Statistics statistics_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_H_
