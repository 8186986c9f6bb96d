#include "compiler/baseline/base_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/baseline/leaf_functions_for_test.h"
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

// An int[] as the VM lays it out, without a class.
struct IntArray {
  IntArray(const VmLayout& vm, std::vector<int32_t> elements) : bytes(256) {
    const auto length = static_cast<int32_t>(elements.size());
    std::memcpy(&bytes[static_cast<size_t>(vm.array_length)], &length, sizeof length);
    std::memcpy(&bytes[static_cast<size_t>(vm.ArrayBase('I'))], elements.data(),
                elements.size() * sizeof(int32_t));
  }
  int64_t address() { return reinterpret_cast<intptr_t>(bytes.data()); }
  int32_t At(const VmLayout& vm, size_t i) const {
    int32_t element;
    std::memcpy(&element, &bytes[static_cast<size_t>(vm.ArrayBase('I')) + i * sizeof element],
                sizeof element);
    return element;
  }
  std::vector<uint8_t> bytes;
};

TEST(BaseCompiler, TrapsFindTheStackInItsSlots) {
  const VmLayout vm = Vm();
  // bipush 7, iload_0, iload_0 iconst_1 iadd, iload_0 i2d, iload_1 iinc 1 1, iload_0 iload_1 idiv,
  // and something that takes it all: the divisor is the local as it is now.
  const Running trap(vm, MethodOf("(II)I", {16, 7, kIload0, kIload0, 4, 96, kIload0, 135, kIload1,
                                            132, 1, 1, kIload0, kIload1, 108, kIreturn}));
  EXPECT_EQ(trap.Int(40, 0), 40);
  ASSERT_EQ(trap.Int(41, -1), Running::kTrapped);
  const auto local = [&](uint32_t i) { return static_cast<int32_t>(trap.TrappedValue(i)); };
  const auto stack = [&](uint32_t i) { return local(12 + i); };
  EXPECT_EQ(local(0), 41);
  EXPECT_EQ(local(1), 0);
  EXPECT_EQ(stack(0), 7);
  EXPECT_EQ(stack(1), 41);
  EXPECT_EQ(stack(2), 42);
  EXPECT_EQ(std::bit_cast<double>(trap.TrappedValue(15)), 41.0);
  EXPECT_EQ(stack(5), -1) << "the local before it was incremented";
  EXPECT_EQ(stack(6), 41);
  EXPECT_EQ(stack(7), 0);
}

TEST(BaseCompiler, ElementsAreThoseOfTheIndexAndOthersTrap) {
  const VmLayout vm = Vm();
  IntArray array(vm, {10, 11, 12});
  const Running load(vm, MethodOf("([II)I", {kAload0, kIload1, 46, kIreturn}));
  EXPECT_EQ(load.Int(array.address(), 2), 12);
  EXPECT_EQ(load.Int(array.address(), (int64_t{5} << 32) + 1), 11) << "an int has 32 bits";
  EXPECT_EQ(load.Int(array.address(), 3), Running::kTrapped);
  EXPECT_EQ(load.Int(array.address(), -1), Running::kTrapped);
  EXPECT_EQ(load.Int(0, 0), Running::kTrapped);
  const auto at_constant = [&](uint8_t iconst) {
    return Running(vm, MethodOf("([I)I", {kAload0, iconst, 46, kIreturn})).Int(array.address());
  };
  EXPECT_EQ(at_constant(5), 12);
  EXPECT_EQ(at_constant(6), Running::kTrapped);
  EXPECT_EQ(at_constant(2), Running::kTrapped) << "-1";
  // a[i] = a[i] + 5: dup2
  const Running add(
      vm, MethodOf("([II)I", {kAload0, kIload1, 92, 46, 8, 96, 79, kAload0, 4, 46, kIreturn}));
  EXPECT_EQ(add.Int(array.address(), 1), 16);
  EXPECT_EQ(array.At(vm, 1), 16);
  EXPECT_EQ(add.Int(array.address(), 7), Running::kTrapped);
}

// More values wait than there are registers, which the check's operands take from them.
TEST(BaseCompiler, ATrapFindsWhatWaitedInRegistersThatItsInstructionTakes) {
  VmLayout vm = Vm();
  vm.compressed_classes = false;
  vm.array_length = vm.klass_offset + 8;
  // Four objects and classes of so many words: an array, its class, what it may hold, and an object
  // of another class.
  constexpr size_t kWords = 128;
  std::vector<int64_t> words(5 * kWords);
  const auto at = [&](size_t object) {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(&words[object * kWords]));
  };
  const auto set = [&](size_t object, int32_t offset, int64_t value) {
    std::memcpy(reinterpret_cast<uint8_t*>(&words[object * kWords]) + offset, &value, sizeof value);
  };
  enum : size_t { kArray, kArrayClass, kElementClass, kObject, kObjectClass };
  set(kArray, vm.klass_offset, at(kArrayClass));
  set(kArray, vm.array_length, 100);
  set(kArrayClass, vm.element_klass, at(kElementClass));
  set(kElementClass, vm.super_check_offset, 512);
  set(kObject, vm.klass_offset, at(kObjectClass));
  // a.length + i, eight times; aload_0, iconst_0, aload_1, aastore
  std::vector<uint8_t> code;
  for (uint8_t i = 0; i < 8; ++i) code.insert(code.end(), {kAload0, 190, 16, i, 96});
  code.insert(code.end(), {kAload0, 3, 43, 83, kIreturn});
  const Running store(vm, MethodOf("([Ljava/lang/Object;Ljava/lang/Object;)I", code));
  ASSERT_EQ(store.Int(at(kArray), at(kObject)), Running::kTrapped);
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(static_cast<uint32_t>(store.TrappedValue(12 + i)), 100 + i);
  }
  EXPECT_EQ(store.TrappedValue(20), at(kArray));
  EXPECT_EQ(static_cast<int32_t>(store.TrappedValue(21)), 0);
  EXPECT_EQ(store.TrappedValue(22), at(kObject));
}

TEST(BaseCompiler, IncrementsAreSeenByWhatIsReadAfterThemOnly) {
  const VmLayout vm = Vm();
  // i++ * 100 + ++i
  const Running both(
      vm, MethodOf("(I)I", {kIload0, 132, 0, 1, 16, 100, 104, 132, 0, 1, kIload0, 96, kIreturn}));
  EXPECT_EQ(both.Int(5), 507);
  // i = i++ + i
  const Running own(vm, MethodOf("(I)I", {kIload0, 132, 0, 1, kIload0, 96, 59, kIload0, kIreturn}));
  EXPECT_EQ(own.Int(5), 11);
}

TEST(BaseCompiler, ValuesThatWaitAreThereWherePathsJoin) {
  const VmLayout vm = Vm();
  //  0 bipush 50  2 iload_0  3 ifeq 12  6 iload_1  7 iconst_1  8 iadd  9 goto 13  12 iload_1
  // 13 iadd  14 ireturn
  const Running either(vm, MethodOf("(II)I", {16, 50, kIload0, 153, 0, 9, kIload1, 4, 96, 167, 0, 4,
                                              kIload1, 96, kIreturn}));
  EXPECT_EQ(either.Int(0, 7), 57);
  EXPECT_EQ(either.Int(1, 7), 58);
}

TEST(BaseCompiler, ComparesConstantsLocalsAndResultsOnEitherSide) {
  const VmLayout vm = Vm();
  const std::vector<std::vector<uint8_t>> operands = {{5}, {kIload0}, {kIload0, 4, 96}};
  const auto value_of = [](size_t operand, int32_t local) {
    return operand == 0 ? 2 : local + static_cast<int32_t>(operand) - 1;
  };
  for (size_t left = 0; left < operands.size(); ++left) {
    for (size_t right = 0; right < operands.size(); ++right) {
      std::vector<uint8_t> code = operands[left];
      code.insert(code.end(), operands[right].begin(), operands[right].end());
      code.insert(code.end(), {161, 0, 5, 3, kIreturn, 4, kIreturn});  // if_icmplt
      const Running less(vm, MethodOf("(I)I", code));
      for (const int32_t local : {-3, 1, 2, 3}) {
        EXPECT_EQ(less.Int(local), value_of(left, local) < value_of(right, local) ? 1 : 0)
            << left << " with " << right;
      }
    }
  }
}

// A static method that calls one of that intrinsic, which takes the same and returns the same, but
// for Unsafe's: there the first argument is null as the Unsafe.
Running CallOf(const VmLayout& vm, const char* callee, const Intrinsic& intrinsic,
               const char* descriptor, std::vector<uint8_t> code) {
  CallLink call;
  call.signature = *Signature::Parse(callee);
  call.resolved = true;
  call.intrinsic = intrinsic;
  FakeLinkage linkage;
  linkage.calls[1] = call;
  return Running(vm, MethodOf(descriptor, std::move(code)), {}, linkage);
}

TEST(BaseCompiler, MakesInstructionsOfCallsThatHaveThem) {
  using enum Intrinsic::Kind;
  const VmLayout vm = Vm();
  const auto unary = [&](const char* descriptor, const Intrinsic& intrinsic, uint8_t load,
                         uint8_t ret) {
    return CallOf(vm, descriptor, intrinsic, descriptor, {load, kInvokestatic, 0, 1, ret});
  };
  const Running root = unary("(D)D", {kSquareRoot}, kDload0, kDreturn);
  const Running bits = unary("(D)J", {kBits, 'J'}, kDload0, kLreturn);
  const Running number = unary("(J)D", {kBits, 'D'}, kLload0, kDreturn);
  const Running absolute = unary("(D)D", {kAbsolute}, kDload0, kDreturn);
  EXPECT_EQ(absolute(0, 0, -2.25).number, 2.25);
  EXPECT_FALSE(std::signbit(absolute(0, 0, -0.0).number));
  EXPECT_EQ(root(0, 0, 2.25).number, 1.5);
  EXPECT_EQ(bits(0, 0, -2.5).integer, std::bit_cast<int64_t>(-2.5));
  EXPECT_EQ(number(std::bit_cast<int64_t>(-2.5)).number, -2.5);
}

TEST(BaseCompiler, LoadsAndStoresWhereUnsafeSays) {
  using enum Intrinsic::Kind;
  const VmLayout vm = Vm();
  const auto address_of = [](const void* at) { return reinterpret_cast<intptr_t>(at); };
  int16_t shorts[] = {-5, -6, -7};
  const Running load = CallOf(vm, "(Ljava/lang/Object;Ljava/lang/Object;J)S", {kLoad, 'S'}, "(J)I",
                              {1, 1, kLload0, kInvokestatic, 0, 1, kIreturn});
  EXPECT_EQ(load.Int(address_of(&shorts[1])), -6);
  const Running store = CallOf(vm, "(Ljava/lang/Object;Ljava/lang/Object;JS)V", {kStore, 'S', true},
                               "(JI)I", {1, 1, kLload0, 28, kInvokestatic, 0, 1, 28, kIreturn});
  EXPECT_EQ(store.Int(address_of(&shorts[1]), 300), 300);
  EXPECT_THAT(shorts, testing::ElementsAre(-5, 300, -7));
}

TEST(BaseCompiler, StoresWhereWhatIsExpectedIs) {
  using enum Intrinsic::Kind;
  const VmLayout vm = Vm();
  // At the address in the first argument, the second one expected, 5 stored.
  const Running set_int =
      CallOf(vm, "(Ljava/lang/Object;Ljava/lang/Object;JII)Z", {kCompareAndSet, 'I'}, "(JI)I",
             {1, 1, kLload0, 28, 8, kInvokestatic, 0, 1, kIreturn});
  int32_t ints[2] = {7, 9};
  const auto at_ints = reinterpret_cast<intptr_t>(ints);
  EXPECT_EQ(set_int.Int(at_ints, 6), 0);
  EXPECT_THAT(ints, testing::ElementsAre(7, 9));
  EXPECT_EQ(set_int.Int(at_ints, 7), 1);
  EXPECT_THAT(ints, testing::ElementsAre(5, 9));
  const Running set_long =
      CallOf(vm, "(Ljava/lang/Object;Ljava/lang/Object;JJJ)Z", {kCompareAndSet, 'J'}, "(JJ)I",
             {1, 1, kLload0, kLload2, 10, kInvokestatic, 0, 1, kIreturn});
  int64_t number = int64_t{1} << 40;
  const auto at_long = reinterpret_cast<intptr_t>(&number);
  EXPECT_EQ(set_long.Int(at_long, 0), 0);
  EXPECT_EQ(set_long.Int(at_long, int64_t{1} << 40), 1);
  EXPECT_EQ(number, 1);
}

TEST(BaseCompiler, FindsTheCurrentThreadByItsHandle) {
  const VmLayout vm = Vm();
  Running current = CallOf(vm, "()Ljava/lang/Thread;", {Intrinsic::Kind::kCurrentThread},
                           "()Ljava/lang/Object;", {kInvokestatic, 0, 1, 176});
  const int64_t object = 0x123456789a;
  current.Set(vm.current_thread, &object);
  EXPECT_EQ(current(0).integer, object);
}

TEST(BaseCompiler, LeafFunctionsKeepWhatIsNeededBehindThem) {
  LeafFunctionsForTest(&CompileBase).KeepWhatIsNeededBehindThem();
}

TEST(BaseCompiler, LeafFunctionsGiveWhatTheyReturn) {
  LeafFunctionsForTest(&CompileBase).GiveWhatTheyReturn();
}

TEST(BaseCompiler, LeafFunctionsTakeAnArrayOfTheReceivers) {
  LeafFunctionsForTest(&CompileBase).TakeAnArrayOfTheReceivers();
}

// Their edge is to be told.
TEST(BaseCompiler, CallsWhatHasInstructionsWhereCodeTargetsAreIndexed) {
  FakeLinkage linkage;
  CallLink call;
  call.signature = *Signature::Parse("(D)D");
  call.resolved = true;
  call.intrinsic.kind = Intrinsic::Kind::kSquareRoot;
  linkage.calls[1] = call;
  const Method method = MethodOf("(D)D", {kDload0, kInvokestatic, 0, 1, kDreturn});
  const VmLayout vm = Vm();
  RuntimePlaces places;
  const auto without = CompileBase(method, linkage, vm, places);
  places.targets = CodeTargetPlaces{};
  const auto with = CompileBase(method, linkage, vm, places);
  ASSERT_TRUE(with && without);
  const std::array<uint8_t, 3> root = {0xf2, 0x45, 0x0f};  // sqrtsd of xmm8 and above
  const auto has_root = [&](const CompiledCode& compiled) {
    const std::vector<uint8_t>& code = compiled.code;
    const auto found = std::search(code.begin(), code.end(), root.begin(), root.end());
    return found != code.end() && found[3] == 0x51;
  };
  EXPECT_TRUE(has_root(*without));
  EXPECT_FALSE(has_root(*with));
}

// 1 where `compare` and then `branch` jump, of the arguments.
std::vector<uint8_t> Branching(uint8_t load0, uint8_t load2, uint8_t compare, uint8_t branch) {
  return {load0, load2, compare, branch, 0, 5, 3, kIreturn, 4, kIreturn};
}

// The branch's condition of what the comparison gives.
bool Jumps(uint8_t branch, int order) {
  switch (branch) {
    case 153:
      return order == 0;
    case 154:
      return order != 0;
    case 155:
      return order < 0;
    case 156:
      return order >= 0;
    case 157:
      return order > 0;
    default:
      return order <= 0;
  }
}

TEST(BaseCompiler, BranchesOnComparisonsAsTheirResultsSay) {
  constexpr uint8_t kDcmpl = 151, kDcmpg = 152;
  const VmLayout vm = Vm();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (uint8_t branch = 153; branch <= 158; ++branch) {
    const Running longs(vm, MethodOf("(JJ)I", Branching(kLload0, kLload2, 148, branch)));
    for (const int64_t a : {int64_t{-1}, int64_t{0}, int64_t{1} << 40}) {
      for (const int64_t b : {int64_t{-1}, int64_t{0}, int64_t{1} << 40}) {
        const int order = a < b ? -1 : a > b ? 1 : 0;
        EXPECT_EQ(longs.Int(a, b), Jumps(branch, order) ? 1 : 0) << a << ' ' << b;
      }
    }
    for (const uint8_t compare : {kDcmpl, kDcmpg}) {
      const Running doubles(vm, MethodOf("(DD)I", Branching(kDload0, kDload2, compare, branch)));
      for (const double x : {-1.0, 0.0, 2.5, nan}) {
        for (const double y : {-1.0, -0.0, 2.5, nan}) {
          const bool is_unordered = std::isnan(x) || std::isnan(y);
          const int order = is_unordered ? (compare == kDcmpl ? -1 : 1)
                            : x < y      ? -1
                            : x > y      ? 1
                                         : 0;
          EXPECT_EQ(doubles.Int(0, 0, x, y), Jumps(branch, order) ? 1 : 0) << x << ' ' << y;
        }
      }
    }
  }
}

TEST(BaseCompiler, BranchesByTheResultWhereAnotherOneMayCome) {
  const VmLayout vm = Vm();
  //  0 lload_0  1 lconst_0  2 lcmp  3 ifeq 12  6 lload_0  7 lload_2  8 lcmp  9 goto 13
  // 12 iconst_1  13 ifgt 18  16 iconst_0  17 ireturn  18 iconst_1  19 ireturn
  const Running either(
      vm, MethodOf("(JJ)I", {kLload0, 9, 148, 153, 0, 9, kLload0, kLload2,  148, 167,
                             0,       4, 4,   157, 0, 5, 3,       kIreturn, 4,   kIreturn}));
  EXPECT_EQ(either.Int(0, 5), 1) << "the constant 1 is greater than 0";
  EXPECT_EQ(either.Int(3, 5), 0);
  EXPECT_EQ(either.Int(7, 5), 1);
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
