#include "base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace yp {
namespace {

// Chi-square over 16 equal cells, 15 degrees of freedom: 44.26 is the 0.0001 point, so a sound
// source fails for one seed in 10,000; the seed is fixed.
TEST(RandomTest, UniformFromOneToFillsEveryCellEqually) {
  Xoshiro256 random(42);
  std::array<int, 16> cells{};
  constexpr int kDraws = 160'000;
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t x = random.UniformFromOneTo(16);
    ASSERT_GE(x, 1u);
    ASSERT_LE(x, 16u);
    ++cells[x - 1];
  }
  double chi_square = 0;
  for (const int n : cells) chi_square += (n - 10'000.0) * (n - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_square, 44.26);
  EXPECT_GT(chi_square, 2.0) << "too even to be random";
}

TEST(RandomTest, EqualSeedsGiveEqualStreamsAndOthersDoNot) {
  Xoshiro256 a(1), b(1), c(2);
  EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(a.Next(), c.Next());
}

TEST(RandomTest, UniformOpenClosedIsNeverZero) {
  class Zero final : public RandomSource {
    uint64_t Next() override { return 0; }
  } zero;
  EXPECT_GT(zero.UniformOpenClosed(), 0.0);
  class Ones final : public RandomSource {
    uint64_t Next() override { return ~uint64_t{0}; }
  } ones;
  EXPECT_EQ(ones.UniformOpenClosed(), 1.0);
}

}  // namespace
}  // namespace yp
