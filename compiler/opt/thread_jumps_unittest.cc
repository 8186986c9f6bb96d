#include "compiler/opt/thread_jumps.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/optimize_for_test.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;
using ir::Op;

// Flags are 2 and 0, of which if-conversion makes nothing.
size_t BranchesLeft(const GraphForTest& test) {
  OptimizeAndCheck(test);
  return test.Count(Op::kIf) + test.Count(Op::kSwitch);
}

TEST(ThreadJumps, SkipsTheQuestionWhereTheAnswerIsKnown) {
  // int flag = a == b ? 2 : 0; return flag != 0 ? 5 : 4
  const GraphForTest test("(II)I", {26, 27, 160, 0, 7, 5, 167, 0, 4, 3, 153, 0, 5, 8, 172, 7, 172});
  EXPECT_EQ(test.Count(Op::kIf), 2u);
  EXPECT_EQ(BranchesLeft(test), 1u);
  EXPECT_EQ(test.Count(Op::kPhi), 0u);
  EXPECT_EQ(test.Count(Op::kReturn), 2u);
}

TEST(ThreadJumps, KeepsTheQuestionForOtherPaths) {
  // int flag = a == b ? 1 : b; return flag != 0 ? 5 : 4
  const GraphForTest test("(II)I",
                          {26, 27, 160, 0, 7, 4, 167, 0, 4, 27, 153, 0, 5, 8, 172, 7, 172});
  EXPECT_EQ(BranchesLeft(test), 2u);
  EXPECT_EQ(test.Count(Op::kPhi), 0u);
}

TEST(ThreadJumps, GoesThroughPlacesThatOnlyJoinPaths) {
  // flag = a == 0 ? 0 : (b == 0 ? 0 : 2), the inner one joined first; return flag != 0 ? 5 : 4
  const GraphForTest test("(II)I", {26, 154, 0, 7, 3,   167, 0, 15,  // ifne 8, goto 20
                                    27, 154, 0, 7, 3,   167, 0, 4,   // ifne 16, goto 17
                                    5,  167, 0, 3, 153, 0,   5, 8,  172, 7, 172});
  EXPECT_EQ(test.Count(Op::kIf), 3u);
  EXPECT_EQ(BranchesLeft(test), 2u);
  EXPECT_EQ(test.Count(Op::kPhi), 0u);
}

TEST(ThreadJumps, LeavesWhatIsUsedBehindTheBranch) {
  // flag = a == b ? 2 : 0; return flag != 0 ? flag : 4
  const GraphForTest test("(II)I",
                          {26, 27, 160, 0, 7, 5, 167, 0, 4, 3, 61, 28, 153, 0, 5, 28, 172, 7, 172});
  EXPECT_EQ(BranchesLeft(test), 2u);
}

TEST(ThreadJumps, KnowsThatANewObjectIsNotNull) {
  // Object o = a == 0 ? null : new C; return o == null ? 5 : 4
  const GraphForTest test(
      "(I)I", {26, 154, 0, 7, 1, 167, 0, 6, 187, 0, 7, 199, 0, 5, 8, 172, 7, 172}, FieldsForTest());
  EXPECT_EQ(test.Count(Op::kIf), 2u);
  EXPECT_EQ(BranchesLeft(test), 1u);
}

// int flag = a == 0 ? 0 : b; while (true) { if (flag != 0) return 5; flag = b; }: two paths come to
// the loop's header, and one of them knows the answer.
TEST(ThreadJumps, DoesNotEnterALoopBesideItsHeader) {
  const GraphForTest test("(II)I", {26, 154, 0, 8, 3, 61,  167, 0,  5,   27,  61,
                                    28, 153, 0, 5, 8, 172, 27,  61, 167, 255, 248});
  EXPECT_EQ(BranchesLeft(test), 2u);
  EXPECT_TRUE(test.graph->Analyze());
}

TEST(ThreadJumps, ThreadsSwitches) {
  // switch (a == b ? 2 : 0) { case 2: return 5; default: return 4; }, by a lookupswitch at 11
  const GraphForTest test(
      "(II)I", {26, 27, 160, 0,  7, 5, 167, 0, 4, 3, 171, 0,  // 2: if_icmpne 9
                0,  0,  0,   20, 0, 0, 0,   1, 0, 0, 0,   2, 0, 0, 0, 18, 8, 172, 7, 172});
  EXPECT_EQ(test.Count(Op::kSwitch), 1u);
  EXPECT_EQ(BranchesLeft(test), 1u);
}

}  // namespace
}  // namespace yp::compiler
