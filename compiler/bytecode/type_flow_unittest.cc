#include "compiler/bytecode/type_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {
namespace {

using enum Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Method MethodOf(std::vector<uint8_t> code, const char* descriptor = "()V") {
  Method method;
  method.code = std::move(code);
  method.max_locals = 8;
  method.max_stack = 8;
  method.signature = *Signature::Parse(descriptor);
  method.is_static = true;
  return method;
}

TEST(TypeFlow, BeginsWithTheParameters) {
  FakeLinkage linkage;
  Method method = MethodOf({177}, "(JI)V");
  method.is_static = false;
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow) << flow.message();
  EXPECT_THAT(flow->At(0)->locals,
              ElementsAre(kReference, kLong, kUpper, kInt, kDead, kDead, kDead, kDead));
}

TEST(TypeFlow, ALocalThatDiffersBetweenPathsIsDeadWhereTheyJoin) {
  FakeLinkage linkage;
  //  0 iload_0  1 ifeq 9  4 iconst_0  5 istore_1  6 goto 11  9 fconst_0  10 fstore_1  11 return
  const Method method = MethodOf({26, 153, 0, 8, 3, 60, 167, 0, 5, 11, 68, 177}, "(I)V");
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow) << flow.message();
  EXPECT_EQ(flow->At(11)->locals[0], kInt);
  EXPECT_EQ(flow->At(11)->locals[1], kDead);
  EXPECT_EQ(flow->At(4), nullptr) << "not a block's start";
}

TEST(TypeFlow, HalfALongIsDead) {
  std::vector<Kind> locals = {kLong, kUpper, kLong, kUpper};
  SetLocal(locals, 1, kInt);
  EXPECT_THAT(locals, ElementsAre(kDead, kInt, kLong, kUpper));
  SetLocal(locals, 1, kDouble);
  EXPECT_THAT(locals, ElementsAre(kDead, kDouble, kUpper, kDead));
}

TEST(TypeFlow, AHandlerSeesWhatHoldsThroughoutItsRange) {
  FakeLinkage linkage;
  //  0 iconst_0  1 istore_1  2 fconst_0  3 fstore_1  4 return  5 pop  6 return
  Method method = MethodOf({3, 60, 11, 68, 177, 87, 177});
  method.handlers = {{2, 5, 5, true}};
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow) << flow.message();
  EXPECT_EQ(flow->At(5)->locals[1], kDead);
  EXPECT_THAT(flow->At(5)->stack, ElementsAre(kReference));
}

TEST(TypeFlow, AHandlerBehindOneThatCatchesAllIsNotEntered) {
  FakeLinkage linkage;
  Method method = MethodOf({0, 177, 87, 177, 87, 177});
  method.handlers = {{0, 1, 2, true}, {0, 1, 4, false}};
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow) << flow.message();
  EXPECT_NE(flow->At(2), nullptr);
  EXPECT_EQ(flow->At(4), nullptr);
}

TEST(TypeFlow, AHandlerThatIsEnteredWithFewerMonitorsTakesNoExceptionFromInside) {
  FakeLinkage linkage;
  //  0 aload_0  1 monitorenter  2 nop  3 aload_0  4 monitorexit  5 return  6 pop  7 return
  Method method = MethodOf({42, 194, 0, 42, 195, 177, 87, 177}, "(Ljava/lang/Object;)V");
  method.handlers = {{0, 5, 6, true}};
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow) << flow.message();
  EXPECT_TRUE(flow->CanEnter(method.handlers[0], 0));
  EXPECT_FALSE(flow->CanEnter(method.handlers[0], 1));
}

TEST(TypeFlow, RefusesMonitorsThatDoNotNest) {
  FakeLinkage linkage;
  //  0 iload_0  1 ifeq 6  4 aload_1  5 monitorenter  6 return
  const Method method = MethodOf({26, 153, 0, 5, 43, 194, 177}, "(ILjava/lang/Object;)V");
  EXPECT_THAT(std::string(TypeFlow::Analyze(method, linkage).message()), HasSubstr("monitors"));
}

TEST(TypeFlow, RefusesSubroutines) {
  FakeLinkage linkage;
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({168, 0, 3, 177}), linkage));
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({169, 1}), linkage));
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({196, 169, 0, 1}), linkage));
}

TEST(TypeFlow, RefusesCodeThatIsNotWellFormed) {
  FakeLinkage linkage;
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({}), linkage));
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({3}), linkage)) << "runs off its end";
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({87, 177}), linkage)) << "pops nothing";
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({167, 0, 2, 177}), linkage)) << "into an instruction";
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({26, 177}), linkage)) << "a dead local";
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({3, 3, 3, 3, 3, 3, 3, 3, 3, 177}), linkage))
      << "max_stack";
  EXPECT_FALSE(TypeFlow::Analyze(MethodOf({178, 0, 1, 177}), linkage)) << "no such constant";
}

TEST(TypeFlow, DupAndItsKinMoveSlots) {
  FakeLinkage linkage;
  const Method method = MethodOf({177});
  const auto flow = TypeFlow::Analyze(method, linkage);
  ASSERT_TRUE(flow);
  const auto after = [&](uint8_t opcode, std::vector<Kind> stack) {
    Frame frame{std::vector<Kind>(8), std::move(stack), 0};
    EXPECT_TRUE(flow->Step({0, 1, opcode}, frame));
    return frame.stack;
  };
  EXPECT_THAT(after(87, {kInt}), IsEmpty());
  EXPECT_THAT(after(90, {kInt, kFloat}), ElementsAre(kFloat, kInt, kFloat));
  EXPECT_THAT(after(91, {kLong, kUpper, kInt}), ElementsAre(kInt, kLong, kUpper, kInt));
  EXPECT_THAT(after(93, {kInt, kLong, kUpper}), ElementsAre(kLong, kUpper, kInt, kLong, kUpper));
  EXPECT_THAT(after(94, {kDouble, kUpper, kLong, kUpper}),
              ElementsAre(kLong, kUpper, kDouble, kUpper, kLong, kUpper));
  EXPECT_THAT(after(95, {kInt, kReference}), ElementsAre(kReference, kInt));
}

TEST(TypeFlow, CallsTakeTheirArgumentsAndGiveTheirResult) {
  FakeLinkage linkage;
  linkage.calls[1].signature = *Signature::Parse("(IJ)D");
  //  0 aload_0  1 iconst_0  2 lconst_0  3 invokevirtual 1  6 dreturn
  Method method = MethodOf({42, 3, 9, 182, 0, 1, 175}, "(Ljava/lang/Object;)D");
  EXPECT_TRUE(TypeFlow::Analyze(method, linkage));
  method.code[3] = 184;  // invokestatic leaves the reference
  method.max_stack = 2;
  EXPECT_FALSE(TypeFlow::Analyze(method, linkage));
}

}  // namespace
}  // namespace yp::compiler
