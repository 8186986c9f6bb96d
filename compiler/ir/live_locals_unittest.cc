#include "compiler/ir/live_locals.h"

#include <gtest/gtest.h>

namespace yp::compiler::ir {
namespace {

constexpr uint8_t kIload0 = 26, kIload1 = 27, kIstore1 = 60, kIconst0 = 3, kNop = 0, kReturn = 177,
                  kPop = 87, kIfeq = 153, kGoto = 167;

Method MethodOf(std::vector<uint8_t> code) {
  Method method;
  method.code = std::move(code);
  method.max_locals = 2;
  method.max_stack = 2;
  return method;
}

TEST(LiveLocals, AreThoseThatAreReadBeforeTheyAreWritten) {
  const LiveLocals live(MethodOf({kNop, kIload1, kPop, kIconst0, kIstore1, kReturn}));
  EXPECT_TRUE(live.IsLive(0, 1));
  EXPECT_FALSE(live.IsLive(2, 1));
  EXPECT_FALSE(live.IsLive(0, 0));
}

TEST(LiveLocals, OfALoopAreReadInTheNextIteration) {
  // 0: iload_0 1: pop 2: nop 3: iload_1 4: ifeq 0 7: return
  const LiveLocals live(MethodOf({kIload0, kPop, kNop, kIload1, kIfeq, 0xff, 0xfc, kReturn}));
  EXPECT_TRUE(live.IsLive(2, 0));
  EXPECT_TRUE(live.IsLive(4, 1));
  EXPECT_FALSE(live.IsLive(7, 0));
}

TEST(LiveLocals, OfALoopOfOneInstructionAreThoseOfItself) {
  const LiveLocals live(MethodOf({kIload0, kPop, kGoto, 0, 0}));
  EXPECT_TRUE(live.IsLive(0, 0));
  EXPECT_FALSE(live.IsLive(2, 0));
}

TEST(LiveLocals, AreReadByHandlersInFrontOfTheirCodeAndBehindIt) {
  // 0: goto 5 3: iload_0 4: return 5: nop 6: return 7: iload_1 8: return
  Method method = MethodOf({kGoto, 0, 5, kIload0, kReturn, kNop, kReturn, kIload1, kReturn});
  method.handlers = {{5, 6, 3, false}};
  EXPECT_TRUE(LiveLocals(method).IsLive(5, 0));
  EXPECT_TRUE(LiveLocals(method).IsLive(0, 0));  // Known behind the handler's code only.
  method.handlers = {{5, 6, 7, false}};
  EXPECT_TRUE(LiveLocals(method).IsLive(0, 1));
  EXPECT_FALSE(LiveLocals(method).IsLive(6, 1));
}

}  // namespace
}  // namespace yp::compiler::ir
