#include "hotspot/threads/thread_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kTableSize = int64_t{1} << kThreadTableLog2Size;
constexpr bool kWithSites = true;
constexpr bool kWithoutSites = false;

// The state that the Java side finds for a thread; null when it finds none.
JavaThreadState* Found(const ThreadRegistry& threads, int64_t java_thread_id) {
  const ThreadTableEntry& entry = threads.table()[java_thread_id & (kTableSize - 1)];
  return entry.thread_id.load() == java_thread_id ? entry.state.load() : nullptr;
}

std::vector<std::string> Visited(ThreadRegistry& threads) {
  std::vector<std::string> names;
  threads.ForEach([&](ThreadRecord& record) { names.push_back(record.name); });
  return names;
}

TEST(ThreadRegistryTest, AThreadIsFoundFromItsEntryToItsLeave) {
  const auto threads = ThreadRegistry::Create();
  ASSERT_NE(threads, nullptr);
  EXPECT_EQ(Found(*threads, 41), nullptr);
  ThreadRecord* record = threads->Enter(41, "main", kWithoutSites, 1);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(Found(*threads, 41), record->shared);
  EXPECT_EQ(record->java_thread_id, 41);
  EXPECT_EQ(record->shared->countdown.load(), 0);
  EXPECT_EQ(record->shared->site.load(), 0);
  threads->Leave(record);
  EXPECT_EQ(Found(*threads, 41), nullptr);
}

TEST(ThreadRegistryTest, AnEndedThreadIsVisitedOnceMoreAndThenGone) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* first = threads->Enter(1, "first", kWithoutSites, 1);
  threads->Enter(2, "second", kWithoutSites, 1);
  EXPECT_THAT(Visited(*threads), ElementsAre("first", "second"));
  EXPECT_EQ(threads->size(), 2u);
  threads->Leave(first);
  EXPECT_EQ(threads->size(), 2u);
  EXPECT_THAT(Visited(*threads), ElementsAre("first", "second"));
  EXPECT_EQ(threads->size(), 1u);
  EXPECT_THAT(Visited(*threads), ElementsAre("second"));
}

TEST(ThreadRegistryTest, AThreadThatEndsDuringItsVisitIsVisitedAgain) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* record = threads->Enter(1, "t", kWithoutSites, 1);
  threads->ForEach([&](ThreadRecord& visited) { threads->Leave(&visited); });
  ASSERT_EQ(threads->size(), 1u);
  EXPECT_TRUE(record->common.ended.load());
  EXPECT_THAT(Visited(*threads), ElementsAre("t"));
  EXPECT_THAT(Visited(*threads), IsEmpty());
}

TEST(ThreadRegistryTest, HiddenThreadsAreNotFoundAndMakeRoomForOthers) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* first = threads->Enter(1, "first", kWithoutSites, 1);
  threads->Enter(2, "second", kWithoutSites, 1);
  threads->HideAll();
  EXPECT_EQ(Found(*threads, 1), nullptr);
  EXPECT_EQ(Found(*threads, 2), nullptr);
  const ThreadRecord* again = threads->Enter(1, "again", kWithoutSites, 1);
  EXPECT_EQ(Found(*threads, 1), again->shared);
  threads->Leave(first);
  EXPECT_EQ(Found(*threads, 1), again->shared) << "the entry is no longer the first one's";
  EXPECT_EQ(threads->size(), 3u);
}

TEST(ThreadRegistryTest, TheSecondOfTwoThreadsWithEqualLowBitsHasNoEntry) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* first = threads->Enter(5, "first", kWithoutSites, 1);
  ThreadRecord* second = threads->Enter(5 + kTableSize, "second", kWithoutSites, 1);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(Found(*threads, 5), first->shared);
  EXPECT_EQ(Found(*threads, 5 + kTableSize), nullptr);
  // Its end does not take the entry away from the thread that has it.
  threads->Leave(second);
  EXPECT_EQ(Found(*threads, 5), first->shared);
  // A later thread can have the entry when it is free again.
  threads->Leave(first);
  ThreadRecord* third = threads->Enter(5 + 2 * kTableSize, "third", kWithoutSites, 1);
  EXPECT_EQ(Found(*threads, 5 + 2 * kTableSize), third->shared);
  EXPECT_EQ(Found(*threads, 5), nullptr);
}

TEST(ThreadRegistryTest, ThreadsHaveIdsInOrderAndRandomnessOfTheirOwn) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* a = threads->Enter(1, "a", kWithoutSites, 77);
  ThreadRecord* b = threads->Enter(2, "b", kWithoutSites, 77);
  EXPECT_EQ(a->id, ThreadId{0});
  EXPECT_EQ(b->id, ThreadId{1});
  const uint64_t of_a = a->own.random.Next();
  EXPECT_NE(of_a, b->own.random.Next());
  // Equal seeds give equal runs.
  const auto again = ThreadRegistry::Create();
  EXPECT_EQ(again->Enter(9, "a", kWithoutSites, 77)->own.random.Next(), of_a);
}

TEST(ThreadRegistryTest, TheStackOfTheCallingThreadIsKnown) {
  const auto threads = ThreadRegistry::Create();
  const ThreadRecord* record = threads->Enter(1, "t", kWithoutSites, 1);
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  EXPECT_GT(record->stack_end, here);
  EXPECT_LT(record->stack_end - here, uintptr_t{1} << 26);
}

TEST(ThreadRegistryTest, CallSitesHaveZeroedCountersUpToTheLastSite) {
  const auto threads = ThreadRegistry::Create();
  ThreadRecord* record = threads->Enter(1, "t", kWithSites, 1);
  SiteWay& last = record->shared->sites()[kMaxSites - 1].ways[kSiteWays - 1];
  EXPECT_EQ(last.method.load(), 0);
  last.count.store(3);
  EXPECT_EQ(reinterpret_cast<char*>(&last + 1) - reinterpret_cast<char*>(record->shared),
            static_cast<std::ptrdiff_t>(record->shared_bytes));
}

}  // namespace
}  // namespace yp::hotspot
