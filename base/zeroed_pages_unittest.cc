#include "base/zeroed_pages.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "base/memory_test_util.h"

namespace yp {
namespace {

// Its constructor would write all of it.
struct Large {
  std::array<std::atomic<int64_t>, (64 << 20) / sizeof(int64_t)> numbers;
};

TEST(ZeroedPagesTest, TakeMemoryWhereTheyAreTouched) {
  const int64_t before = ResidentBytes();
  InZeroedPages<Large> large;
  EXPECT_LT(ResidentBytes() - before, int64_t{sizeof(Large)} / 8);
  for (std::atomic<int64_t>& number : large->numbers) number.store(1, std::memory_order_relaxed);
  EXPECT_GT(ResidentBytes() - before, int64_t{sizeof(Large)} / 2);
  large.Clear();
  EXPECT_LT(ResidentBytes() - before, int64_t{sizeof(Large)} / 8);
  EXPECT_EQ(large->numbers.back().load(), 0);
}

}  // namespace
}  // namespace yp
