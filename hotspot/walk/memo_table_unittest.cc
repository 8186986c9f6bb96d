#include "hotspot/walk/memo_table.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>

namespace yp::hotspot {
namespace {

using Memo = MemoTable<2, 2, 4>;

TEST(MemoTableTest, FindsWhatWasPut) {
  Memo memo;
  Memo::Value value{};
  EXPECT_FALSE(memo.Find({1, 2}, value));
  memo.Put({1, 2}, {3, 4});
  ASSERT_TRUE(memo.Find({1, 2}, value));
  EXPECT_EQ(value, (Memo::Value{3, 4}));
  EXPECT_FALSE(memo.Find({2, 1}, value));
  EXPECT_FALSE(memo.Find({1, 3}, value));
}

TEST(MemoTableTest, ALaterValueReplacesTheEarlierOne) {
  Memo memo;
  memo.Put({1, 2}, {3, 4});
  memo.Put({1, 2}, {5, 6});
  Memo::Value value{};
  ASSERT_TRUE(memo.Find({1, 2}, value));
  EXPECT_EQ(value, (Memo::Value{5, 6}));
}

TEST(MemoTableTest, AKeyOfZerosIsNotFoundInASlotThatWasNeverWritten) {
  Memo memo;
  Memo::Value value{};
  EXPECT_FALSE(memo.Find({0, 0}, value));
}

TEST(MemoTableTest, HoldsTheLatestKeyOfEachSlotAndNeverAnothersValue) {
  Memo memo;
  constexpr uint64_t kKeys = 1000;
  for (uint64_t k = 1; k <= kKeys; ++k) memo.Put({k, ~k}, {k * k, k + 1});
  size_t found = 0;
  for (uint64_t k = 1; k <= kKeys; ++k) {
    Memo::Value value{};
    if (!memo.Find({k, ~k}, value)) continue;
    ++found;
    EXPECT_EQ(value, (Memo::Value{k * k, k + 1}));
  }
  EXPECT_EQ(found, 16u);  // One for each slot: a thousand keys have met them all.
}

int64_t PageFaults() {
  rusage usage{};
  EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
  return usage.ru_minflt;
}

// A page that is read first is mapped twice, and the second time all processors are interrupted.
// (Sanitizers have page faults of their own where something is put.)
TEST(MemoTableTest, LooksAtNoPageBeforeSomethingIsPutThere) {
  MemoTable<4, 1, 14> memo;
  MemoTable<4, 1, 14>::Value value{};
  constexpr uint64_t kKeys = 1000;
  constexpr int64_t kPages = (int64_t{48} << 14) / 4096;
  const auto find_all = [&] {
    const int64_t before = PageFaults();
    for (uint64_t k = 1; k <= kKeys; ++k) memo.Find({k, 0, 0, 0}, value);
    return PageFaults() - before;
  };
  EXPECT_LE(find_all(), kPages / 10);
  const int64_t before = PageFaults();
  for (uint64_t k = 1; k <= kKeys; ++k) memo.Put({k, 0, 0, 0}, {k});
  EXPECT_GE(PageFaults() - before, kPages * 9 / 10) << "the keys are spread over the pages";
  EXPECT_LE(find_all(), kPages / 10);
}

TEST(MemoTableTest, KeysThatDifferInOneWordSpreadOverTheSlots) {
  MemoTable<4, 1, 10> memo;
  MemoTable<4, 1, 10>::Value value{};
  // Call sites of one method: pcs a few bytes apart, all else equal.
  constexpr uint64_t kPc = 0x7f12'3456'7000, kSites = 256;
  for (uint64_t i = 0; i < kSites; ++i) memo.Put({kPc, kPc + 5 * i, 7, 9}, {i});
  size_t found = 0;
  for (uint64_t i = 0; i < kSites; ++i) found += memo.Find({kPc, kPc + 5 * i, 7, 9}, value);
  // 256 balls in 1024 bins: 226 bins are hit on average, with a deviation of 4.8.
  EXPECT_GT(found, 200u);
}

}  // namespace
}  // namespace yp::hotspot
