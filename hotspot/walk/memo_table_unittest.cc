#include "hotspot/walk/memo_table.h"

#include <gtest/gtest.h>

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
