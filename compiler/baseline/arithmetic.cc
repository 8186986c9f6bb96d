// Numbers: constants, locals, arithmetic, conversions, comparisons.
#include <array>
#include <bit>
#include <optional>
#include <variant>

#include "classfile/bytes.h"
#include "compiler/baseline/emitter.h"
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
  if (opcode == op::kNop) return true;
  if (opcode > op::kSipush) return false;
  if (opcode == kAconstNull) {
    stack_.PushConstant(Kind::kReference, 0);
  } else if (opcode <= kIconst5) {
    stack_.PushConstant(Kind::kInt, opcode - kIconst0);
  } else if (opcode <= kLconst1) {
    stack_.PushConstant(Kind::kLong, opcode - kLconst0);
  } else if (opcode <= kFconst2) {
    stack_.PushConstant(Kind::kFloat,
                        std::bit_cast<int32_t>(static_cast<float>(opcode - kFconst0)));
  } else if (opcode <= kDconst1) {
    stack_.PushConstant(Kind::kDouble,
                        std::bit_cast<int64_t>(static_cast<double>(opcode - kDconst0)));
  } else {
    const uint8_t* const operand = &method().code[at_.bci + 1];
    stack_.PushConstant(Kind::kInt, opcode == kBipush
                                        ? static_cast<int8_t>(*operand)
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
  const uint32_t slot = body().first_slot + access.index;
  if (access.opcode == op::kIinc) {
    const bool wide = at_.opcode == op::kWide;
    const int32_t amount =
        wide ? static_cast<int16_t>(classfile::LoadU2(&method().code[at_.bci + 4]))
             : static_cast<int8_t>(method().code[at_.bci + 2]);
    stack_.IncrementLocal(slot, amount);
  } else if (access.opcode >= op::kIstore && access.opcode <= kAstore) {
    stack_.StoreLocal(slot);
  } else {
    stack_.PushLocal(frame_.locals[access.index], slot);
  }
  return true;
}

void Emitter::Do(Alu operation, x64::Width width, Reg to, const LazyStack::Operand& from) {
  std::visit([&](const auto& operand) { a_.Do(operation, width, to, operand); }, from);
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
  if (opcode < kIshl) {
    Negate();
    return true;
  }
  const bool wide = opcode % 2 == 1;
  const x64::Width width = wide ? k64 : k32;
  if (opcode < kIand) {
    constexpr std::array kShifts = {Shift::kLeft, Shift::kRight, Shift::kRightUnsigned};
    EmitShift(width, kShifts[(opcode - kIshl) / 2u]);
    return true;
  }
  constexpr std::array kLogic = {Alu::kAnd, Alu::kOr, Alu::kXor};
  IntegerDo(width, kLogic[(opcode - kIand) / 2u]);
  return true;
}

void Emitter::IntegerDo(x64::Width width, Alu operation) {
  const bool wide = width == k64;
  const LazyStack::Operand right = stack_.At(wide ? 1 : 0);
  const Reg left = stack_.Own(wide ? 3 : 1);
  Do(operation, width, left, right);
  stack_.Pop(wide ? 4 : 2);
  stack_.Push(wide ? Kind::kLong : Kind::kInt, left);
}

void Emitter::IntegerBinary(x64::Width width, unsigned operation) {
  if (operation < kMul) return IntegerDo(width, operation == 0 ? Alu::kAdd : Alu::kSub);
  if (operation == kMul) return Multiply(width);
  Divide(width, operation == kRem);
}

void Emitter::Multiply(x64::Width width) {
  const bool wide = width == k64;
  const LazyStack::Operand right = stack_.At(wide ? 1 : 0);
  const Reg left = stack_.Own(wide ? 3 : 1);
  if (const auto* const reg = std::get_if<Reg>(&right)) {
    a_.Multiply(width, left, *reg);
  } else if (const auto* const slot = std::get_if<Mem>(&right)) {
    a_.Multiply(width, left, *slot);
  } else {
    a_.Multiply(width, left, left, std::get<int32_t>(right));
  }
  stack_.Pop(wide ? 4 : 2);
  stack_.Push(wide ? Kind::kLong : Kind::kInt, left);
}

void Emitter::Divide(x64::Width width, bool wants_remainder) {
  const bool wide = width == k64;
  const size_t right = wide ? 1 : 0;
  const LazyStack::Value divisor = stack_.Top(right);
  const bool is_constant = divisor.place == LazyStack::Value::Place::kConstant;
  stack_.Load(right, rcx);
  if (!is_constant || divisor.bits == 0) {
    a_.Test(width, rcx, rcx);
    a_.Jump(Condition::kEqual, TrapLabel(Trap::kDivision));
  }
  stack_.Load(wide ? 3 : 1, rax);
  if (is_constant && divisor.bits != -1) {
    a_.Divide(width, rcx);
  } else {
    compiler::Divide(a_, width, rcx, wants_remainder);
  }
  stack_.Pop(wide ? 4 : 2);
  stack_.Unpin();
  const Reg result = stack_.Allocate();
  a_.Mov(width, result, wants_remainder ? rdx : rax);
  stack_.Push(wide ? Kind::kLong : Kind::kInt, result);
}

// The processor takes the count modulo 32 or 64, as Java does.
void Emitter::EmitShift(x64::Width width, Shift shift) {
  const bool wide = width == k64;
  const LazyStack::Value count = stack_.Top(0);
  const Reg value = stack_.Own(wide ? 2 : 1);
  if (count.place == LazyStack::Value::Place::kConstant) {
    const auto by = static_cast<uint8_t>(count.bits & (wide ? 63 : 31));
    if (by != 0) a_.DoShift(shift, width, value, by);
  } else {
    stack_.Load(0, rcx);
    a_.DoShift(shift, width, value);
  }
  stack_.Pop(wide ? 3 : 2);
  stack_.Push(wide ? Kind::kLong : Kind::kInt, value);
}

void Emitter::Negate() {
  constexpr uint8_t kIneg = 116, kLneg = 117, kFneg = 118;
  const bool wide = (at_.opcode - kIneg) % 2 == 1;
  const size_t slots = wide ? 2 : 1;
  const x64::Width width = wide ? k64 : k32;
  if (at_.opcode <= kLneg) {
    const Reg value = stack_.Own(slots - 1);
    a_.Negate(width, value);
    stack_.Pop(slots);
    return stack_.Push(wide ? Kind::kLong : Kind::kInt, value);
  }
  const Xmm value = stack_.OwnXmm(slots - 1);
  a_.MovImmediate(rax, at_.opcode == kFneg ? int64_t{1} << 31 : INT64_MIN);
  a_.MovBits(width, Xmm::xmm1, rax);
  a_.Xor(value, Xmm::xmm1);
  stack_.Pop(slots);
  stack_.Push(wide ? Kind::kDouble : Kind::kFloat, value);
}

void Emitter::FloatBinary(Precision precision, unsigned operation) {
  const bool wide = precision == Precision::kDouble;
  const Kind kind = wide ? Kind::kDouble : Kind::kFloat;
  const size_t left = wide ? 3 : 1, right = wide ? 1 : 0;
  if (operation == kRem) {
    stack_.Forget(LazyStack::kVolatile);
    stack_.Load(left, Xmm::xmm0);
    stack_.Load(right, Xmm::xmm1);
    heap_.CallLeaf(wide ? vm_.double_remainder : vm_.float_remainder);
    stack_.Pop(wide ? 4 : 2);
    return PushResult(kind);
  }
  constexpr std::array kOperations = {Sse::kAdd, Sse::kSub, Sse::kMul, Sse::kDiv};
  const LazyStack::XmmOperand with = stack_.XmmAt(right);
  const Xmm value = stack_.OwnXmm(left);
  std::visit([&](const auto& operand) { a_.Do(kOperations[operation], precision, value, operand); },
             with);
  stack_.Pop(wide ? 4 : 2);
  stack_.Push(kind, value);
}

bool Emitter::EmitConversion() {
  constexpr uint8_t kI2l = 133, kI2s = 147;
  if (at_.opcode < kI2l || at_.opcode > kI2s) return false;
  const Kind from = frame_.stack.back() == Kind::kUpper ? frame_.stack[frame_.stack.size() - 2]
                                                        : frame_.stack.back();
  const size_t slots = SlotsOf(from);
  const auto precision = from == Kind::kDouble ? Precision::kDouble : Precision::kSingle;
  const x64::Width width = from == Kind::kLong ? k64 : k32;
  const auto convert = [&](Precision to) {
    const Reg value = stack_.Take(slots);
    const Xmm result = stack_.AllocateXmm();
    a_.Clear(result);  // It would wait for what is in its upper half.
    a_.Convert(width, to, result, value);
    stack_.Push(to == Precision::kDouble ? Kind::kDouble : Kind::kFloat, result);
  };
  const auto extend = [&](const auto& emit, Kind to) {
    const Reg value = stack_.Take(slots);
    const Reg result = stack_.Allocate();
    emit(result, value);
    stack_.Push(to, result);
  };
  switch (at_.opcode) {
    case 133:  // i2l
      extend([&](Reg to, Reg value) { a_.SignExtend(k32, to, value); }, Kind::kLong);
      break;
    case 134:  // i2f
    case 137:  // l2f
      convert(Precision::kSingle);
      break;
    case 135:  // i2d
    case 138:  // l2d
      convert(Precision::kDouble);
      break;
    case 136:  // l2i
      extend([&](Reg to, Reg value) { a_.Mov(k32, to, value); }, Kind::kInt);
      break;
    case 139:  // f2i
    case 142:  // d2i
      Truncate(precision, k32);
      break;
    case 140:  // f2l
    case 143:  // d2l
      Truncate(precision, k64);
      break;
    case 141:    // f2d
    case 144: {  // d2f
      const Xmm value = stack_.TakeXmm(slots);
      const Xmm result = stack_.AllocateXmm();
      a_.ConvertPrecision(precision, result, value);
      stack_.Push(from == Kind::kFloat ? Kind::kDouble : Kind::kFloat, result);
      break;
    }
    case 145:  // i2b
      extend([&](Reg to, Reg value) { a_.SignExtend(k8, to, value); }, Kind::kInt);
      break;
    case 146:  // i2c
      extend([&](Reg to, Reg value) { a_.ZeroExtend(k16, to, value); }, Kind::kInt);
      break;
    default:  // i2s
      extend([&](Reg to, Reg value) { a_.SignExtend(k16, to, value); }, Kind::kInt);
  }
  return true;
}

void Emitter::Truncate(Precision from, x64::Width to) {
  const Label done = a_.NewLabel();
  const size_t slots = from == Precision::kDouble ? 2 : 1;
  const Xmm value = stack_.UseXmm(slots - 1);
  a_.Truncate(from, to, rax, value);
  if (to == k64) {
    a_.MovImmediate(rcx, INT64_MIN);
    a_.Do(Alu::kCmp, k64, rax, rcx);
  } else {
    a_.Do(Alu::kCmp, k32, rax, INT32_MIN);
  }
  a_.Jump(Condition::kNotEqual, done);
  CorrectTruncated(a_, from, to, rax, value, Xmm::xmm1, done);
  a_.Bind(done);
  stack_.Pop(slots);
  PushResult(to == k64 ? Kind::kLong : Kind::kInt);
}

void Emitter::Compare(x64::Width width, size_t left, size_t right) {
  const LazyStack::Operand second = stack_.At(right);
  LazyStack::Operand first = stack_.At(left);
  if (std::holds_alternative<int32_t>(first)) first = stack_.Use(left);
  const Mem* const slot = std::get_if<Mem>(&first);
  if (slot != nullptr && std::holds_alternative<int32_t>(second)) {
    return a_.Do(Alu::kCmp, width, *slot, std::get<int32_t>(second));
  }
  if (slot != nullptr && std::holds_alternative<Reg>(second)) {
    return a_.Do(Alu::kCmp, width, *slot, std::get<Reg>(second));
  }
  Do(Alu::kCmp, width, slot != nullptr ? stack_.Use(left) : std::get<Reg>(first), second);
}

void Emitter::CompareFloats(Precision precision, size_t left, size_t right) {
  const LazyStack::XmmOperand second = stack_.XmmAt(right);
  const Xmm first = stack_.UseXmm(left);
  std::visit([&](const auto& operand) { a_.Compare(precision, first, operand); }, second);
}

bool Emitter::EmitComparison() {
  constexpr uint8_t kLcmp = 148, kFcmpg = 150, kDcmpl = 151, kDcmpg = 152;
  if (at_.opcode < kLcmp || at_.opcode > kDcmpg) return false;
  const bool wide = at_.opcode == kLcmp || at_.opcode >= kDcmpl;
  const size_t left = wide ? 3 : 1, right = wide ? 1 : 0, popped = wide ? 4 : 2;
  const bool greater_for_nan = at_.opcode == kFcmpg || at_.opcode == kDcmpg;
  const std::optional<Instruction> branch = BranchOnResult();
  if (branch) stack_.Flush(popped);
  if (at_.opcode == kLcmp) {
    Compare(k64, left, right);
    if (branch) {
      BranchOn(*branch);
    } else {
      SetOrder(a_, Condition::kGreater, Condition::kLess, rax, rcx);
    }
  } else {
    CompareFloats(wide ? Precision::kDouble : Precision::kSingle, left, right);
    if (branch) {
      BranchOnFloats(*branch, greater_for_nan);
    } else {
      const Label done = a_.NewLabel();
      a_.MovImmediate(rax, greater_for_nan ? 1 : -1);  // Leaves the flags alone.
      a_.Jump(Condition::kUnordered, done);
      SetOrder(a_, Condition::kAbove, Condition::kBelow, rax, rcx);
      a_.Bind(done);
    }
  }
  stack_.Pop(popped);
  if (!branch) {
    PushResult(Kind::kInt);
    return true;
  }
  stack_.PushConstant(Kind::kInt, 0);  // The branch pops it, and does nothing else.
  branched_ = true;
  return true;
}

}  // namespace yp::compiler
