#include "compiler/baseline/base_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/baseline/running_code_for_test.h"
#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {
namespace {

using testing::HasSubstr;

TEST(BaseCompiler, DividesAsJavaDoes) {
  const VmLayout vm = Vm();
  const Running divide(vm, MethodOf("(II)I", {kIload0, kIload1, 108, kIreturn}));
  EXPECT_EQ(divide.Int(7, -2), -3);
  EXPECT_EQ(divide.Int(INT32_MIN, -1), INT32_MIN);
  const Running remainder(vm, MethodOf("(II)I", {kIload0, kIload1, 112, kIreturn}));
  EXPECT_EQ(remainder.Int(-7, 2), -1);
  EXPECT_EQ(remainder.Int(INT32_MIN, -1), 0);
  const Running long_divide(vm, MethodOf("(JJ)J", {kLload0, kLload2, 109, kLreturn}));
  EXPECT_EQ(long_divide(INT64_MIN, -1).integer, INT64_MIN);
  EXPECT_EQ(long_divide(int64_t{1} << 40, 3).integer, 366503875925);
}

TEST(BaseCompiler, ShiftsByTheLowestBitsOfTheCount) {
  const VmLayout vm = Vm();
  const Running ints(vm, MethodOf("(II)I", {kIload0, kIload1, 124, kIreturn}));  // iushr
  EXPECT_EQ(ints.Int(-1, 33), INT32_MAX);
  const Running longs(vm, MethodOf("(JI)J", {kLload0, 28, 123, kLreturn}));  // iload_2, lshr
  EXPECT_EQ(longs(-256, 68).integer, -16);
}

TEST(BaseCompiler, TruncatesToTheNearestIntegerThatThereIs) {
  const VmLayout vm = Vm();
  const Running to_int(vm, MethodOf("(D)I", {kDload0, 142, kIreturn}));
  const Running to_long(vm, MethodOf("(D)J", {kDload0, 143, kLreturn}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_int.Int(0, 0, -2.9), -2);
  EXPECT_EQ(to_int.Int(0, 0, nan), 0);
  EXPECT_EQ(to_int.Int(0, 0, infinity), INT32_MAX);
  EXPECT_EQ(to_int.Int(0, 0, -1.0e10), INT32_MIN);
  EXPECT_EQ(to_int.Int(0, 0, -2147483648.0), INT32_MIN);
  EXPECT_EQ(to_long(0, 0, 1.0e30).integer, INT64_MAX);
  EXPECT_EQ(to_long(0, 0, -infinity).integer, INT64_MIN);
  EXPECT_EQ(to_long(0, 0, nan).integer, 0);
}

TEST(BaseCompiler, ComparesWithWhatIsNoNumberToTheSideThatIsAskedFor) {
  const VmLayout vm = Vm();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Running less(vm, MethodOf("(DD)I", {kDload0, kDload2, 151, kIreturn}));
  const Running greater(vm, MethodOf("(DD)I", {kDload0, kDload2, 152, kIreturn}));
  EXPECT_EQ(less.Int(0, 0, nan, 1), -1);
  EXPECT_EQ(greater.Int(0, 0, 1, nan), 1);
  EXPECT_EQ(less.Int(0, 0, 2, 1), 1);
  EXPECT_EQ(greater.Int(0, 0, 1, 2), -1);
  EXPECT_EQ(less.Int(0, 0, 0.0, -0.0), 0);
}

TEST(BaseCompiler, NegatesTheSignAlone) {
  const VmLayout vm = Vm();
  const Running negate(vm, MethodOf("(D)D", {kDload0, 119, kDreturn}));
  EXPECT_TRUE(std::signbit(negate(0, 0, 0.0).number));
  EXPECT_EQ(negate(0, 0, -3.5).number, 3.5);
}

TEST(BaseCompiler, ReturnsNarrowTypesNarrow) {
  const VmLayout vm = Vm();
  const std::vector<uint8_t> code = {kIload0, kIreturn};
  EXPECT_EQ(Running(vm, MethodOf("(I)Z", code)).Int(2), 0);
  EXPECT_EQ(Running(vm, MethodOf("(I)B", code)).Int(255), -1);
  EXPECT_EQ(Running(vm, MethodOf("(I)C", code)).Int(-1), 65535);
  EXPECT_EQ(Running(vm, MethodOf("(I)S", code)).Int(32768), -32768);
}

TEST(BaseCompiler, FindsTheCasesOfASparseSwitch) {
  //  0 iload_0  1 lookupswitch: -5, 0, 7, 100, 1000, 2000 -> returns of the case's number
  std::vector<uint8_t> code = {kIload0, 171, 0, 0};
  const std::vector<int32_t> keys = {-5, 0, 7, 100, 1000, INT32_MAX};
  const auto put = [&](int32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      code.push_back(static_cast<uint8_t>(value >> shift));
    }
  };
  const int32_t first = 4 + 8 + 8 * static_cast<int32_t>(keys.size());
  put(first - 1);
  put(static_cast<int32_t>(keys.size()));
  for (size_t i = 0; i < keys.size(); ++i) {
    put(keys[i]);
    put(first + 3 * (static_cast<int32_t>(i) + 1) - 1);
  }
  for (uint8_t i = 0; i <= keys.size(); ++i) {
    code.insert(code.end(), {16, i, kIreturn});  // bipush i
  }
  const VmLayout vm = Vm();
  const Running find(vm, MethodOf("(I)I", code));
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(find.Int(keys[i]), static_cast<int>(i) + 1);
  for (const int32_t other : {-6, 1, 99, 101, INT32_MIN}) EXPECT_EQ(find.Int(other), 0);
}

TEST(BaseCompiler, LoopsAndPolls) {
  //  0 iconst_0  1 istore_1  2 iload_0  3 ifle 17  6 iload_1  7 iload_0  8 iadd  9 istore_1
  //  10 iinc 0 -1  13 goto 2 (wide: goto_w is 5 bytes, here 3 and a nop)  17 iload_1  18 ireturn
  const std::vector<uint8_t> code = {3,   60, 26,  158, 0,    14,   27, 26, 96, 60,
                                     132, 0,  255, 167, 0xff, 0xf5, 0,  27, 172};
  const VmLayout vm = Vm();
  EXPECT_EQ(Running(vm, MethodOf("(I)I", code)).Int(100), 5050);
}

TEST(BaseCompiler, LeavesWhatIsNotResolvedToATrapAndAllBehindItOut) {
  FakeLinkage linkage;
  linkage.fields[1].type = 'I';
  const Method method = MethodOf("()I", {178, 0, 1, 4, 96, kIreturn});
  const VmLayout vm = Vm();
  const auto compiled = CompileBase(method, linkage, vm, {});
  ASSERT_TRUE(compiled) << compiled.message();
  EXPECT_EQ(compiled->traps[static_cast<size_t>(Trap::kUnresolved)], 1u);
  EXPECT_EQ(compiled->unreached, 3u);
}

TEST(BaseCompiler, ChecksAClassThatIsNotInitializedAndGoesOn) {
  FakeLinkage linkage;
  linkage.fields[1] = {'I', true, false, false, 112, ConstantId{2}, ConstantId{3}, {}};
  const Method method = MethodOf("()I", {178, 0, 1, 4, 96, kIreturn});
  const VmLayout vm = Vm();
  const auto compiled = CompileBase(method, linkage, vm, {});
  ASSERT_TRUE(compiled) << compiled.message();
  EXPECT_EQ(compiled->traps[static_cast<size_t>(Trap::kUnresolved)], 1u);
  EXPECT_EQ(compiled->unreached, 0u);
}

TEST(BaseCompiler, KeepsTrapsOfWhatHasBeenCompiledOften) {
  FakeLinkage linkage;
  linkage.fields[1].type = 'I';
  Method method = MethodOf("()I", {178, 0, 1, kIreturn});
  method.keeps_unresolved = true;
  const VmLayout vm = Vm();
  EXPECT_EQ(CompileBase(method, linkage, vm, {})->traps[static_cast<size_t>(Trap::kUnresolvedKeep)],
            1u);
}

TEST(BaseCompiler, RefusesEntriesOnTheStackThatAreNoLoops) {
  FakeLinkage linkage;
  Method method = MethodOf("()I", {3, kIreturn});
  method.osr_bci = 1;
  const VmLayout vm = Vm();
  EXPECT_THAT(std::string(CompileBase(method, linkage, vm, {}).message()), HasSubstr("no loop"));
}

}  // namespace
}  // namespace yp::compiler
