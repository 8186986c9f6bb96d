// Numbers: constants, locals, arithmetic, conversions, comparisons.
#include <array>
#include <bit>

#include "classfile/bytes.h"
#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/stack_effects.h"
#include "compiler/runtime/instruction_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::Condition;
using x64::Label;
using x64::Precision;
using x64::Shift;
using x64::Sse;
using x64::Xmm;
namespace op = classfile::op;

namespace {

// In the order of the opcodes: add, sub, mul, div, rem.
constexpr unsigned kMul = 2, kRem = 4;

}  // namespace

bool Emitter::EmitConstant() {
  constexpr uint8_t kAconstNull = 1, kIconst0 = 3, kIconst5 = 8, kLconst0 = 9, kLconst1 = 10,
                    kFconst0 = 11, kFconst2 = 13, kDconst0 = 14, kDconst1 = 15, kBipush = 16;
  const uint8_t opcode = at_.opcode;
  const Mem to = StackSlot(frame_.stack.size());
  if (opcode == op::kNop) return true;
  if (opcode > op::kSipush) return false;
  const auto put64 = [&](int64_t bits) {
    a_.MovImmediate(rax, bits);
    a_.Store(k64, to, rax);
  };
  if (opcode == kAconstNull) {
    put64(0);
  } else if (opcode <= kIconst5) {
    a_.StoreImmediate(k32, to, opcode - kIconst0);
  } else if (opcode <= kLconst1) {
    put64(opcode - kLconst0);
  } else if (opcode <= kFconst2) {
    a_.StoreImmediate(k32, to, std::bit_cast<int32_t>(static_cast<float>(opcode - kFconst0)));
  } else if (opcode <= kDconst1) {
    put64(std::bit_cast<int64_t>(static_cast<double>(opcode - kDconst0)));
  } else {
    const uint8_t* const operand = &method().code[at_.bci + 1];
    a_.StoreImmediate(k32, to,
                      opcode == kBipush ? static_cast<int8_t>(*operand)
                                        : static_cast<int16_t>(classfile::LoadU2(operand)));
  }
  return true;
}

bool Emitter::EmitLocal() {
  constexpr uint8_t kAload3 = 45, kAstore = 58, kAstore3 = 78;
  const bool is_load = at_.opcode >= op::kIload && at_.opcode <= kAload3;
  const bool is_store = at_.opcode >= op::kIstore && at_.opcode <= kAstore3;
  if (!is_load && !is_store && at_.opcode != op::kIinc && at_.opcode != op::kWide) return false;
  const LocalAccess access = DecodeLocal(method().bytes(), at_);
  if (access.opcode == op::kIinc) {
    const bool wide = at_.opcode == op::kWide;
    const int32_t amount =
        wide ? static_cast<int16_t>(classfile::LoadU2(&method().code[at_.bci + 4]))
             : static_cast<int8_t>(method().code[at_.bci + 2]);
    a_.Do(Alu::kAdd, k32, LocalSlot(access.index), amount);
  } else if (access.opcode >= op::kIstore && access.opcode <= kAstore) {
    const Kind kind = frame_.stack.back();
    a_.Load(k64, rax, Top(kind == Kind::kUpper ? 1 : 0));
    a_.Store(k64, LocalSlot(access.index), rax);
  } else {
    a_.Load(k64, rax, LocalSlot(access.index));
    a_.Store(k64, StackSlot(frame_.stack.size()), rax);
  }
  return true;
}

bool Emitter::EmitArithmetic() {
  constexpr uint8_t kIadd = 96, kIneg = 116, kIshl = 120, kIand = 126, kLxor = 131;
  const uint8_t opcode = at_.opcode;
  if (opcode < kIadd || opcode > kLxor) return false;
  if (opcode < kIneg) {
    const unsigned operation = (opcode - kIadd) / 4u;
    switch ((opcode - kIadd) % 4) {
      case 0:
        IntegerBinary(k32, operation);
        break;
      case 1:
        IntegerBinary(k64, operation);
        break;
      case 2:
        FloatBinary(Precision::kSingle, operation);
        break;
      default:
        FloatBinary(Precision::kDouble, operation);
    }
    return true;
  }
  if (opcode < kIshl) {  // Signs.
    const bool wide = (opcode - kIneg) % 2 == 1;
    const x64::Width width = wide ? k64 : k32;
    const Mem slot = Top(wide ? 1 : 0);
    a_.Load(width, rax, slot);
    if (opcode - kIneg < 2) {
      a_.Negate(width, rax);
    } else if (wide) {
      a_.MovImmediate(rcx, INT64_MIN);
      a_.Do(Alu::kXor, k64, rax, rcx);
    } else {
      a_.Do(Alu::kXor, k32, rax, INT32_MIN);
    }
    a_.Store(width, slot, rax);
    return true;
  }
  const bool wide = opcode % 2 == 1;
  const x64::Width width = wide ? k64 : k32;
  if (opcode < kIand) {  // The processor takes the count modulo 32 or 64, as Java does.
    constexpr std::array kShifts = {Shift::kLeft, Shift::kRight, Shift::kRightUnsigned};
    const Mem slot = Top(wide ? 2 : 1);
    a_.Load(k32, rcx, Top(0));
    a_.Load(width, rax, slot);
    a_.DoShift(kShifts[(opcode - kIshl) / 2u], width, rax);
    a_.Store(width, slot, rax);
    return true;
  }
  constexpr std::array kLogic = {Alu::kAnd, Alu::kOr, Alu::kXor};
  const Mem slot = Top(wide ? 3 : 1);
  a_.Load(width, rax, slot);
  a_.Do(kLogic[(opcode - kIand) / 2u], width, rax, Top(wide ? 1 : 0));
  a_.Store(width, slot, rax);
  return true;
}

void Emitter::IntegerBinary(x64::Width width, unsigned operation) {
  const bool wide = width == k64;
  const Mem left = Top(wide ? 3 : 1);
  a_.Load(width, rcx, Top(wide ? 1 : 0));
  a_.Load(width, rax, left);
  if (operation < kMul) {
    a_.Do(operation == 0 ? Alu::kAdd : Alu::kSub, width, rax, rcx);
  } else if (operation == kMul) {
    a_.Multiply(width, rax, rcx);
  } else {
    a_.Test(width, rcx, rcx);
    a_.Jump(Condition::kEqual, TrapLabel(Trap::kDivision));
    Divide(a_, width, rcx, operation == kRem);
    if (operation == kRem) a_.Mov(width, rax, rdx);
  }
  a_.Store(width, left, rax);
}

void Emitter::FloatBinary(Precision precision, unsigned operation) {
  const bool wide = precision == Precision::kDouble;
  const Mem left = Top(wide ? 3 : 1);
  a_.Load(precision, Xmm::xmm0, left);
  a_.Load(precision, Xmm::xmm1, Top(wide ? 1 : 0));
  if (operation == kRem) {
    heap_.CallLeaf(wide ? vm_.double_remainder : vm_.float_remainder);
  } else {
    constexpr std::array kOperations = {Sse::kAdd, Sse::kSub, Sse::kMul, Sse::kDiv};
    a_.Do(kOperations[operation], precision, Xmm::xmm0, Xmm::xmm1);
  }
  a_.Store(precision, left, Xmm::xmm0);
}

bool Emitter::EmitConversion() {
  constexpr uint8_t kI2l = 133, kI2s = 147;
  if (at_.opcode < kI2l || at_.opcode > kI2s) return false;
  const Kind from = frame_.stack.back() == Kind::kUpper ? frame_.stack[frame_.stack.size() - 2]
                                                        : frame_.stack.back();
  const Mem slot = Top(IsWide(from) ? 1 : 0);
  const auto precision = from == Kind::kDouble ? Precision::kDouble : Precision::kSingle;
  const x64::Width width = from == Kind::kLong ? k64 : k32;
  switch (at_.opcode) {
    case 133:  // i2l
      a_.Load(k32, rax, slot);
      a_.SignExtend(k32, rax, rax);
      a_.Store(k64, slot, rax);
      break;
    case 134:  // i2f
    case 137:  // l2f
      a_.Load(width, rax, slot);
      a_.Convert(width, Precision::kSingle, Xmm::xmm0, rax);
      a_.Store(Precision::kSingle, slot, Xmm::xmm0);
      break;
    case 135:  // i2d
    case 138:  // l2d
      a_.Load(width, rax, slot);
      a_.Convert(width, Precision::kDouble, Xmm::xmm0, rax);
      a_.Store(Precision::kDouble, slot, Xmm::xmm0);
      break;
    case 136:  // l2i: the lower half stays where it is
      break;
    case 139:  // f2i
    case 142:  // d2i
      Truncate(precision, k32);
      break;
    case 140:  // f2l
    case 143:  // d2l
      Truncate(precision, k64);
      break;
    case 141:  // f2d
    case 144:  // d2f
      a_.Load(precision, Xmm::xmm0, slot);
      a_.ConvertPrecision(precision, Xmm::xmm0, Xmm::xmm0);
      a_.Store(from == Kind::kFloat ? Precision::kDouble : Precision::kSingle, slot, Xmm::xmm0);
      break;
    default:  // i2b, i2c, i2s
      a_.Load(k32, rax, slot);
      if (at_.opcode == 146) {
        a_.ZeroExtend(k16, rax, rax);
      } else {
        a_.SignExtend(at_.opcode == 145 ? k8 : k16, rax, rax);
      }
      a_.Store(k32, slot, rax);
  }
  return true;
}

void Emitter::Truncate(Precision from, x64::Width to) {
  const Label done = a_.NewLabel();
  const Mem slot = Top(from == Precision::kDouble ? 1 : 0);
  a_.Load(from, Xmm::xmm0, slot);
  a_.Truncate(from, to, rax, Xmm::xmm0);
  if (to == k64) {
    a_.MovImmediate(rcx, INT64_MIN);
    a_.Do(Alu::kCmp, k64, rax, rcx);
  } else {
    a_.Do(Alu::kCmp, k32, rax, INT32_MIN);
  }
  a_.Jump(Condition::kNotEqual, done);
  CorrectTruncated(a_, from, to, rax, Xmm::xmm0, Xmm::xmm1, done);
  a_.Bind(done);
  a_.Store(to, slot, rax);
}

bool Emitter::EmitComparison() {
  constexpr uint8_t kLcmp = 148, kFcmpg = 150, kDcmpl = 151, kDcmpg = 152;
  if (at_.opcode < kLcmp || at_.opcode > kDcmpg) return false;
  const Label done = a_.NewLabel();
  const bool wide = at_.opcode == kLcmp || at_.opcode >= kDcmpl;
  const Mem left = Top(wide ? 3 : 1);
  const Mem right = Top(wide ? 1 : 0);
  if (at_.opcode == kLcmp) {
    a_.Load(k64, rdx, left);
    a_.Do(Alu::kCmp, k64, rdx, right);
    SetOrder(a_, Condition::kGreater, Condition::kLess, rax, rcx);
  } else {
    const auto precision = wide ? Precision::kDouble : Precision::kSingle;
    const bool greater_for_nan = at_.opcode == kFcmpg || at_.opcode == kDcmpg;
    a_.Load(precision, Xmm::xmm0, left);
    a_.Load(precision, Xmm::xmm1, right);
    a_.MovImmediate(rax, greater_for_nan ? 1 : -1);
    a_.Compare(precision, Xmm::xmm0, Xmm::xmm1);
    a_.Jump(Condition::kUnordered, done);
    SetOrder(a_, Condition::kAbove, Condition::kBelow, rax, rcx);
  }
  a_.Bind(done);
  a_.Store(k32, left, rax);
  return true;
}

void Emitter::EmitShuffle() {
  const StackShuffle shuffle = *ShuffleOf(at_.opcode);
  const size_t size = frame_.stack.size();
  if (shuffle.swaps) {
    a_.Load(k64, rax, Top(0));
    a_.Load(k64, rcx, Top(1));
    a_.Store(k64, Top(1), rax);
    a_.Store(k64, Top(0), rcx);
    return;
  }
  const size_t first = size - shuffle.copied - shuffle.skipped;
  for (size_t i = size; shuffle.copied > 0 && i-- > first;) {
    a_.Load(k64, rax, StackSlot(i));
    a_.Store(k64, StackSlot(i + shuffle.copied), rax);
  }
  for (size_t i = 0; i < shuffle.copied; ++i) {
    a_.Load(k64, rax, StackSlot(size + i));
    a_.Store(k64, StackSlot(first + i), rax);
  }
}

}  // namespace yp::compiler
