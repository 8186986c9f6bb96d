#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "hotspot/threads/thread_registry.h"

namespace yp::hotspot {
namespace {

constexpr int kThreads = 3;
constexpr int kLives = 300;

// Threads come, count and go while another looks on. Two of them share each slot of the table.
TEST(ThreadRegistryStressTest, EveryCountOfEveryThreadReachesWhoeverIterates) {
  constexpr int kCounts = 50;
  const auto threads = ThreadRegistry::Create();
  std::atomic<int> running{kThreads};
  std::atomic<uint32_t> wrong{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < kThreads; ++t) {
    workers.emplace_back([&, t] {
      for (int life = 0; life < kLives; ++life) {
        const int64_t java_id = 1 + life % 7 + (int64_t{t} << kThreadTableLog2Size);
        ThreadRecord* record = threads->Enter(java_id, "worker", false, 1);
        {
          const std::lock_guard lock(record->common.mutex);
          record->counting.slow_counts = std::make_unique<EdgeCounters>();
        }
        for (int i = 0; i < kCounts; ++i) {
          wrong += !record->counting.slow_counts->Increment(EdgeId{static_cast<uint32_t>(1 + i)});
        }
        // The entry is either this thread's or another's of the slot, never a mixture.
        const ThreadTableEntry& entry = threads->table()[1 + life % 7];
        if (entry.thread_id.load(std::memory_order_relaxed) == java_id) {
          wrong += entry.state.load(std::memory_order_relaxed) != record->shared;
        }
        threads->Leave(record);
      }
      running.fetch_sub(1, std::memory_order_release);
    });
  }

  // What is known of each record; the last visit is the one that counts.
  std::unordered_map<uint32_t, uint64_t> seen;
  for (bool last = false; !last;) {
    last = running.load(std::memory_order_acquire) == 0;
    threads->ForEach([&](ThreadRecord& record) {
      wrong += record.name != "worker";
      const EdgeCounters* counts = nullptr;
      {
        const std::lock_guard lock(record.common.mutex);
        counts = record.counting.slow_counts.get();
      }
      if (counts == nullptr) return;
      uint64_t total = 0;
      counts->ForEach([&](EdgeId, uint64_t n) { total += n; });
      uint64_t& before = seen[ToIndex(record.id)];
      wrong += total < before;
      before = total;
    });
    std::this_thread::yield();
  }
  for (std::thread& worker : workers) worker.join();

  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_EQ(threads->size(), 0u);
  EXPECT_EQ(seen.size(), static_cast<size_t>(kThreads) * kLives);
  for (const auto& [id, total] : seen) EXPECT_EQ(total, static_cast<uint64_t>(kCounts)) << id;
}

}  // namespace
}  // namespace yp::hotspot
