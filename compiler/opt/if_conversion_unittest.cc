#include "compiler/opt/if_conversion.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/optimize_for_test.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;
using ir::Op;

TEST(IfConversion, MakesAValueOfAQuestion) {
  // return a == b ? 1 : 0
  const GraphForTest test("(II)I", {26, 27, 160, 0, 7, 4, 167, 0, 4, 3, 172});
  EXPECT_EQ(test.Count(Op::kIf), 1u);
  EXPECT_EQ(OptimizeAndCheck(test).Count(Op::kIf), 0u);
  EXPECT_EQ(test.Count(Op::kHolds), 1u);
}

TEST(IfConversion, CountsWithoutABranch) {
  // if (a < b) c += BY; return c
  const auto branches_left = [](uint8_t by) {
    const GraphForTest test("(III)I", {26, 27, 162, 0, 6, 132, 2, by, 28, 172});
    return OptimizeAndCheck(test).Count(Op::kIf);
  };
  EXPECT_EQ(branches_left(1), 0u);
  EXPECT_EQ(branches_left(0xff), 0u);
  EXPECT_EQ(branches_left(2), 1u);
}

TEST(IfConversion, LeavesBranchesThatDoMore) {
  // if (a < b) { c = c + 1; array[0] = c; } return c
  const GraphForTest test("(III[I)I", {26, 27, 162, 0, 10, 132, 2, 1, 45, 3, 28, 79, 28, 172});
  EXPECT_EQ(OptimizeAndCheck(test).Count(Op::kIf), 1u);
}

TEST(IfConversion, LeavesOneOfTwoValues) {
  // if (a < b) { c++; a++; } return a + c
  const GraphForTest test("(III)I", {26, 27, 162, 0, 9, 132, 2, 1, 132, 0, 1, 26, 28, 96, 172});
  EXPECT_EQ(OptimizeAndCheck(test).Count(Op::kIf), 1u);
}

TEST(IfConversion, LeavesWhetherFloatingPointNumbersAreEqual) {
  // return a == b ? 1 : 0, by dcmpl, ifne
  const GraphForTest test("(DD)I", {38, 40, 151, 154, 0, 7, 4, 167, 0, 4, 3, 172});
  EXPECT_EQ(OptimizeAndCheck(test).Count(Op::kIf), 1u);
}

}  // namespace
}  // namespace yp::compiler
