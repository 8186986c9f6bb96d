#include "compiler/baseline/lazy_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <variant>
#include <vector>

#include "compiler/x64/executable_for_test.h"

namespace yp::compiler {
namespace {

using enum x64::Reg;
using enum x64::Width;
using testing::ElementsAre;
using x64::Alu;
using x64::Reg;
using Place = LazyStack::Value::Place;
using Slots = std::vector<int64_t>;

constexpr uint32_t kLocals = 8;
constexpr uint32_t kSlots = 48;
constexpr std::array kRegisters = {rbx, r13, r14, rsi, rdi, r8, r9};

// Code that a stack emits, run on a frame of kSlots values: the locals, then the stack. What is in
// slots that nothing wrote is their number.
class Code {
 public:
  Code() : stack_(a_, layout_) {
    for (const Reg reg : {rbx, rbp, r12, r13, r14}) a_.Push(reg);
    a_.Do(Alu::kSub, k64, rsp, kBytes);
    a_.Mov(k64, r12, rdi);
    Copy(kIn);
    stack_.BeginBlock(kLocals, {});
  }

  LazyStack& stack() { return stack_; }
  x64::Assembler& assembler() { return a_; }
  // Makes all registers that hold values hold something else.
  void LoseRegisters() {
    for (const Reg reg : kRegisters) a_.MovImmediate(reg, -77);
    for (int i = 8; i < 16; ++i) a_.Clear(static_cast<x64::Xmm>(i));
  }
  // An int that is in a register only, and on top of the stack.
  void PushComputed(int32_t value) {
    const Reg reg = stack_.Allocate();
    a_.MovImmediate(reg, static_cast<uint32_t>(value));
    stack_.Push(Kind::kInt, reg);
    stack_.Unpin();
  }
  // Leaves the frame behind: its slots, locals first.
  Slots Run() {
    Copy(kOut);
    a_.Do(Alu::kAdd, k64, rsp, kBytes);
    for (const Reg reg : {r14, r13, r12, rbp, rbx}) a_.Pop(reg);
    a_.Return();
    Slots slots(kSlots);
    std::iota(slots.begin(), slots.end(), 0);
    x64::Executable<void(int64_t*)>(a_.TakeCode())(slots.data());
    return slots;
  }
  // The same with everything stored: the stack, of ints.
  std::vector<int32_t> Stack() {
    const size_t size = stack_.size();
    stack_.Flush();
    const Slots slots = Run();
    std::vector<int32_t> ints;
    for (size_t i = 0; i < size; ++i) ints.push_back(static_cast<int32_t>(slots[kLocals + i]));
    return ints;
  }

 private:
  enum Direction { kIn, kOut };
  static constexpr int32_t kBytes = 8 * (kSlots + 8);

  void Copy(Direction direction) {
    for (uint32_t i = 0; i < kSlots; ++i) {
      const x64::Mem ours = x64::At(rsp, layout_.Value(i));
      const x64::Mem theirs = x64::At(r12, static_cast<int32_t>(8 * i));
      a_.Load(k64, rax, direction == kIn ? theirs : ours);
      a_.Store(k64, direction == kIn ? ours : theirs, rax);
    }
  }

  x64::Assembler a_;
  FrameLayout layout_{0, kSlots, 0};
  LazyStack stack_;
};

TEST(LazyStack, WritesNothingBeforeItMust) {
  Code code;
  code.stack().PushConstant(Kind::kInt, -3);
  code.stack().PushLocal(Kind::kInt, 5);
  code.PushComputed(99);
  EXPECT_EQ(code.stack().PendingValues().size(), 3u);
  const Slots slots = code.Run();
  EXPECT_EQ(slots[kLocals], 8);
  EXPECT_EQ(slots[kLocals + 1], 9);
  EXPECT_EQ(slots[kLocals + 2], 10);
}

TEST(LazyStack, StoresAllOfItOrAllButWhatIsOnTop) {
  Code all;
  all.stack().PushConstant(Kind::kInt, -3);
  all.stack().PushLocal(Kind::kInt, 5);
  all.PushComputed(99);
  EXPECT_THAT(all.Stack(), ElementsAre(-3, 5, 99));
  EXPECT_TRUE(all.stack().PendingValues().empty());
  Code below;
  below.stack().PushConstant(Kind::kInt, -3);
  below.stack().PushLocal(Kind::kInt, 5);
  below.stack().Flush(1);
  const Slots slots = below.Run();
  EXPECT_EQ(static_cast<int32_t>(slots[kLocals]), -3);
  EXPECT_EQ(slots[kLocals + 1], 9);
}

TEST(LazyStack, StoresNumbersOfAllKinds) {
  Code code;
  LazyStack& stack = code.stack();
  stack.PushConstant(Kind::kLong, int64_t{1} << 40);
  stack.PushConstant(Kind::kLong, -2);
  stack.PushConstant(Kind::kDouble, std::bit_cast<int64_t>(-1.5));
  const x64::Xmm sum = stack.OwnXmm(1);
  code.assembler().Do(x64::Sse::kAdd, x64::Precision::kDouble, sum, sum);
  stack.Push(Kind::kDouble, sum);
  stack.Flush();
  const Slots slots = code.Run();
  EXPECT_EQ(slots[kLocals], int64_t{1} << 40);
  EXPECT_EQ(slots[kLocals + 2], -2);
  EXPECT_EQ(std::bit_cast<double>(slots[kLocals + 4]), -1.5);
  EXPECT_EQ(std::bit_cast<double>(slots[kLocals + 6]), -3.0);
}

// i++ and the like: in the slot, in a register, and stored already.
TEST(LazyStack, CopiesOfALocalKeepItsValueWhenItChanges) {
  for (const bool is_in_register : {false, true}) {
    for (const bool is_stored : {false, true}) {
      for (const bool is_store : {false, true}) {
        Code code;
        LazyStack& stack = code.stack();
        stack.PushLocal(Kind::kInt, 5);
        stack.PushLocal(Kind::kInt, 5);
        stack.PushLocal(Kind::kInt, 6);
        if (is_in_register) stack.Use(0);
        if (is_in_register) stack.Use(1);
        stack.Unpin();
        if (is_stored) stack.Flush();
        if (is_store) {
          stack.PushConstant(Kind::kInt, 50);
          stack.StoreLocal(5);
        } else {
          stack.IncrementLocal(5, 45);
        }
        stack.PushLocal(Kind::kInt, 5);
        stack.IncrementLocal(5, 1);
        stack.PushLocal(Kind::kInt, 5);
        stack.Use(0);
        EXPECT_THAT(code.Stack(), ElementsAre(5, 5, 6, 50, 51));
      }
    }
  }
}

TEST(LazyStack, ALocalIsInItsSlotAsSoonAsItIsStored) {
  Code code;
  LazyStack& stack = code.stack();
  code.PushComputed(70);
  stack.StoreLocal(1);
  stack.PushLocal(Kind::kInt, 1);
  stack.StoreLocal(2);
  stack.PushConstant(Kind::kInt, 72);
  stack.StoreLocal(3);
  stack.PushLocal(Kind::kInt, 2);
  stack.Use(0);
  stack.Pop(1);
  stack.IncrementLocal(2, 1);
  EXPECT_EQ(stack.size(), 0u);
  const Slots slots = code.Run();
  EXPECT_EQ(static_cast<int32_t>(slots[1]), 70);
  EXPECT_EQ(static_cast<int32_t>(slots[2]), 71);
  EXPECT_EQ(static_cast<int32_t>(slots[3]), 72);
}

TEST(LazyStack, LoadsALocalOnce) {
  Code code;
  LazyStack& stack = code.stack();
  stack.PushLocal(Kind::kReference, 4);
  const Reg first = stack.Use(0);
  stack.Pop(1);
  const size_t before = code.assembler().size();
  stack.PushLocal(Kind::kReference, 4);
  EXPECT_EQ(stack.Use(0), first);
  EXPECT_EQ(code.assembler().size(), before);
  stack.BeginBlock(kLocals, {});
  stack.PushLocal(Kind::kReference, 4);
  stack.Use(0);
  EXPECT_GT(code.assembler().size(), before) << "another block knows nothing";
}

TEST(LazyStack, HasMoreValuesThanThereAreRegisters) {
  Code code;
  std::vector<int32_t> expected;
  for (int32_t i = 0; i < 20; ++i) {
    code.PushComputed(100 + i);
    code.stack().PushLocal(Kind::kInt, static_cast<uint32_t>(i % 8));
    code.stack().Use(0);
    code.stack().Unpin();
    code.stack().Pop(1);
    expected.push_back(100 + i);
  }
  EXPECT_THAT(code.Stack(), testing::ElementsAreArray(expected));
}

TEST(LazyStack, OverwritesNoRegisterThatSomethingElseIsIn) {
  Code code;
  LazyStack& stack = code.stack();
  const auto increment = [&] {
    const Reg own = stack.Own(0);
    code.assembler().Do(Alu::kAdd, k32, own, 1);
    stack.Pop(1);
    stack.Push(Kind::kInt, own);
    stack.Unpin();
  };
  code.PushComputed(10);
  stack.Shuffle(*ShuffleOf(89));  // dup
  increment();
  stack.PushLocal(Kind::kInt, 3);
  stack.Use(0);
  stack.Unpin();
  increment();
  stack.PushLocal(Kind::kInt, 3);
  code.PushComputed(20);
  stack.StoreLocal(2);
  stack.PushLocal(Kind::kInt, 2);
  increment();
  stack.PushLocal(Kind::kInt, 2);
  EXPECT_THAT(code.Stack(), ElementsAre(10, 11, 4, 3, 21, 20));
}

// Whether values are constants, locals, in registers or in slots.
TEST(LazyStack, MovesValuesAsTheBytecodeSays) {
  for (uint8_t opcode = 87; opcode <= 95; ++opcode) {
    for (unsigned places = 0; places < 256; ++places) {
      Code code;
      std::vector<int32_t> expected;
      for (unsigned i = 0; i < 4; ++i) {
        const auto value = static_cast<int32_t>(i);
        switch (places >> 2 * i & 3) {
          case 0:
            code.stack().PushConstant(Kind::kInt, value);
            break;
          case 1:
            code.stack().PushLocal(Kind::kInt, i);
            break;
          case 2:
            code.PushComputed(value);
            break;
          default:
            code.PushComputed(value);
            code.stack().Forget(LazyStack::kAll);
        }
        expected.push_back(value);
      }
      const StackShuffle shuffle = *ShuffleOf(opcode);
      code.stack().Shuffle(shuffle);
      if (shuffle.swaps) {
        std::swap(expected[2], expected[3]);
      } else {
        expected.resize(4 - shuffle.popped);
        const std::vector<int32_t> copied(expected.end() - shuffle.copied, expected.end());
        expected.insert(expected.end() - shuffle.copied - shuffle.skipped, copied.begin(),
                        copied.end());
      }
      ASSERT_EQ(code.Stack(), expected) << "opcode " << int{opcode} << ", places " << places;
    }
  }
}

TEST(LazyStack, WhatIsWrittenElsewhereIsWhatWasPendingThen) {
  Code code;
  LazyStack& stack = code.stack();
  code.PushComputed(33);
  stack.PushLocal(Kind::kInt, 5);
  stack.PushConstant(Kind::kInt, 44);
  stack.PushLocal(Kind::kInt, 6);
  stack.Use(0);
  const std::vector<LazyStack::Pending> pending = stack.PendingValues();
  // As if behind the method's code: what registers mirror has changed.
  stack.BeginBlock(kLocals, {});
  stack.Mirror(r9, 5, Kind::kReference);
  stack.Write(pending);
  const Slots slots = code.Run();
  const auto at = [&](uint32_t i) { return static_cast<int32_t>(slots[kLocals + i]); };
  EXPECT_EQ(at(0), 33);
  EXPECT_EQ(at(1), 5);
  EXPECT_EQ(at(2), 44);
  EXPECT_EQ(at(3), 6);
}

TEST(LazyStack, RegistersThatASlowPathLosesAreGivenBack) {
  Code code;
  LazyStack& stack = code.stack();
  code.PushComputed(33);
  stack.PushConstant(Kind::kDouble, std::bit_cast<int64_t>(0.25));
  const x64::Xmm number = stack.OwnXmm(1);
  stack.Pop(2);
  stack.Push(Kind::kDouble, number);
  stack.PushLocal(Kind::kInt, 6);
  stack.Use(0);
  stack.PushLocal(Kind::kLong, 2);
  const LazyStack::Saved saved = stack.Save();
  stack.Write(saved.pending);
  code.LoseRegisters();
  stack.Reload(saved.held);
  // The registers are what is stored now.
  for (uint32_t i = 0; i < 6; ++i) {
    code.assembler().StoreImmediate(k64, x64::At(rsp, FrameLayout(0, kSlots, 0).Value(kLocals + i)),
                                    -1);
  }
  stack.Flush();
  const Slots slots = code.Run();
  EXPECT_EQ(static_cast<int32_t>(slots[kLocals]), 33);
  EXPECT_EQ(std::bit_cast<double>(slots[kLocals + 1]), 0.25);
  EXPECT_EQ(static_cast<int32_t>(slots[kLocals + 3]), 6);
  EXPECT_EQ(slots[kLocals + 4], 2);
}

TEST(LazyStack, StoresWhatIsInRegistersThatItMustLeave) {
  Code code;
  LazyStack& stack = code.stack();
  for (int32_t i = 0; i < 7; ++i) code.PushComputed(10 + i);
  stack.Forget(LazyStack::kAll);
  code.LoseRegisters();
  EXPECT_THAT(code.Stack(), ElementsAre(10, 11, 12, 13, 14, 15, 16));
}

TEST(LazyStack, ReservedRegistersAreNotGivenToTheInstruction) {
  Code code;
  LazyStack& stack = code.stack();
  code.PushComputed(1);
  stack.Reserve(LazyStack::kVolatile);
  for (const size_t i : {0, 1, 2}) {
    stack.PushLocal(Kind::kInt, static_cast<uint32_t>(i));
    EXPECT_EQ(LazyStack::kVolatile & SetOf(stack.Use(0)), 0u);
  }
}

// A collection may have moved what references lead to, not numbers.
TEST(LazyStack, ForgetsReferencesBehindAPoll) {
  Code code;
  LazyStack& stack = code.stack();
  for (const Kind kind : {Kind::kReference, Kind::kInt}) {
    const Reg reg = stack.Allocate();
    code.assembler().MovImmediate(reg, 1);
    stack.Push(kind, reg);
  }
  stack.PushLocal(Kind::kReference, 3);
  stack.Use(0);
  stack.Flush();
  stack.ForgetReferences();
  EXPECT_EQ(stack.Top(2).place, Place::kSlot);
  EXPECT_EQ(stack.Top(1).place, Place::kRegister);
  EXPECT_TRUE(std::holds_alternative<x64::Mem>(stack.At(0))) << "the local is read again";
}

TEST(LazyStack, PassesArgumentsThatAreInEachOthersRegisters) {
  std::array<Reg, 4> registers = {rsi, rdi, r8, r9};
  std::sort(registers.begin(), registers.end());
  const std::array<Reg, 4> places = registers;
  do {
    Code code;
    LazyStack& stack = code.stack();
    std::vector<std::pair<unsigned, size_t>> arguments;
    for (uint32_t i = 0; i < 4; ++i) {
      code.assembler().MovImmediate(places[i], i + 1);
      stack.Mirror(places[i], i, Kind::kReference);
      stack.PushLocal(Kind::kReference, i);
    }
    stack.PushConstant(Kind::kInt, -9);
    stack.PushLocal(Kind::kInt, 7);
    for (uint32_t i = 0; i < 4; ++i) arguments.emplace_back(LazyStack::Index(registers[i]), 5 - i);
    arguments.emplace_back(LazyStack::Index(rdx), 1);
    arguments.emplace_back(LazyStack::Index(rcx), 0);
    stack.Pass(arguments);
    const FrameLayout layout(0, kSlots, 0);
    const auto keep = [&](uint32_t slot, Reg reg) {
      code.assembler().Store(k64, x64::At(rsp, layout.Value(slot)), reg);
    };
    for (uint32_t i = 0; i < 4; ++i) keep(20 + i, registers[i]);
    keep(24, rdx);
    keep(25, rcx);
    const Slots slots = code.Run();
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(slots[20 + i], i + 1);
    EXPECT_EQ(slots[24], int64_t{uint32_t(-9)}) << "the upper half of an int is cleared";
    EXPECT_EQ(slots[25], 7);
  } while (std::next_permutation(registers.begin(), registers.end()));
}

TEST(LazyStack, ClearsTheUpperHalfOfAnIntThatWasPassed) {
  Code code;
  code.assembler().MovImmediate(rsi, int64_t{-1});
  code.stack().Mirror(rsi, 0, Kind::kInt);
  code.stack().PushLocal(Kind::kInt, 0);
  code.assembler().Store(k64, x64::At(rsp, FrameLayout(0, kSlots, 0).Value(30)),
                         code.stack().Use(0));
  EXPECT_EQ(code.Run()[30], int64_t{UINT32_MAX});
}

TEST(LazyStack, KnowsWhichLocalsAreNotNullUntilTheyAreStored) {
  Code code;
  LazyStack& stack = code.stack();
  const auto is_known = [&](uint32_t local) {
    stack.PushLocal(Kind::kReference, local);
    const bool known = stack.IsNotNull(0);
    stack.Pop(1);
    return known;
  };
  stack.PushLocal(Kind::kReference, 2);
  EXPECT_FALSE(stack.IsNotNull(0));
  stack.SetNotNull(0);
  EXPECT_TRUE(is_known(2));
  stack.StoreLocal(3);
  EXPECT_TRUE(is_known(3)) << "by what is stored";
  stack.PushLocal(Kind::kReference, 2);
  stack.PushLocal(Kind::kReference, 4);
  stack.StoreLocal(2);
  EXPECT_FALSE(is_known(2));
  EXPECT_TRUE(stack.IsNotNull(0)) << "the copy is what it was";
  stack.SetReceiver(5);
  stack.Join();
  EXPECT_FALSE(is_known(3)) << "another way may have stored";
  EXPECT_TRUE(is_known(5));
}

TEST(LazyStack, AValueThatIsCheckedIsNotNullWhereverElseItIs) {
  Code code;
  LazyStack& stack = code.stack();
  const Reg reg = stack.Allocate();
  code.assembler().MovImmediate(reg, 1);
  stack.Push(Kind::kReference, reg);
  stack.Shuffle(*ShuffleOf(89));  // dup
  stack.SetNotNull(0);
  EXPECT_TRUE(stack.IsNotNull(1));
}

TEST(LazyStack, ArgumentsAreLocalsOfAnInlinedCalleeAndTheStackIsTheCallersAgain) {
  Code code;
  LazyStack& stack = code.stack();
  code.PushComputed(60);
  stack.PushLocal(Kind::kInt, 1);
  code.PushComputed(61);
  stack.Flush();
  LazyStack::Caller caller = stack.EnterCallee(kLocals + 6, 1);
  EXPECT_EQ(stack.size(), 0u);
  stack.PushLocal(Kind::kInt, kLocals + 2);
  stack.PushConstant(Kind::kInt, 5);
  stack.StoreLocal(kLocals + 2);
  EXPECT_EQ(stack.PendingValues()[0].slot, kLocals + 6);
  stack.Flush();
  stack.Pop(1);
  stack.LeaveCallee(std::move(caller));
  EXPECT_EQ(stack.size(), 3u);
  stack.Pop(1);
  code.PushComputed(62);
  stack.StoreLocal(1);
  EXPECT_EQ(stack.Top(1).place, Place::kSlot) << "the callee may have lost the register";
  EXPECT_THAT(code.Stack(), ElementsAre(60, 1));
}

// Ints on a stack and in locals as the bytecode has them, beside the code that a LazyStack emits.
class Beside {
 public:
  explicit Beside(uint32_t seed) : random_(seed) {
    for (uint32_t i = 0; i < kLocals; ++i) locals_.push_back(static_cast<int32_t>(i));
  }

  void Step() {
    code_.stack().Unpin();
    const uint32_t local = Below(kLocals);
    switch (Below(12)) {
      case 0:
        if (IsFull()) return;
        code_.stack().PushConstant(Kind::kInt, ++last_);
        return stack_.push_back(last_);
      case 1:
      case 2:
        if (IsFull()) return;
        code_.stack().PushLocal(Kind::kInt, local);
        return stack_.push_back(locals_[local]);
      case 3:
        if (IsFull()) return;
        code_.PushComputed(++last_);
        return stack_.push_back(last_);
      case 4:
      case 5:
        return Add();
      case 6:
        if (stack_.empty()) return;
        code_.stack().StoreLocal(local);
        locals_[local] = stack_.back();
        return stack_.pop_back();
      case 7:
        code_.stack().IncrementLocal(local, 1000);
        locals_[local] += 1000;
        return;
      case 8:
        return Shuffle();
      case 9:
        return code_.stack().Flush(Below(3));
      case 10:
        return LoseSome();
      default:
        return TakeASlowPath();
    }
  }

  void Compare(uint32_t seed) {
    const size_t size = stack_.size();
    ASSERT_EQ(code_.stack().size(), size) << "seed " << seed;
    code_.stack().Flush();
    const Slots slots = code_.Run();
    for (size_t i = 0; i < size; ++i) {
      ASSERT_EQ(static_cast<int32_t>(slots[kLocals + i]), stack_[i]) << i << ", seed " << seed;
    }
    for (size_t i = 0; i < kLocals; ++i) {
      ASSERT_EQ(static_cast<int32_t>(slots[i]), locals_[i]) << "local " << i << ", seed " << seed;
    }
  }

 private:
  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool IsFull() const { return stack_.size() + 2 >= kSlots - kLocals; }

  void Add() {
    if (stack_.size() < 2) return;
    const LazyStack::Operand right = code_.stack().At(0);
    const Reg left = code_.stack().Own(1);
    std::visit([&](auto operand) { code_.assembler().Do(Alu::kAdd, k32, left, operand); }, right);
    code_.stack().Pop(2);
    code_.stack().Push(Kind::kInt, left);
    const int32_t value = stack_.back();
    stack_.pop_back();
    stack_.back() += value;
  }
  void Shuffle() {
    const StackShuffle shuffle = *ShuffleOf(static_cast<uint8_t>(87 + Below(9)));
    if (stack_.size() < 4 || IsFull()) return;
    code_.stack().Shuffle(shuffle);
    if (shuffle.swaps) return std::swap(stack_.back(), stack_[stack_.size() - 2]);
    stack_.resize(stack_.size() - shuffle.popped);
    const std::vector<int32_t> copied(stack_.end() - shuffle.copied, stack_.end());
    stack_.insert(stack_.end() - shuffle.copied - shuffle.skipped, copied.begin(), copied.end());
  }
  // As what needs some registers, and then writes to them.
  void LoseSome() {
    for (const Reg reg : kRegisters) {
      if (Below(2) != 0) continue;
      code_.stack().Forget(SetOf(reg));
      code_.assembler().MovImmediate(reg, -1);
    }
  }
  void TakeASlowPath() {
    const LazyStack::Saved saved = code_.stack().Save();
    code_.stack().Write(saved.pending);
    code_.LoseRegisters();
    code_.stack().Reload(saved.held);
  }

  std::minstd_rand random_;
  Code code_;
  std::vector<int32_t> stack_, locals_;
  int32_t last_ = 100;
};

TEST(LazyStack, HasTheBytecodesValuesWhateverHappensBetween) {
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    Beside beside(seed);
    for (int i = 0; i < 80; ++i) beside.Step();
    beside.Compare(seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace yp::compiler
