#include "compiler/backend/value_set.h"

#include <gtest/gtest.h>

#include <vector>

namespace yp::compiler {
namespace {

std::vector<size_t> NumbersOf(const ValueSet& set) {
  std::vector<size_t> numbers;
  set.Visit([&](size_t i) { numbers.push_back(i); });
  return numbers;
}

TEST(ValueSet, HasWhatIsAddedOnBothSidesOfAWord) {
  ValueSet set(130);
  for (const size_t i : {129u, 0u, 63u, 64u, 7u}) set.Add(i);
  set.Remove(7);
  EXPECT_EQ(NumbersOf(set), (std::vector<size_t>{0, 63, 64, 129}));
  EXPECT_TRUE(set.Has(64));
  EXPECT_FALSE(set.Has(65));
  EXPECT_FALSE(set.Has(7));
}

TEST(ValueSet, SaysWhetherAnythingIsNewBehindWhatIsLeftOut) {
  ValueSet all(100), other(100), without(100);
  other.Add(3);
  other.Add(99);
  without.Add(3);
  EXPECT_TRUE(all.AddAll(other, without));
  EXPECT_EQ(NumbersOf(all), std::vector<size_t>{99});
  EXPECT_FALSE(all.AddAll(other, without)) << "nothing is new the second time";
  all.AddAll(other);
  EXPECT_EQ(NumbersOf(all), (std::vector<size_t>{3, 99}));
}

}  // namespace
}  // namespace yp::compiler
