#include "hotspot/probes/patch/entry_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kMany = 1'000'000'000;

class EntryCountersTest : public ::testing::Test {
 protected:
  // A gap of 100 ms in which each entry that is wanted makes so many calls, at the gap's begin if
  // it uses up what it is granted.
  void Gap(const std::vector<int64_t>& calls) {
    std::vector<bool> is_wanted;
    for (size_t i = 0; i < calls.size(); ++i) {
      is_wanted.push_back(counters_.Wants(entries_[i]));
    }
    counters_.BeginGap(now_ns_);
    std::vector<int64_t> left(calls.size());
    std::vector<std::optional<int64_t>> used_up_ns(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      if (!is_wanted[i]) {
        counters_.Skip(static_cast<uint32_t>(i), &entries_[i]);
        continue;
      }
      int64_t quota = counters_.Begin(&entries_[i]);
      int64_t more = quota;
      for (; quota <= calls[i] && more > 0; quota += more) more = counters_.Grant(&entries_[i]);
      left[i] = quota - calls[i];
      if (left[i] <= 0) used_up_ns[i] = now_ns_ + kMs;
    }
    now_ns_ += 100 * kMs;
    counters_.EndGap(now_ns_);
    for (size_t i = 0; i < calls.size(); ++i) {
      if (is_wanted[i]) {
        counters_.End(static_cast<uint32_t>(i), left[i], used_up_ns[i], &entries_[i]);
      }
    }
    now_ns_ += 8 * kMs;
  }
  // (entry, first gap, end, calls) of each run, and of how many ms of the next gap.
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint64_t, int64_t>> Take() {
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint64_t, int64_t>> runs;
    EntryCounters::Told told =
        counters_.Take([this](uint32_t number) { return &entries_[number]; });
    gaps_ = told.gaps;
    uses_.clear();
    for (const auto& [number, end] : told.uses) uses_.emplace_back(number, end);
    for (const auto& [number, first, end, part_ns, calls] : told.counts) {
      runs.emplace_back(number, first, end, calls, part_ns / kMs);
    }
    return runs;
  }

  EntryCounters counters_;
  std::array<EntryCounters::Entry, 3> entries_{};
  int64_t now_ns_ = kMs;
  std::vector<CountedEntries::Gap> gaps_;
  std::vector<std::pair<uint32_t, uint32_t>> uses_;  // (entry, end gap).
};

TEST_F(EntryCountersTest, AllCallsOfAnEntryAreToldWithTheGapsThatTheyAreOf) {
  Gap({10, 0});
  Gap({0, 0});
  Gap({1000, 0});
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 3u, 1010u, 0), std::tuple(1u, 0u, 3u, 0u, 0)));
  ASSERT_THAT(gaps_, SizeIs(3));
  EXPECT_EQ(gaps_[1].begin_ns, 109 * kMs);
  EXPECT_EQ(gaps_[1].end_ns, 209 * kMs);
  // What is told later has gaps of its own.
  Gap({7, 0});
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 1u, 7u, 0), std::tuple(1u, 0u, 1u, 0u, 0)));
  EXPECT_THAT(gaps_, SizeIs(1));
  EXPECT_THAT(Take(), IsEmpty());
}

TEST_F(EntryCountersTest, OfAGapInWhichTheQuotaWasUsedUpTheBeginningIsTold) {
  Gap({10});
  Gap({kMany});
  const int64_t used = entries_[0].granted.load();
  EXPECT_GT(used, 1000);
  // It is not counted in the two gaps that follow.
  Gap({20});
  Gap({20});
  Gap({30});
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 1u, static_cast<uint64_t>(used + 10), 1),
                                  std::tuple(0u, 4u, 5u, 30u, 0)));
  // Nor is there a whole gap before it.
  for (int gap = 0; gap < 3; ++gap) Gap({0});
  Take();
  Gap({kMany});
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 0u, static_cast<uint64_t>(used), 1)));
}

TEST_F(EntryCountersTest, WhatIsInUseAndNotCountedIsToldOnceWithItsLatestGap) {
  Gap({kMany, 10});
  EXPECT_THAT(Take(), SizeIs(2));
  EXPECT_THAT(uses_, IsEmpty());
  Gap({20, 10});
  Gap({20, 10});
  Gap({20, 10});
  Take();
  EXPECT_THAT(uses_, ElementsAre(std::pair(0u, 2u)));
  Take();
  EXPECT_THAT(uses_, IsEmpty());
}

TEST_F(EntryCountersTest, AnEntryThatIsOftenCalledIsTriedAgainLaterEachTime) {
  std::vector<int> counted;
  for (int gap = 0; gap < 140; ++gap) {
    const double before = counters_.cost_ns();
    Gap({kMany});
    if (counters_.cost_ns() > before) counted.push_back(gap);
  }
  // 2, 4, 8, 16, 32 and 32 gaps are left out.
  EXPECT_THAT(counted, ElementsAre(0, 3, 8, 17, 34, 67, 100, 133));
  // A gap in which all is counted makes it half as long: 8 after two.
  for (int gap = 140; gap < 168; ++gap) Gap({0});
  counted.clear();
  for (int gap = 168; gap < 178; ++gap) {
    const double before = counters_.cost_ns();
    Gap({kMany});
    if (counters_.cost_ns() > before) counted.push_back(gap);
  }
  EXPECT_THAT(counted, ElementsAre(168));
}

TEST_F(EntryCountersTest, AnEntryCostsNoMoreThanItMayAndAllTogetherNoMoreThanThePool) {
  Gap({kMany});
  EXPECT_LE(counters_.cost_ns(), EntryCounters::kMostEntryNs);
  EXPECT_GT(counters_.cost_ns(), EntryCounters::kMostEntryNs / 8);
  // Of those that are not often called, for so long that what was kept is used up.
  EntryCounters counters;
  std::vector<EntryCounters::Entry> many(2000);
  for (int gap = 1; gap <= 20; ++gap) {
    counters.BeginGap(gap * 100 * kMs);
    for (EntryCounters::Entry& entry : many) {
      if (gap % 2 != 0) continue;  // Half of the gaps have no calls.
      counters.Begin(&entry);
      counters.Grant(&entry);
      counters.Grant(&entry);
    }
    counters.EndGap(gap * 100 * kMs + 1);
    for (uint32_t i = 0; i < many.size() && gap % 2 == 0; ++i) counters.End(i, 0, {}, &many[i]);
  }
  const double first_quotas_ns = 10 * 2000 * EntryCounters::CostNs(EntryCounters::kFirstCalls);
  EXPECT_GT(counters.cost_ns(), 20 * EntryCounters::kGapNs / 2);
  EXPECT_LE(counters.cost_ns() - first_quotas_ns, 20 * EntryCounters::kGapNs + 1);
}

TEST_F(EntryCountersTest, WhatIsNotUsedOfAGrantGoesBackToThePool) {
  // Each gap grants 16 times the first quota, and one call is made of it.
  for (int gap = 0; gap < 100; ++gap) {
    counters_.BeginGap(now_ns_);
    counters_.Begin(&entries_[0]);
    for (int i = 0; i < 2; ++i) ASSERT_GT(counters_.Grant(&entries_[0]), 0) << gap;
    counters_.EndGap(now_ns_ += 100 * kMs);
    const int64_t granted = entries_[0].granted.load();
    counters_.End(0, granted - EntryCounters::kFirstCalls - 1, {}, &entries_[0]);
  }
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 100u, 6500u, 0)));
}

TEST_F(EntryCountersTest, ARecordingKnowsNothingOfTheOneBefore) {
  Gap({kMany, 10});
  counters_.Clear();
  for (EntryCounters::Entry& entry : entries_) entry.Clear();
  EXPECT_EQ(counters_.cost_ns(), 0);
  Gap({10, 10});
  EXPECT_THAT(Take(), ElementsAre(std::tuple(0u, 0u, 1u, 10u, 0), std::tuple(1u, 0u, 1u, 10u, 0)));
}

}  // namespace
}  // namespace yp::hotspot
