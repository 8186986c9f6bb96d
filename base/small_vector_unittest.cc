#include "base/small_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp {
namespace {

using testing::ElementsAre;
using Numbers = SmallVector<int, 2>;

TEST(SmallVector, HoldsMoreThanItHasRoomFor) {
  Numbers numbers;
  EXPECT_TRUE(numbers.empty());
  for (int i = 0; i < 5; ++i) {
    numbers.push_back(i);
    EXPECT_EQ(numbers.size(), static_cast<size_t>(i + 1));
    EXPECT_EQ(numbers.back(), i);
  }
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
}

TEST(SmallVector, IsCopiedAndMovedInsideAndOutside) {
  for (const Numbers& numbers : {Numbers{1, 2}, Numbers{1, 2, 3}, Numbers{}}) {
    Numbers copy = numbers;
    EXPECT_TRUE(std::ranges::equal(copy, numbers));
    Numbers moved = std::move(copy);
    EXPECT_TRUE(std::ranges::equal(moved, numbers));
    Numbers assigned{7, 8, 9, 10};
    assigned = moved;
    moved.push_back(4);
    EXPECT_TRUE(std::ranges::equal(assigned, numbers));
    assigned = Numbers{5};
    EXPECT_THAT(assigned, ElementsAre(5));
  }
}

TEST(SmallVector, ErasesAndAssigns) {
  Numbers numbers = std::vector<int>{1, 2, 3};
  numbers.erase(numbers.begin() + 1);
  EXPECT_THAT(numbers, ElementsAre(1, 3));
  numbers.assign(3, 9);
  EXPECT_THAT(numbers, ElementsAre(9, 9, 9));
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
}

}  // namespace
}  // namespace yp
