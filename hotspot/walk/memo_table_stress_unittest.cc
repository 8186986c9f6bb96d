#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/random.h"
#include "hotspot/walk/memo_table.h"

namespace yp::hotspot {
namespace {

// Few slots and many keys, so that threads fight for each slot all the time.
using Memo = MemoTable<3, 3, 2>;

Memo::Key KeyOf(uint64_t k) { return {k, k * 0x9e3779b97f4a7c15u, ~k}; }
Memo::Value ValueOf(uint64_t k) { return {k * 3, k ^ 0x5555, k << 7}; }

TEST(MemoTableStressTest, NoThreadEverSeesAMixtureOfTwoEntries) {
  constexpr int kThreads = 4;
  constexpr int kOperations = 200'000;
  Memo memo;
  std::atomic<uint64_t> found{0}, mixed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Xoshiro256 random(static_cast<uint64_t>(t));
      uint64_t my_found = 0, my_mixed = 0;
      for (int i = 0; i < kOperations; ++i) {
        const uint64_t k = random.UniformFromOneTo(8);
        if (i % 2 == 0) {
          memo.Put(KeyOf(k), ValueOf(k));
          continue;
        }
        Memo::Value value{};
        if (!memo.Find(KeyOf(k), value)) continue;
        ++my_found;
        my_mixed += value != ValueOf(k);
      }
      found += my_found;
      mixed += my_mixed;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mixed.load(), 0u);
  EXPECT_GT(found.load(), 10'000u);
}

}  // namespace
}  // namespace yp::hotspot
