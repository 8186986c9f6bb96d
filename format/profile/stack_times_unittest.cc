#include "format/profile/stack_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/time_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const auto kSame = [](ContextId context) { return context; };
const auto kSameThread = [](ThreadId thread) { return thread; };

TEST(StackTimesTest, PartsAreAsLongAsTheRunNeeds) {
  EXPECT_EQ(PartNs(0), 10 * kMs);
  EXPECT_EQ(PartNs(640 * kMs), 10 * kMs);
  EXPECT_EQ(PartNs(640 * kMs + 1), 20 * kMs);
  EXPECT_GE(PartNs(INT64_MAX), INT64_MAX / (4 * kMaxParts));
}

TEST(StackTimesTest, SamplesAreKeptByPartThreadAndContext) {
  StackTimesBuilder builder;
  builder.Take(5 * kMs, ThreadId{1}, ContextId{3}, 2);
  builder.Take(8 * kMs, ThreadId{1}, ContextId{3}, 1);
  builder.Take(12 * kMs, ThreadId{2}, ContextId{3}, 5);
  const StackTimes times =
      builder.Finish(500 * kMs, {{ThreadId{1}, "a"}, {ThreadId{2}, ""}}, kSame, kSameThread);
  EXPECT_EQ(times.part_ns, 10 * kMs);
  EXPECT_THAT(times.threads.names, ElementsAre("thread 2", "a"));
  EXPECT_THAT(times.samples, ElementsAre(StackTimes::Samples{0, 1, ContextId{3}, 3},
                                         StackTimes::Samples{1, 0, ContextId{3}, 5}));
}

TEST(StackTimesTest, ALongerRunHasLongerPartsAndNoSampleIsLost) {
  StackTimesBuilder builder;
  for (int i = 0; i < 10'000; ++i) builder.Take(i * kMs, ThreadId{1}, ContextId{1}, 1);
  builder.Take(INT64_MIN, ThreadId{1}, ContextId{1}, 1);
  const StackTimes times = builder.Finish(20'000 * kMs, {}, kSame, kSameThread);
  EXPECT_EQ(times.part_ns, 320 * kMs);
  EXPECT_THAT(times.samples, SizeIs(32));
  uint64_t sum = 0;
  for (const auto& row : times.samples) sum += row.samples;
  EXPECT_EQ(sum, 10'001u);
}

TEST(StackTimesTest, ContextsThatBecomeOneAddUp) {
  StackTimesBuilder builder;
  builder.Take(0, ThreadId{1}, ContextId{1}, 1);
  builder.Take(0, ThreadId{1}, ContextId{2}, 4);
  const StackTimes times = builder.Finish(
      kMs, {}, [](ContextId) { return ContextId{7}; }, kSameThread);
  EXPECT_THAT(times.samples, ElementsAre(StackTimes::Samples{0, 0, ContextId{7}, 5}));
}

TEST(StackTimesTest, OfNothingNothingIsKnown) {
  EXPECT_EQ(StackTimesBuilder().Finish(kMs, {}, kSame, kSameThread).part_ns, 0);
}

TEST(GroupThreadsTest, FewThreadsAreToldApartThoseOfMostWorkFirst) {
  const ThreadGrouping grouping =
      GroupThreads({{ThreadId{1}, "w-1"}, {ThreadId{2}, "w-2"}, {ThreadId{3}, "w-2"}},
                   {{ThreadId{1}, 4}, {ThreadId{2}, 3}, {ThreadId{3}, 2}});
  EXPECT_THAT(grouping.names, ElementsAre("w-2", "w-1"));
  EXPECT_EQ(grouping.group.at(ThreadId{3}), 0u);
}

TEST(GroupThreadsTest, ManyThreadsAreGroupedByTheirNamesWithoutNumbers) {
  std::vector<spool::ThreadDefinition> threads;
  std::map<ThreadId, double> work;
  for (uint32_t i = 0; i < 100; ++i) {
    threads.push_back({ThreadId{i}, (i % 2 ? "pool-7-thread-" : "http-") + std::to_string(i)});
    work[ThreadId{i}] = i;
  }
  const ThreadGrouping grouping = GroupThreads(threads, work);
  EXPECT_THAT(grouping.names, ElementsAre("pool-#-thread-#", "http-#"));
  EXPECT_EQ(grouping.group.at(ThreadId{10}), 1u);
}

TEST(GroupThreadsTest, BeyondTheBoundTheRestIsOneGroup) {
  std::vector<spool::ThreadDefinition> threads;
  std::map<ThreadId, double> work;
  for (uint32_t i = 0; i < 100; ++i) {
    threads.push_back({ThreadId{i}, std::string(i + 1, 'x')});
    work[ThreadId{i}] = 100 - i;
  }
  const ThreadGrouping grouping = GroupThreads(threads, work);
  EXPECT_THAT(grouping.names, SizeIs(kMaxThreadGroups));
  EXPECT_EQ(grouping.names.front(), "x");
  EXPECT_EQ(grouping.names.back(), "other threads");
  EXPECT_EQ(grouping.group.at(ThreadId{30}), 30u);
  EXPECT_EQ(grouping.group.at(ThreadId{31}), 31u);
  EXPECT_EQ(grouping.group.at(ThreadId{99}), 31u);
}

}  // namespace
}  // namespace yp
