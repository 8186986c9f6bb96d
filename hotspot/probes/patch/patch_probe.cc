#include "hotspot/probes/patch/patch_probe.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/zeroed_pages.h"
#include "core/graph/code_level.h"
#include "hotspot/probes/entry/refusals.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

// Walks find what looks at the map of blocks cannot tell: another compilation in a block that is as
// it was. So much of the time may go to them: 0.5 to 1 ms each for 4,000 compilations on a 2.6 GHz
// x86-64 (2026-11).
constexpr double kMaxWalkShare = 0.0002;
constexpr int64_t kMinBetweenWalksNs = 1'000'000'000;
constexpr int64_t kMaxBetweenWalksNs = 10'000'000'000;
// A block that is new is looked into so often: it is taken before the compilation in it is made,
// and that may be made use of somewhat later. Most others are no compilations.
constexpr int kMaxLooks = 4;
// In code as it is known, at most a few entries in a hundred cannot be patched.
constexpr uint64_t kMinEntriesToJudge = 20;
constexpr double kMinPatchableShare = 0.7;

// How far ahead of where it works a pass over the entries loads what it needs: each of them is
// somewhere else.
constexpr size_t kPrefetched = 8;

bool IsLastLevel(int level) {
  return level == code_level::kOptimized || level == code_level::kTrivial;
}

uint32_t StepsOf(uint32_t level) {
  uint32_t steps = 1;
  for (uint32_t i = 0; i < level; ++i) steps *= PatchProbe::kMoreSteps;
  return steps;
}

}  // namespace

PatchProbe::PatchProbe(const CodeCache& code_cache, int jdk_feature_version, Clock& clock,
                       EntryHandler& handler, std::function<void(int64_t)> set_calls_left)
    : code_cache_(code_cache),
      jdk_feature_version_(jdk_feature_version),
      clock_(clock),
      handler_(handler),
      set_calls_left_(std::move(set_calls_left)) {}

std::unique_ptr<Probe> MakePatchProbe(const ProbeHost& host, JNIEnv*, const AgentOptions&) {
  return std::make_unique<PatchProbe>(
      *host.code_cache, host.jvm.feature_version(), host.clock, host.entry_handler,
      [&threads = host.threads](int64_t calls) { threads.SetCallsLeft(calls); });
}

void PatchProbe::Configure(const AgentOptions& options) {
  Force(options.force);
  OnlyOptimized(options.mode == AgentOptions::Mode::kPatching);
  const bool is_without_memory =
      options.policy.distribution == RandomizedCountdown::Distribution::kGeometric;
  uint32_t level = 0;
  if (options.CountsDown() && is_without_memory && options.adapts_steps) {
    // A call that is sampled nearly for sure tells no more with more steps.
    while (level < kStepLevels && 2 * StepsOf(level + 1) <= options.policy.mean_interval) ++level;
  }
  CountBySteps(StepsOf(level));
  const bool has_gaps = options.budget_percent > 0 || options.open_share < 1;
  CountBetweenTicks(options.CountsDown() && has_gaps && options.infer && options.counts_entries);
}

void PatchProbe::SetProcFilesForTest(std::string maps, std::string status) {
  maps_for_test_ = std::move(maps);
  status_for_test_ = std::move(status);
}

Status PatchProbe::CheckMachine() const {
  if (Status jdk = CheckJdk(jdk_feature_version_, force_); !jdk) return jdk;
  const std::string status =
      status_for_test_.empty() ? ReadProcFile("/proc/self/status") : status_for_test_;
  if (Status stack = CheckNoShadowStack(status); !stack) return stack;
  const std::string maps =
      maps_for_test_.empty() ? ReadProcFile("/proc/self/maps") : maps_for_test_;
  return CheckCodeMemory(maps, code_cache_.bounds());
}

// Nothing is written yet.
Status PatchProbe::CheckEntries() {
  uint64_t entries = 0;
  uint64_t patchable = 0;
  code_cache_.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (compilation.is_osr || !compilation.is_in_use) return;
    ++entries;
    const uintptr_t entry = compilation.verified_entry;
    patchable += IsPatchable(entry, ReadEntry(entry & ~uintptr_t{kPatchBytes - 1})) ? 1 : 0;
  });
  if (entries < kMinEntriesToJudge ||
      static_cast<double>(patchable) >= kMinPatchableShare * static_cast<double>(entries)) {
    return Status::Ok();
  }
  return Status::Error("of " + std::to_string(entries) + " compiled methods only " +
                       std::to_string(patchable) + " begin as known");
}

Status PatchProbe::Install(JNIEnv*) {
  const std::lock_guard lock(mutex_);
  if (Status machine = CheckMachine(); !machine) return machine;
  if (Status entries = CheckEntries(); !entries) return entries;
  if (memory_ == nullptr) {
    const AddressRange code = code_cache_.bounds();
    Result<std::unique_ptr<TrampolineMemory>> memory =
        TrampolineMemory::Create(code.low, code.high, kCapacity, PatchHookCode());
    if (!memory) return memory.status();
    slots_ = static_cast<Slot*>(MapZeroedPages(kCapacity * sizeof(Slot)));
    entry_counters_ = static_cast<Counter*>(MapZeroedPages(kCapacity * sizeof(Counter)));
    const bool has_tables = slots_ != nullptr && entry_counters_ != nullptr;
    if (!has_tables) return Status::Error("no memory for the trampolines' tables");
    memory_ = std::move(memory).value();
    SetPatchHook(this);
  }
  for (uint32_t i = 0; i < next_slot_; ++i) {
    Slot& slot = slots_[i];
    slot.is_unwanted.store(false, std::memory_order_relaxed);
    slot.tick_samples.store(0, std::memory_order_relaxed);
    slot.level = 0;
    slot.is_to_count = slot.is_to_skip = false;
    slot.is_described.store(false, std::memory_order_relaxed);
    slot.is_to_describe.store(false, std::memory_order_relaxed);
    slot.counted.Clear();
    BeginToCount(slot);
  }
  counters_.Clear();
  next_walk_ns_ = 0;
  is_prepared_ = false;
  return Status::Ok();
}

void PatchProbe::Remove(JNIEnv*) {
  const std::lock_guard lock(mutex_);
  RestorePatched(Then::kNothing);
  if (std::exchange(is_gap_, false)) EndGap();
  StopCounting();
  is_open_ = false;
}

void PatchProbe::Arm(uint32_t, Countdown countdown) {
  const std::lock_guard lock(mutex_);
  if (countdown == Countdown::kBegins) set_calls_left_(0);
  if (is_open_) return;
  if (!std::exchange(is_prepared_, false)) Discover();
  is_open_ = true;
  if (std::exchange(is_gap_, false)) EndGap();
  PatchLive(0);
  StopCounting();
}

void PatchProbe::Prepare() {
  const std::lock_guard lock(mutex_);
  if (is_open_) return;
  Discover();
  is_prepared_ = true;
}

double PatchProbe::ExpectedTickNs() const {
  const std::lock_guard lock(mutex_);
  return kTickNs + kTickOfCompilationNs * static_cast<double>(live_.size());
}

void PatchProbe::Disarm() {
  const std::lock_guard lock(mutex_);
  if (!is_open_) return;
  if (counts_between_) counters_.BeginGap(clock_.NowNs());
  is_gap_ = counts_between_;
  to_describe_ = 0;
  RestorePatched(counts_between_ ? Then::kCount : Then::kNothing);
  is_open_ = false;
}

void PatchProbe::EndGap() {
  counters_.EndGap(clock_.NowNs());
  for (const uint32_t number : counting_) {
    Slot& slot = slots_[number];
    counters_.End(number, LeftOf(slot), UsedUp(slot), &slot.counted);
  }
}

int64_t PatchProbe::LeftOf(const Slot& slot) {
  const bool has_come = !slot.is_to_describe.load(std::memory_order_relaxed);
  return has_come ? CounterOf(slot).left.load(std::memory_order_relaxed)
                  : EntryCounters::kFirstCalls;
}

std::optional<int64_t> PatchProbe::UsedUp(const Slot& slot) {
  const int64_t used_up_ns = slot.used_up_ns.load(std::memory_order_relaxed);
  return used_up_ns > 0 ? std::optional(used_up_ns) : std::nullopt;
}

void PatchProbe::StopCounting() {
  for (const uint32_t number : std::exchange(counting_, {})) {
    Slot& slot = slots_[number];
    if (!std::exchange(slot.is_counting, false)) continue;
    ExchangeEntry(slot.entry, slots_[slot.counter].patched, slot.original);
  }
}

CountedEntries PatchProbe::TakeCountedEntries() {
  const std::lock_guard lock(mutex_);
  if (is_gap_) EndGap();
  EntryCounters::Told told =
      counters_.Take([this](uint32_t number) { return &slots_[number].counted; });
  if (is_gap_) {
    counters_.BeginGap(clock_.NowNs());
    // One that has used up its quota is no longer counted.
    std::erase_if(counting_,
                  [this](uint32_t number) { return UsedUp(slots_[number]).has_value(); });
    for (const uint32_t number : counting_) {
      Slot& slot = slots_[number];
      slot.counted.granted.store(std::max<int64_t>(0, LeftOf(slot)), std::memory_order_relaxed);
    }
  }
  CountedEntries entries{.gaps = std::move(told.gaps), .counts = {}, .uses = {}};
  for (const EntryCounters::Counted& count : told.counts) {
    entries.counts.push_back({slots_[count.number].compile_id, count.first_gap, count.end_gap,
                              count.part_ns, count.calls});
  }
  for (const EntryCounters::Used& use : told.uses) {
    entries.uses.push_back({slots_[use.number].compile_id, use.end_gap});
  }
  return entries;
}

int64_t PatchProbe::counted_entries_ns() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(counters_.cost_ns());
}

void PatchProbe::Maintain() {
  const std::lock_guard lock(mutex_);
  if (!is_open_) return;
  PatchLive(Discover());
}

size_t PatchProbe::Discover() {
  const int64_t begin_ns = clock_.ThreadCpuNs();
  const bool is_walk = clock_.NowNs() >= next_walk_ns_;
  if (is_walk) ForgetLive();
  const size_t known = live_.size();
  for (const Block& block : std::exchange(unfinished_, {})) LookInto(block);
  code_cache_.ForEachChanged(seen_, [this](const char* blob) { LookInto({blob}); });
  if (!is_walk) return known;
  ++statistics_.walks;
  const auto took_ns = static_cast<double>(clock_.ThreadCpuNs() - begin_ns);
  next_walk_ns_ = clock_.NowNs() + std::clamp(static_cast<int64_t>(took_ns / kMaxWalkShare),
                                              kMinBetweenWalksNs, kMaxBetweenWalksNs);
  return known;
}

// The next look is one at everything.
void PatchProbe::ForgetLive() {
  for (const uint32_t number : live_) slots_[number].is_live = false;
  live_.clear();
  unfinished_.clear();
  seen_ = {};
}

void PatchProbe::LookInto(Block block) {
  const std::optional<CodeCache::Compilation> found = code_cache_.CompilationIn(block.blob);
  const bool loops = found && found->is_osr && found->method != nullptr;
  if (counts_between_ && loops) looping_.insert(found->method);
  if (found && found->is_in_use) {
    Consider(*found);
  } else if (++block.looks < kMaxLooks) {
    unfinished_.push_back(block);
  }
}

void PatchProbe::Consider(const CodeCache::Compilation& compilation) {
  const int32_t id = compilation.compile_id;
  if (compilation.is_osr || !compilation.is_in_use || id <= 0 || id >= kMaxCompileId) return;
  if (only_optimized_ && !IsLastLevel(compilation.level)) return;
  const auto index = static_cast<size_t>(id);
  if (index >= by_id_.size()) by_id_.resize(std::max(index + 1, 2 * by_id_.size()), kUnknown);
  uint32_t& known = by_id_[index];
  if (known == kUnknown) {
    known = MakeSlot(compilation) ? kFirstSlot + next_slot_ - 1 : kRefused;
    ++(known == kRefused ? statistics_.refused : statistics_.patched);
  }
  if (known == kRefused) return;
  const uint32_t number = known - kFirstSlot;
  if (!std::exchange(slots_[number].is_live, true)) live_.push_back(number);
}

std::optional<uint32_t> PatchProbe::MakeTrampolineFor(const char* nmethod, int32_t compile_id,
                                                      uintptr_t entry, EntryWord word,
                                                      uint32_t steps, const Counter* counter) {
  const uint32_t number = next_slot_;
  TrampolineSpec spec;
  spec.address = memory_->AddressOf(number);
  spec.entry = entry;
  spec.entry_word = word;
  spec.countdown_offset = EntryCountdownOffset();
  spec.steps = steps;
  spec.word = reinterpret_cast<uintptr_t>(counter);
  spec.number = number;
  spec.slow_path = memory_->slow_path();
  const auto trampoline = MakeTrampoline(spec);
  const std::optional<EntryWord> patched = WithJump(entry, word, spec.address);
  if (!trampoline || !patched) return std::nullopt;
  memory_->Write(number, *trampoline);
  ++next_slot_;
  Slot& slot = slots_[number];
  slot.nmethod = nmethod;
  slot.entry = entry;
  slot.original = word;
  slot.patched = *patched;
  slot.compile_id = compile_id;
  slot.steps = steps;
  slot.first = number;
  return number;
}

bool PatchProbe::MakeSlot(const CodeCache::Compilation& compilation) {
  const uintptr_t entry = compilation.verified_entry;
  if (next_slot_ >= kCapacity) {
    if (!std::exchange(has_told_full_, true)) {
      Log("there is room for the entries of " + std::to_string(kCapacity) +
          " compilations; what is compiled from now on is not observed");
    }
    return false;
  }
  if (entry % kPatchBytes != 0) return false;
  const EntryWord word = ReadEntry(entry);
  if (!IsPatchable(entry, word)) return false;
  const std::optional<uint32_t> number =
      MakeTrampolineFor(compilation.nmethod, compilation.compile_id, entry, word, 1);
  if (!number) return false;
  slots_[*number].is_of_last_level = IsLastLevel(compilation.level);
  slots_[*number].method = compilation.method;
  BeginToCount(slots_[*number]);
  slots_[*number].is_made.store(true, std::memory_order_release);  // Partner: OnSlowPath's acquire.
  return true;
}

// Not all of what is new has its turn in one tick.
void PatchProbe::BeginToCount(Slot& slot) {
  slot.recent_ticks = -static_cast<int32_t>(slot.first % kTicksToChoose);
  slot.recent_samples = 0;
}

void PatchProbe::SetLevel(Slot& slot, uint32_t level) {
  slot.recent_ticks = slot.recent_samples = 0;
  if (level > 0 && slot.others[level - 1] == 0) {
    const std::optional<uint32_t> other = MakeAnother(slot, StepsOf(level), nullptr);
    if (!other) return;
    slot.others[level - 1] = *other;
  }
  slot.level = level;
}

std::optional<uint32_t> PatchProbe::MakeAnother(const Slot& slot, uint32_t steps,
                                                const Counter* counter) {
  // Room for what is compiled from now on is worth more.
  if (next_slot_ >= kCapacity / 2) return std::nullopt;
  const std::optional<uint32_t> other =
      MakeTrampolineFor(slot.nmethod, slot.compile_id, slot.entry, slot.original, steps, counter);
  if (!other) return std::nullopt;
  slots_[*other].first = slot.first;
  slots_[*other].is_counter = counter != nullptr;
  slots_[*other].is_made.store(true, std::memory_order_release);  // Partner: as MakeSlot's.
  return other;
}

void PatchProbe::ChooseSteps(uint32_t number) {
  Slot& slot = slots_[number];
  const uint32_t samples = slot.tick_samples.exchange(0, std::memory_order_relaxed);
  slot.recent_samples += samples;
  ++slot.recent_ticks;
  if (slot.level > 0 && samples >= kMostSamplesInTick) {
    SetLevel(slot, slot.level - 1);
  } else if (slot.recent_ticks >= static_cast<int32_t>(kTicksToChoose)) {
    const bool is_seldom = slot.recent_samples <= kFewSamples && StepsOf(slot.level) < most_steps_;
    SetLevel(slot, is_seldom ? slot.level + 1 : slot.level);
  }
}

// The exchange orders the slot and the trampoline before the jump that leads to them. Partner: a
// thread that fetches the jump; on x86-64 it sees stores in their order.
bool PatchProbe::Patch(uint32_t number) {
  Slot& slot = slots_[number];
  if (slot.is_in) return true;
  if (slot.is_unwanted.load(std::memory_order_relaxed)) return false;
  // Since it was found another compilation may have come to its place, with the same entry: most
  // begin alike.
  if (!code_cache_.StillSame(FrameOf(slot))) {
    unfinished_.push_back({slot.nmethod});
    return false;
  }
  if (most_steps_ > 1) ChooseSteps(number);
  const bool may_count = counts_between_ && slot.is_of_last_level && looping_.contains(slot.method);
  slot.is_to_count = may_count && counters_.Wants(slot.counted);
  slot.is_to_skip = may_count && !slot.is_to_count;
  slot.used = slot.level == 0 ? number : slot.others[slot.level - 1];
  const EntryWord patched = slots_[slot.used].patched;
  // A thread that has used up the quota has put the original back.
  slot.is_in = (std::exchange(slot.is_counting, false) &&
                ExchangeEntry(slot.entry, slots_[slot.counter].patched, patched)) ||
               ExchangeEntry(slot.entry, slot.original, patched);
  if (slot.is_in) patched_.push_back(number);
  return slot.is_in;  // Or the VM has put its own jump there, for good.
}

void PatchProbe::Restore(Slot& slot, Then then) {
  if (!slot.is_in) return;
  slot.is_in = false;
  const bool is_unwanted = slot.is_unwanted.load(std::memory_order_relaxed);
  const bool is_to_count = then == Then::kCount && slot.is_to_count && !is_unwanted;
  const Slot* const counting = is_to_count ? CountingTrampolineOf(slot) : nullptr;
  const EntryWord after = counting != nullptr ? counting->patched : slot.original;
  // Threads exchange one of ours for the first, or for the original, and nothing back.
  const bool is_restored =
      ExchangeEntry(slot.entry, slots_[slot.used].patched, after) ||
      (slot.used != slot.first && ExchangeEntry(slot.entry, slot.patched, after));
  if (is_restored && counting != nullptr) {
    slot.is_counting = true;
    counting_.push_back(slot.first);
  } else if (is_restored && then == Then::kCount && slot.is_to_skip) {
    counters_.Skip(slot.first, &slot.counted);
  } else if (!is_restored && !is_unwanted) {
    ++statistics_.overwritten;
  }
}

const PatchProbe::Slot* PatchProbe::CountingTrampolineOf(Slot& slot) {
  if (slot.counter == 0) {
    const std::optional<uint32_t> made = MakeAnother(slot, 1, &entry_counters_[next_slot_]);
    if (!made) return nullptr;
    slot.counter = *made;
  }
  slot.used_up_ns.store(0, std::memory_order_relaxed);
  slot.is_granting.store(false, std::memory_order_relaxed);
  const int64_t quota = counters_.Begin(&slot.counted);
  // The first call then comes to the slow path.
  const bool is_to_describe = slot.counted.was_called && to_describe_ < kMostDescribed &&
                              !slot.is_described.load(std::memory_order_relaxed);
  to_describe_ += is_to_describe ? 1 : 0;
  slot.is_to_describe.store(is_to_describe, std::memory_order_relaxed);
  CounterOf(slot).left.store(is_to_describe ? 1 : quota, std::memory_order_relaxed);
  return &slots_[slot.counter];
}

// What has turned out to be of no interest meanwhile is restored.
void PatchProbe::PatchLive(size_t first) {
  for (const uint32_t number : patched_) {
    Slot& slot = slots_[number];
    if (slot.is_unwanted.load(std::memory_order_relaxed)) Restore(slot, Then::kNothing);
  }
  // Or none is patched: one that is in and not among them would never be restored.
  patched_.reserve(patched_.size() + live_.size());
  size_t kept = first;
  for (size_t i = first; i < live_.size(); ++i) {
    if (i + kPrefetched < live_.size()) Prefetch(slots_[live_[i + kPrefetched]]);
    const uint32_t number = live_[i];
    if (Patch(number)) {
      live_[kept++] = number;
    } else {
      slots_[number].is_live = false;
    }
  }
  live_.resize(kept);
}

void PatchProbe::RestorePatched(Then then) {
  for (size_t i = 0; i < patched_.size(); ++i) {
    if (i + kPrefetched < patched_.size()) PrefetchEntry(slots_[patched_[i + kPrefetched]]);
    Restore(slots_[patched_[i]], then);
  }
  patched_.clear();
}

CodeCache::Frame PatchProbe::FrameOf(const Slot& slot) {
  CodeCache::Frame frame;
  frame.blob = slot.nmethod;
  frame.compile_id = slot.compile_id;
  return frame;
}

void PatchProbe::PrefetchEntry(const Slot& slot) {
  __builtin_prefetch(reinterpret_cast<const void*>(slot.entry), /*rw=*/1);
}

void PatchProbe::Prefetch(const Slot& slot) const {
  code_cache_.Prefetch(FrameOf(slot));
  PrefetchEntry(slot);
}

// Of the process's life.
std::vector<std::pair<std::string, std::string>> PatchProbe::Facts() const {
  const Statistics all = statistics();
  return {{"entries.patched", std::to_string(all.patched)},
          {"entries.refused", std::to_string(all.refused)}};
}

PatchProbe::Statistics PatchProbe::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void PatchProbe::OnSlowPath(uint32_t number, const uintptr_t* return_address,
                            uintptr_t frame_pointer) {
  const Slot& slot = slots_[number];
  if (!slot.is_made.load(std::memory_order_acquire)) return;  // Partner: MakeSlot's release.
  Slot& first = slots_[slot.first];
  if (slot.is_counter) {
    OnCounted(slot, first, return_address, frame_pointer);
    return;
  }
  if (!first.is_described.load(std::memory_order_relaxed)) {
    first.is_described.store(true, std::memory_order_relaxed);
  }
  const bool is_wanted = HandleEntry(handler_, {slot.entry, slot.compile_id, return_address,
                                                frame_pointer, slot.first, slot.steps});
  // At once, as the next look may be far; that then finds it done.
  if (!is_wanted && !first.is_unwanted.exchange(true, std::memory_order_relaxed)) {
    ExchangeEntry(slot.entry, slot.patched, slot.original);
  }
  const uint32_t samples = first.tick_samples.fetch_add(1, std::memory_order_relaxed) + 1;
  if (samples == kMostSamplesInTick && slot.steps > 1) {
    ExchangeEntry(slot.entry, slot.patched, first.patched);
  }
}

// At once, as each call would come here. Patch then finds it done.
void PatchProbe::OnCounted(const Slot& counting, Slot& first, const uintptr_t* return_address,
                           uintptr_t frame_pointer) {
  if (first.is_to_describe.exchange(false, std::memory_order_relaxed)) {
    // As if the call had been counted as others are.
    CounterOf(first).left.store(EntryCounters::kFirstCalls - 1, std::memory_order_relaxed);
    first.is_described.store(true, std::memory_order_relaxed);
    HandleCountedEntry(handler_, {counting.entry, counting.compile_id, return_address,
                                  frame_pointer, counting.first, 1});
    return;
  }
  // Others that come meanwhile go on.
  if (first.is_granting.exchange(true, std::memory_order_acquire)) return;
  if (const int64_t more = counters_.Grant(&first.counted); more > 0) {
    CounterOf(first).left.fetch_add(more, std::memory_order_relaxed);
    first.is_granting.store(false, std::memory_order_release);
    return;
  }
  first.used_up_ns.store(clock_.NowNs(), std::memory_order_relaxed);
  first.is_granting.store(false, std::memory_order_release);
  ExchangeEntry(counting.entry, counting.patched, counting.original);
}

}  // namespace yp::hotspot
