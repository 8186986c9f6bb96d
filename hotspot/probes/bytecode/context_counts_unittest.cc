#include "hotspot/probes/bytecode/context_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "base/memory_test_util.h"
#include "hotspot/probes/bytecode/counted_contexts.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int32_t kRoot = ContextCounts::kRoot;

TEST(ContextCountsTest, AContextIsOneChainOfCalls) {
  const auto made = std::make_unique<ContextCounts>();
  ContextCounts& counts = *made;
  const int32_t main = counts.Find(kRoot, 0, 7);
  const int32_t a = counts.Find(main, 3, 8);
  EXPECT_EQ(counts.Find(main, 3, 8), a);
  EXPECT_NE(counts.Find(main, 4, 8), a) << "from another call site";
  EXPECT_NE(counts.Find(main, 3, 9), a) << "another callee";
  EXPECT_NE(counts.Find(a, 3, 8), a) << "recursive";
  EXPECT_EQ(counts.end(), ContextCounts::kFirst + 5);
  EXPECT_EQ(counts[a].parent, main);
  EXPECT_EQ(counts[a].site, 3);
  EXPECT_EQ(counts[a].method, 8);
}

TEST(ContextCountsTest, TakesMemoryForWhatWasCalledAlone) {
  const int64_t before = ResidentBytes();
  ContextCounts counts;
  counts.Find(kRoot, 0, 7);
  EXPECT_LT(ResidentBytes() - before, 16 << 20) << "of 192 MiB";
}

TEST(ContextCountsTest, ThreadsThatMeetANewContextAtOnceMakeOneOfIt) {
  const auto made = std::make_unique<ContextCounts>();
  ContextCounts& counts = *made;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int32_t i = 0; i < 1000; ++i) counts.Count(counts.Find(kRoot, i, 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(counts.end(), ContextCounts::kFirst + 1000);
  for (int32_t node = ContextCounts::kFirst; node < counts.end(); ++node) {
    EXPECT_EQ(counts[node].calls.load(), 4);
  }
}

TEST(ContextCountsTest, WhatFindsNoRoomIsLostAndWhatIsThereStays) {
  const auto made = std::make_unique<ContextCounts>();
  ContextCounts& counts = *made;
  const int32_t first = counts.Find(kRoot, 1, 1);
  int32_t method = 2;
  while (counts.Find(kRoot, 1, method) != ContextCounts::kLost) ++method;
  EXPECT_EQ(counts.end(), int32_t{1} << ContextCounts::kLog2Nodes);
  EXPECT_EQ(counts.Find(kRoot, 1, 1), first);
  counts.Clear();
  EXPECT_EQ(counts.end(), ContextCounts::kFirst);
  EXPECT_NE(counts.Find(kRoot, 1, method), ContextCounts::kLost);
}

TEST(CountedContextsTest, TellsNewContextsOnceAndCallsSinceTheLastTime) {
  MethodRegistry registry;
  const MethodId main = registry.Intern({"A", "main", "()V", "", 0, {}});
  const MethodId leaf = registry.Intern({"A", "leaf", "()V", "", 0, {}});
  const int32_t site = registry.AddSite(main, 17, false, 1000);
  const auto made = std::make_unique<ContextCounts>();
  ContextCounts& counts = *made;
  counts.Find(kRoot, 0, 99);  // Of an earlier recording.
  CountedContexts contexts(counts, registry);
  const int32_t in_main = counts.Find(kRoot, 0, static_cast<int32_t>(ToIndex(main)));
  const int32_t in_leaf = counts.Find(in_main, site, static_cast<int32_t>(ToIndex(leaf)));
  counts.Count(in_main);
  for (int i = 0; i < 3; ++i) counts.Count(in_leaf);
  const ContextId main_id{static_cast<uint32_t>(in_main)}, leaf_id{static_cast<uint32_t>(in_leaf)};
  CountedContexts::Updates updates = contexts.Take();
  ASSERT_EQ(updates.contexts.size(), 2u);
  EXPECT_EQ(updates.contexts[0].parent, kRootContext);
  EXPECT_EQ(updates.contexts[0].bci, kNoBci);
  EXPECT_EQ(updates.contexts[1].parent, main_id);
  EXPECT_EQ(updates.contexts[1].bci, 17);
  EXPECT_EQ(updates.contexts[1].method, leaf);
  EXPECT_THAT(updates.counts.calls, ElementsAre(Pair(main_id, 1), Pair(leaf_id, 3)));
  counts.Count(in_leaf);
  updates = contexts.Take();
  EXPECT_THAT(updates.contexts, IsEmpty());
  EXPECT_THAT(updates.counts.calls, ElementsAre(Pair(leaf_id, 1)));
}

}  // namespace
}  // namespace yp::hotspot
