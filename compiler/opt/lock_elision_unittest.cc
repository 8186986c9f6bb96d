#include "compiler/opt/lock_elision.h"

#include <gtest/gtest.h>

#include <vector>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using Bytes = std::vector<uint8_t>;
using ir::GraphForTest;
using ir::Op;

// Of a static method with an object a and an int n. x, the new object, is local 2.
class LockElision : public testing::Test {
 protected:
  // How many entries are left of: x = new; synchronized (x) { INSIDE } BEHIND; return 0.
  static size_t Left(const Bytes& inside, const Bytes& behind = {}) {
    Bytes code = {187, 0, 7, 77, 44, 194};
    code.insert(code.end(), inside.begin(), inside.end());
    code.insert(code.end(), {44, 195});
    code.insert(code.end(), behind.begin(), behind.end());
    code.insert(code.end(), {3, 172});
    return LeftOf(code);
  }
  static size_t LeftOf(const Bytes& code) {
    const GraphForTest test("(Ljava/lang/Object;I)I", code, FieldsForTest());
    NumberValues(*test.graph);
    const size_t before = test.Count(Op::kMonitorEnter);
    const size_t gone = ElideLocks(*test.graph);
    test.Check();
    EXPECT_EQ(test.Count(Op::kMonitorEnter), before - gone);
    EXPECT_EQ(test.Count(Op::kMonitorExit), before - gone);
    return before - gone;
  }
};

// x.field2 = n
const Bytes kStoreField = {44, 27, 181, 0, 2};

TEST_F(LockElision, HappensToANewObjectThatNobodySees) {
  EXPECT_EQ(Left({}), 0u);
  EXPECT_EQ(Left(kStoreField, {44, 180, 0, 2, 87}), 0u);
}

TEST_F(LockElision, HappensToLocksWithinLocks) {
  EXPECT_EQ(Left({44, 194, 44, 195}), 0u) << "of the same object";
  // Of another one, y, which is local 3.
  EXPECT_EQ(LeftOf({187, 0, 7, 77, 187, 0, 7, 78, 44, 194, 45, 194, 45, 195, 44, 195, 3, 172}), 0u);
}

TEST_F(LockElision, LeavesAnObjectThatIsNotNew) {
  EXPECT_EQ(LeftOf({42, 194, 42, 195, 3, 172}), 1u);
}

TEST_F(LockElision, LeavesAnObjectThatIsPassedOn) {
  EXPECT_EQ(Left({}, {42, 44, 181, 0, 8}), 1u) << "stored";
  EXPECT_EQ(Left({}, {44, 44, 181, 0, 8}), 1u) << "stored in itself";
  EXPECT_EQ(LeftOf({187, 0, 7, 77, 44, 194, 44, 195, 44, 176}), 1u) << "returned";
  // What is locked behind that is x or a.
  EXPECT_EQ(Left({}, {27, 153, 0, 7, 44, 167, 0, 4, 42, 89, 194, 195}), 2u);
}

TEST_F(LockElision, LeavesALockThatAStateTellsOf) {
  EXPECT_EQ(Left({184, 0, 6}), 1u) << "a call";
  EXPECT_EQ(Left({4, 27, 108, 87}), 1u) << "a check";
  EXPECT_EQ(Left({187, 0, 7, 87}), 1u) << "an allocation";
  EXPECT_EQ(Left({}, {184, 0, 6, 4, 27, 108, 87}), 0u) << "behind it";
}

TEST_F(LockElision, KeepsAnInnerLockBecauseOfWhichTheOuterOneIsSeen) {
  // synchronized (x) { synchronized (a) { } }
  EXPECT_EQ(Left({42, 194, 42, 195}), 2u);
}

}  // namespace
}  // namespace yp::compiler
