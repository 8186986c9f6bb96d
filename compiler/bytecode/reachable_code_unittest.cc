#include "compiler/bytecode/reachable_code.h"

#include <gtest/gtest.h>

#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {
namespace {

class ReachableCodeTest : public testing::Test {
 protected:
  // Begins the instructions that are reached; `ends` is the bci of one that is a trap.
  std::vector<uint32_t> Reached(int ends = -1) {
    const auto flow = TypeFlow::Analyze(method_, linkage_);
    EXPECT_TRUE(flow) << flow.message();
    const std::vector<bool> reached = ReachableCode(
        method_, *flow,
        [&](const classfile::Instruction& at) { return static_cast<int>(at.bci) == ends; });
    std::vector<uint32_t> bcis;
    for (uint32_t i = 0; i < reached.size(); ++i) {
      if (reached[i]) bcis.push_back(i);
    }
    return bcis;
  }

  ReachableCodeTest() {
    //  0 nop  1 iload_0  2 ifeq 8  5 goto 0  8 aload_1  9 athrow  10 pop  11 return
    method_.code = {0, 26, 153, 0, 6, 167, 0xff, 0xfb, 43, 191, 87, 177};
    method_.max_locals = 2;
    method_.max_stack = 2;
    method_.is_static = true;
    method_.signature = *Signature::Parse("(ILjava/lang/Throwable;)V");
  }

  FakeLinkage linkage_;
  Method method_;
};

using Bcis = std::vector<uint32_t>;

TEST_F(ReachableCodeTest, FollowsJumps) { EXPECT_EQ(Reached(), (Bcis{0, 1, 2, 5, 8, 9})); }

TEST_F(ReachableCodeTest, StopsAtTraps) { EXPECT_EQ(Reached(2), (Bcis{0, 1, 2})); }

TEST_F(ReachableCodeTest, ComesToHandlersOfWhatThrowsInCompiledCode) {
  method_.handlers = {{8, 10, 10, true}};
  EXPECT_EQ(Reached(), (Bcis{0, 1, 2, 5, 8, 9, 10, 11}));
  EXPECT_EQ(Reached(8), (Bcis{0, 1, 2, 5, 8})) << "an instruction that traps enters no handler";
}

TEST_F(ReachableCodeTest, BeginsAtTheLoopThatIsEntered) {
  method_.osr_bci = 8;
  EXPECT_EQ(Reached(), (Bcis{8, 9}));
}

}  // namespace
}  // namespace yp::compiler
