#include "compiler/opt/optimize.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/dead_code.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/fold.h"
#include "compiler/opt/loop_invariants.h"
#include "compiler/opt/optimize_for_test.h"
#include "compiler/opt/range_checks.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;
using ir::Op;

TEST(Fold, WrapsAsJavaDoes) {
  EXPECT_EQ(Evaluate(Op::kAdd, Kind::kInt, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(Evaluate(Op::kMul, Kind::kInt, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(Evaluate(Op::kDiv, Kind::kInt, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(Evaluate(Op::kDiv, Kind::kLong, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(Evaluate(Op::kRem, Kind::kInt, -7, 2), -1);
  EXPECT_EQ(Evaluate(Op::kShl, Kind::kInt, 1, 33), 2);
  EXPECT_EQ(Evaluate(Op::kUshr, Kind::kInt, -1, 28), 15);
  EXPECT_EQ(Evaluate(Op::kUshr, Kind::kLong, -1, 60), 15);
  EXPECT_EQ(Evaluate(Op::kShr, Kind::kInt, INT32_MIN, 31), -1);
}

TEST(Fold, ComparesInTheBranchAndKeepsWhatIsNoNumber) {
  // dload_0, dload_2, dcmpg, ifge: not taken where a < b only
  const GraphForTest test("(DD)I", {38, 40, 152, 156, 0, 5, 4, 172, 3, 172});
  NumberValues(*test.graph);
  RemoveDeadCode(*test.graph);
  EXPECT_EQ(test.Count(Op::kCompare), 0u);
  for (const ir::Block* const block : test.graph->order) {
    if (block->end()->op == Op::kIf) {
      EXPECT_TRUE(block->end()->nan_holds);
    }
  }
}

TEST(Fold, RemovesTheWayThatIsNeverTaken) {
  // iload_0, iconst_0, iand, ifne: never
  const GraphForTest test("(I)I", {26, 3, 126, 154, 0, 5, 5, 172, 3, 172});
  EXPECT_EQ(test.Count(Op::kIf), 1u);
  OptimizeAndCheck(test);
  EXPECT_EQ(test.Count(Op::kIf), 0u);
  EXPECT_EQ(test.Count(Op::kReturn), 1u);
}

TEST(ValueNumbering, ChecksAndComputesOnce) {
  // a[i] + a[i]
  const GraphForTest test("([II)I", {42, 27, 46, 42, 27, 46, 96, 172});
  EXPECT_EQ(test.Count(Op::kBoundsCheck), 2u);
  NumberValues(*test.graph);
  test.Check();
  EXPECT_EQ(test.Count(Op::kNullCheck), 1u);
  EXPECT_EQ(test.Count(Op::kArrayLength), 1u);
  EXPECT_EQ(test.Count(Op::kBoundsCheck), 1u);
  EXPECT_EQ(test.Count(Op::kLoadElement), 1u);
}

TEST(ValueNumbering, KnowsWhatABranchHasFound) {
  // a == null ? 0 : a.length
  const GraphForTest test("([I)I", {42, 199, 0, 5, 3, 172, 42, 190, 172});
  NumberValues(*test.graph);
  test.Check();
  EXPECT_EQ(test.Count(Op::kNullCheck), 0u);
}

TEST(ValueNumbering, KnowsWhichClassABranchHasFound) {
  FakeLinkage linkage;
  linkage.types[1] = {true, ConstantId{7}};
  linkage.types[2] = {true, ConstantId{8}};
  const auto casts_left = [&](uint8_t jump, uint8_t cast_to) {
    // aload_0, instanceof 1, jump over it, aload_0, checkcast, areturn, aconst_null, areturn
    const GraphForTest test("(Ljava/lang/Object;)Ljava/lang/Object;",
                            {42, 193, 0, 1, jump, 0, 8, 42, 192, 0, cast_to, 176, 1, 176}, linkage);
    NumberValues(*test.graph);
    return test.Count(Op::kCastCheck);
  };
  EXPECT_EQ(casts_left(153, 1), 0u);
  EXPECT_EQ(casts_left(153, 2), 1u) << "another class";
  EXPECT_EQ(casts_left(154, 1), 1u) << "where it is none";
}

TEST(ValueNumbering, KnowsWhatWasAskedBefore) {
  // if (a < b) return b OPCODE a ? 5 : 4; return 3
  const auto branches_left = [](uint8_t jump) {
    const GraphForTest test("(II)I",
                            {26, 27, 162, 0, 12, 27, 26, jump, 0, 5, 8, 172, 7, 172, 6, 172});
    return OptimizeAndCheck(test).Count(Op::kIf);
  };
  constexpr uint8_t kIfEqual = 159, kIfNotEqual = 160, kIfLess = 161, kIfGreaterOrEqual = 162,
                    kIfGreater = 163, kIfLessOrEqual = 164;
  for (const uint8_t jump :
       {kIfEqual, kIfNotEqual, kIfLess, kIfGreaterOrEqual, kIfGreater, kIfLessOrEqual}) {
    EXPECT_EQ(branches_left(jump), 1u) << int{jump};
  }
}

TEST(ValueNumbering, DoesNotTakeAnEqualLimitForALesserOne) {
  // if (a <= b) return a < b ? 5 : 4; return 3
  const GraphForTest test("(II)I", {26, 27, 163, 0, 12, 26, 27, 162, 0, 5, 8, 172, 7, 172, 6, 172});
  OptimizeAndCheck(test);
  EXPECT_EQ(test.Count(Op::kIf), 2u);
}

TEST(ValueNumbering, KnowsNothingOfWhatIsNoNumber) {
  // if (!(a < b)) return a >= b ? 5 : 4; return 3: neither holds where one is no number.
  const GraphForTest test(
      "(DD)I", {38, 40, 152, 155, 0, 13, 38, 40, 151, 155, 0, 5, 8, 172, 7, 172, 6, 172});
  OptimizeAndCheck(test);
  EXPECT_EQ(test.Count(Op::kIf), 2u);
}

TEST(ValueNumbering, KnowsThatWhatHasBeenUsedIsNotNull) {
  // a.length; return a == null ? 5 : 4
  const GraphForTest test("([I)I", {42, 190, 87, 42, 199, 0, 5, 8, 172, 7, 172});
  OptimizeAndCheck(test);
  EXPECT_EQ(test.Count(Op::kIf), 0u);
}

TEST(ValueNumbering, AsksForTheClassOnce) {
  FakeLinkage linkage;
  linkage.types[1] = {true, ConstantId{7}};
  linkage.types[2] = {true, ConstantId{8}};
  const auto questions_left = [&](uint8_t jump, uint8_t second) {
    // a instanceof 1, jump over: return a instanceof SECOND; return 0
    const GraphForTest test("(Ljava/lang/Object;)I",
                            {42, 193, 0, 1, jump, 0, 8, 42, 193, 0, second, 172, 3, 172}, linkage);
    return OptimizeAndCheck(test).Count(Op::kInstanceOf);
  };
  EXPECT_EQ(questions_left(153, 1), 1u);
  EXPECT_EQ(questions_left(153, 2), 2u) << "another class";
}

TEST(ValueNumbering, TakesNothingFromTheOtherSideOfABranch) {
  // b == 0 ? a.length : a.length
  const GraphForTest test("([II)I", {27, 153, 0, 6, 42, 190, 172, 42, 190, 172});
  NumberValues(*test.graph);
  test.Check();
  EXPECT_EQ(test.Count(Op::kNullCheck), 2u);
}

TEST(ValueNumbering, CallsAFunctionOfValuesOnce) {
  // sin(x) + sin(x), sin(x) + cos(x), sin(x) + sin(y)
  const auto calls_left = [](uint8_t function, uint8_t load) {
    const GraphForTest test("(DD)D", {38, 184, 0, 9, load, 184, 0, function, 99, 175},
                            FieldsForTest());
    NumberValues(*test.graph);
    test.Check();
    return test.Count(Op::kLeafValue);
  };
  EXPECT_EQ(calls_left(9, 38), 1u);
  EXPECT_EQ(calls_left(10, 38), 2u);
  EXPECT_EQ(calls_left(9, 40), 2u);
}

TEST(ValueNumbering, ReadsTheTimeAsOftenAsItIsToldTo) {
  // nanoTime() - nanoTime(), both popped
  const GraphForTest test("()V", {184, 0, 11, 184, 0, 11, 101, 88, 177}, FieldsForTest());
  OptimizeAndCheck(test);
  EXPECT_EQ(test.Count(Op::kLeafCall), 2u);
}

TEST(DeadCode, RemovesCallsOfFunctionsOfValues) {
  const GraphForTest test("(D)V", {38, 184, 0, 9, 88, 177}, FieldsForTest());
  EXPECT_EQ(RemoveDeadCode(*test.graph), 1u);
  EXPECT_EQ(test.Count(Op::kLeafValue), 0u);
}

// do { if (i == 0) sum += sin(x); sum += cos(x); nanoTime(); } while (--i != 0); return sum;
TEST(LoopInvariants, MovesCallsThatEachIterationMakes) {
  const GraphForTest test("(DI)D", {14,  74,                                 // sum, in 3
                                    28,  154, 0,  10, 41,  38, 184, 0,  9,   // 2: iload_2, ifne 13
                                    99,  74,  41, 38, 184, 0,  10,  99, 74,  // 13: dload_3, dload_0
                                    184, 0,   11, 88, 132, 2,  255, 28, 154, 255, 230, 41, 175},
                          FieldsForTest());
  for (const Loop& loop : LoopsOf(*test.graph)) MoveInvariants(*test.graph, loop, true);
  test.Check();
  EXPECT_EQ(test.Count(Op::kLeafValue), 2u);
  EXPECT_EQ(test.CountInLoops(Op::kLeafValue), 1u);
  EXPECT_EQ(test.CountInLoops(Op::kLeafCall), 1u);
}

TEST(DeadCode, RemovesValuesThatNothingUsesAndKeepsWhatTheyCheck) {
  // a / b, popped
  const GraphForTest test("(II)I", {26, 27, 108, 87, 26, 172});
  EXPECT_EQ(RemoveDeadCode(*test.graph), 1u);
  test.Check();
  EXPECT_EQ(test.Count(Op::kDiv), 0u);
  EXPECT_EQ(test.Count(Op::kZeroCheck), 1u);
}

TEST(LoopInvariants, MovesWhatIsTheSameInAllIterations) {
  const GraphForTest test("([II)I", ir::SumLoop());
  for (const Loop& loop : LoopsOf(*test.graph)) MoveInvariants(*test.graph, loop, true);
  test.Check();
  EXPECT_EQ(test.CountInLoops(Op::kNullCheck), 0u);
  EXPECT_EQ(test.CountInLoops(Op::kArrayLength), 0u);
  EXPECT_EQ(test.CountInLoops(Op::kBoundsCheck), 1u);
}

TEST(LoopInvariants, LeavesChecksWhereTheyAreWithoutSpeculation) {
  const GraphForTest test("([II)I", ir::SumLoop());
  for (const Loop& loop : LoopsOf(*test.graph)) MoveInvariants(*test.graph, loop, false);
  test.Check();
  EXPECT_EQ(test.CountInLoops(Op::kNullCheck), 1u);
  EXPECT_EQ(test.CountInLoops(Op::kArrayLength), 1u);  // It needs the check.
}

TEST(LoopInvariants, LeaveWithTheStateAtTheLoopsStart) {
  const GraphForTest test("([II)I", ir::SumLoop());
  for (Loop& loop : LoopsOf(*test.graph)) {
    MoveInvariants(*test.graph, loop, true);
    const ir::Node* const check = loop.entry->nodes.front();
    ASSERT_EQ(check->op, Op::kNullCheck);
    EXPECT_EQ(check->trap, Trap::kSpeculation);
    EXPECT_EQ(check->state->bci, 4u);
    EXPECT_TRUE(check->state->stack.empty());
    EXPECT_TRUE(ir::IsConstant(ir::Resolve(check->state->locals[2])));  // The sum is 0 yet.
  }
}

TEST(RangeChecks, AreMadeOnceForALoopThatCounts) {
  const GraphForTest test("([II)I", ir::SumLoop());
  for (Loop& loop : LoopsOf(*test.graph)) {
    MoveInvariants(*test.graph, loop, true);
    EXPECT_EQ(MoveRangeChecks(*test.graph, loop), 1u);
  }
  test.Check();
  EXPECT_EQ(test.Count(Op::kBoundsCheck), 0u);
  // The first index is 0: only the last one has to be checked, and the step cannot wrap.
  EXPECT_EQ(test.Count(Op::kLimitCheck), 1u);
}

TEST(RangeChecks, StayWhereTheStepIsNotTheSame) {
  // The same loop, but the counter is doubled: iload_3 iload_3 iadd istore_3
  const GraphForTest test("([II)I", {3,  61, 3,  62, 29, 27, 162, 0,   16,  28,  42, 29,
                                     46, 96, 61, 29, 29, 96, 62,  167, 255, 241, 28, 172});
  for (Loop& loop : LoopsOf(*test.graph)) {
    MoveInvariants(*test.graph, loop, true);
    EXPECT_EQ(MoveRangeChecks(*test.graph, loop), 0u);
  }
  test.Check();
  EXPECT_EQ(test.Count(Op::kBoundsCheck), 1u);
}

}  // namespace
}  // namespace yp::compiler
