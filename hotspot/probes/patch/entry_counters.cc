#include "hotspot/probes/patch/entry_counters.h"

namespace yp::hotspot {
namespace {

// Each time that a quota is used up.
constexpr int64_t kMoreCalls = 4;
// Of what is left of the pool, so that those with many calls leave something to those with few.
constexpr int64_t kMostOfPool = 2;

}  // namespace

void EntryCounters::Entry::Clear() {
  granted.store(0, std::memory_order_relaxed);
  run_calls = 0;
  run_first = run_end = again_at = again_gaps = skipped_end = 0;
  was_called = has_run = false;
}

void EntryCounters::Clear() {
  gaps_.clear();
  counts_.clear();
  running_.clear();
  skipped_.clear();
  gap_ = 0;
  pool_ns_.store(0, std::memory_order_relaxed);
  cost_ns_ = 0;
}

void EntryCounters::PutOff(Entry* entry) {
  entry->again_gaps = std::clamp(2 * entry->again_gaps, kLeastAgainGaps, kMostAgainGaps);
  entry->again_at = gap_ + entry->again_gaps;
}

void EntryCounters::BeginGap(int64_t now_ns) {
  gaps_.push_back({now_ns, now_ns});
  ++gap_;
  const double pool_ns = static_cast<double>(pool_ns_.load(std::memory_order_relaxed)) + kGapNs;
  pool_ns_.store(static_cast<int64_t>(std::min(pool_ns, kMostPoolNs)), std::memory_order_relaxed);
}

int64_t EntryCounters::Begin(Entry* entry) {
  entry->granted.store(kFirstCalls, std::memory_order_relaxed);
  return kFirstCalls;
}

void EntryCounters::Skip(uint32_t number, Entry* entry) {
  if (entry->skipped_end == 0) skipped_.push_back(number);
  entry->skipped_end = static_cast<uint32_t>(gaps_.size());
}

int64_t EntryCounters::Grant(Entry* entry) {
  const int64_t granted = entry->granted.load(std::memory_order_relaxed);
  const double cost_ns = CostNs(kMoreCalls * granted);
  const auto more_ns = static_cast<int64_t>(cost_ns - CostNs(granted));
  if (cost_ns > kMostEntryNs) return 0;
  const int64_t before_ns = pool_ns_.fetch_sub(more_ns, std::memory_order_relaxed);
  if (before_ns < kMostOfPool * more_ns) {
    pool_ns_.fetch_add(more_ns, std::memory_order_relaxed);
    return 0;
  }
  entry->granted.store(kMoreCalls * granted, std::memory_order_relaxed);
  return (kMoreCalls - 1) * granted;
}

void EntryCounters::EndGap(int64_t now_ns) {
  CountedEntries::Gap& gap = gaps_.back();
  gap.end_ns = std::max(gap.begin_ns + 1, now_ns);
}

void EntryCounters::End(uint32_t number, int64_t left, std::optional<int64_t> used_up_ns,
                        Entry* entry) {
  const auto gap = static_cast<uint32_t>(gaps_.size() - 1);
  const int64_t granted = entry->granted.load(std::memory_order_relaxed);
  const int64_t calls = granted - (used_up_ns ? 0 : std::clamp<int64_t>(left, 0, granted));
  const double cost_ns = CostNs(calls);
  cost_ns_ += cost_ns;
  // The first quota was not taken from the pool, and what is left of a later one goes back.
  const double taken_ns = CostNs(granted) - CostNs(kFirstCalls);
  pool_ns_.fetch_add(static_cast<int64_t>(taken_ns - cost_ns), std::memory_order_relaxed);
  if (entry->has_run && entry->run_end != gap) Close(number, entry);
  if (!std::exchange(entry->has_run, true)) {
    entry->run_first = entry->run_end = gap;
    entry->run_calls = 0;
    running_.push_back(number);
  }
  entry->run_calls += static_cast<uint64_t>(calls);
  entry->was_called = entry->was_called || calls > 0;
  if (used_up_ns) {
    PutOff(entry);
    Close(number, entry, std::max<int64_t>(1, *used_up_ns - gaps_[gap].begin_ns));
  } else {
    entry->again_gaps /= 2;
    entry->run_end = gap + 1;
  }
}

// What is left of a closed one in running_ does no harm.
void EntryCounters::Close(uint32_t number, Entry* entry, int64_t part_ns) {
  if (!std::exchange(entry->has_run, false)) return;
  counts_.push_back({number, entry->run_first, entry->run_end, part_ns, entry->run_calls});
}

}  // namespace yp::hotspot
