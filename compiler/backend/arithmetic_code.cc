// Numbers. What traps is in control_code.cc; r10, r11 and xmm15 are free.
#include <utility>

#include "compiler/backend/code_emitter.h"
#include "compiler/runtime/instruction_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Node;
using ir::Op;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Precision;
using x64::Sse;
using x64::Xmm;

namespace {

Alu AluOf(Op op) {
  switch (op) {
    case Op::kAdd:
      return Alu::kAdd;
    case Op::kSub:
      return Alu::kSub;
    case Op::kAnd:
      return Alu::kAnd;
    case Op::kOr:
      return Alu::kOr;
    default:
      return Alu::kXor;
  }
}

}  // namespace

Sse CodeEmitter::SseOf(Op op) {
  return op == Op::kAdd   ? Sse::kAdd
         : op == Op::kSub ? Sse::kSub
         : op == Op::kMul ? Sse::kMul
                          : Sse::kDiv;
}

x64::Shift CodeEmitter::ShiftOf(Op op) {
  return op == Op::kShl   ? x64::Shift::kLeft
         : op == Op::kShr ? x64::Shift::kRight
                          : x64::Shift::kRightUnsigned;
}

uint8_t CodeEmitter::ShiftCount(const Node& constant, x64::Width width) {
  return static_cast<uint8_t>(constant.bits & (width == k64 ? 63 : 31));
}

bool CodeEmitter::EmitArithmetic(const Node& node) {
  switch (node.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      IsFloatingPoint(node.kind) ? EmitFloatBinary(node) : EmitIntegerBinary(node);
      return true;
    case Op::kDiv:
    case Op::kRem:
      if (!IsFloatingPoint(node.kind)) {
        Divide(a_, WidthOf(node.kind), InReg(node, 1), node.op == Op::kRem);
      } else if (node.op == Op::kDiv) {
        EmitFloatBinary(node);
      } else {
        heap_.CallLeaf(node.kind == Kind::kDouble ? vm_.double_remainder : vm_.float_remainder);
      }
      return true;
    case Op::kMultiplyHigh:
      a_.MultiplyHigh(k64, InReg(node, 1));
      return true;
    case Op::kShl:
    case Op::kShr:
    case Op::kUshr:
      EmitShift(node);
      return true;
    case Op::kNeg:
      EmitNegation(node);
      return true;
    case Op::kAbsolute:
      a_.Load(Precision::kDouble, kScratchXmm, Pooled(uint64_t{INT64_MAX}));
      if (OutXmm(node) != InXmm(node, 0)) a_.Mov(OutXmm(node), InXmm(node, 0));
      a_.And(OutXmm(node), kScratchXmm);
      return true;
    case Op::kConvert:
    case Op::kNarrow:
      EmitConversion(node);
      return true;
    case Op::kCompare:
      EmitCompare(node);
      return true;
    default:
      return false;
  }
}

void CodeEmitter::Do(Alu operation, x64::Width width, Reg to, const Operand& operand) {
  switch (operand.what) {
    case Operand::What::kRegister:
      return a_.Do(operation, width, to, static_cast<Reg>(operand.number));
    case Operand::What::kImmediate:
      return a_.Do(operation, width, to, operand.number);
    default:
      return a_.Do(operation, width, to, operand.memory);
  }
}

void CodeEmitter::EmitIntegerBinary(const Node& node) {
  const x64::Width width = WidthOf(node.kind);
  const Reg out = OutReg(node);
  Reg left = InReg(node, 0);
  Operand right = OperandOf(node, 1);
  const bool is_register = right.what == Operand::What::kRegister;
  if (right.what == Operand::What::kImmediate && node.op == Op::kMul) {
    return a_.Multiply(width, out, left, right.number);
  }
  if (out != left && node.op == Op::kAdd && right.what != Operand::What::kMemory) {
    const Mem sum =
        is_register ? At(left, static_cast<Reg>(right.number), 0, 0) : At(left, right.number);
    return a_.Lea(width, out, sum);
  }
  if (is_register && static_cast<Reg>(right.number) == out && left != out) {
    if (node.op == Op::kSub) {
      a_.Mov(width, r11, out);
      right.number = NumberOf(r11);
    } else {
      right.number = NumberOf(std::exchange(left, out));
    }
  }
  if (out != left) a_.Mov(width, out, left);
  if (node.op != Op::kMul) return Do(AluOf(node.op), width, out, right);
  if (right.what == Operand::What::kRegister) {
    a_.Multiply(width, out, static_cast<Reg>(right.number));
  } else {
    a_.Multiply(width, out, right.memory);
  }
}

void CodeEmitter::EmitFloatBinary(const Node& node) {
  const Precision precision = PrecisionOf(node.kind);
  const Sse operation = SseOf(node.op);
  const Xmm out = OutXmm(node);
  Xmm left = InXmm(node, 0);
  const Operand right = OperandOf(node, 1);
  Xmm right_xmm = kScratchXmm;
  if (right.what == Operand::What::kRegister) {
    right_xmm = static_cast<Xmm>(right.number - kFirstXmm);
    if (right_xmm == out && left != out) {
      if (node.op == Op::kAdd || node.op == Op::kMul) {
        right_xmm = std::exchange(left, out);
      } else {
        a_.Mov(kScratchXmm, out);
        right_xmm = kScratchXmm;
      }
    }
  }
  if (out != left) a_.Mov(out, left);
  switch (right.what) {
    case Operand::What::kRegister:
      return a_.Do(operation, precision, out, right_xmm);
    case Operand::What::kMemory:
      return a_.Do(operation, precision, out, right.memory);
    default:
      return a_.Do(operation, precision, out, right.label);
  }
}

void CodeEmitter::EmitShift(const Node& node) {
  const x64::Width width = WidthOf(node.kind);
  const x64::Shift shift = ShiftOf(node.op);
  const Reg out = OutReg(node), in = InReg(node, 0);
  if (ir::IsConstant(node.in[1])) {
    const uint8_t count = ShiftCount(*node.in[1], width);
    if (out != in) a_.Mov(width, out, in);
    if (count != 0) a_.DoShift(shift, width, out, count);
    return;
  }
  const Reg to = out == rcx ? r10 : out;
  if (to != in) a_.Mov(width, to, in);
  a_.DoShift(shift, width, to);
  if (to != out) a_.Mov(width, out, to);
}

void CodeEmitter::EmitNegation(const Node& node) {
  if (!IsFloatingPoint(node.kind)) {
    if (OutReg(node) != InReg(node, 0)) a_.Mov(WidthOf(node.kind), OutReg(node), InReg(node, 0));
    return a_.Negate(WidthOf(node.kind), OutReg(node));
  }
  const bool is_double = node.kind == Kind::kDouble;
  a_.Load(Precision::kDouble, kScratchXmm,
          Pooled(is_double ? uint64_t{1} << 63 : uint64_t{1} << 31));
  if (OutXmm(node) != InXmm(node, 0)) a_.Mov(OutXmm(node), InXmm(node, 0));
  a_.Xor(OutXmm(node), kScratchXmm);
}

void CodeEmitter::EmitConversion(const Node& node) {
  const Kind from = node.in[0]->kind;
  if (node.op == Op::kNarrow) {
    const Reg out = OutReg(node), in = InReg(node, 0);
    switch (node.type) {
      case 'Z':
        if (out != in) a_.Mov(k32, out, in);
        return a_.Do(Alu::kAnd, k32, out, 1);
      case 'B':
        return a_.SignExtend(k8, out, in);
      case 'C':
        return a_.ZeroExtend(k16, out, in);
      default:
        return a_.SignExtend(k16, out, in);
    }
  }
  if (IsFloatingPoint(from) && IsFloatingPoint(node.kind)) {
    return a_.ConvertPrecision(PrecisionOf(from), OutXmm(node), InXmm(node, 0));
  }
  if (IsFloatingPoint(from)) return Truncate(node);
  if (IsFloatingPoint(node.kind)) {
    a_.Clear(OutXmm(node));  // Only a part of it is written: it would wait for what was there.
    return a_.Convert(from == Kind::kLong ? k64 : k32, PrecisionOf(node.kind), OutXmm(node),
                      InReg(node, 0));
  }
  if (node.kind == Kind::kLong) return a_.SignExtend(k32, OutReg(node), InReg(node, 0));
  a_.Mov(k32, OutReg(node), InReg(node, 0));
}

void CodeEmitter::Truncate(const Node& node) {
  const Precision precision = PrecisionOf(node.in[0]->kind);
  const x64::Width width = WidthOf(node.kind);
  const Xmm in = InXmm(node, 0);
  const Label done = a_.NewLabel(), does_not_fit = a_.NewLabel();
  a_.Truncate(precision, width, r10, in);
  if (width == k64) {
    a_.MovImmediate(r11, INT64_MIN);
    a_.Do(Alu::kCmp, k64, r10, r11);
  } else {
    a_.Do(Alu::kCmp, k32, r10, INT32_MIN);
  }
  a_.Jump(Condition::kEqual, does_not_fit);
  a_.Bind(done);
  a_.Mov(width, OutReg(node), r10);
  slow_paths_.emplace_back([=, this] {
    a_.Bind(does_not_fit);
    CorrectTruncated(a_, precision, width, r10, in, kScratchXmm, done);
    a_.Jump(done);
  });
}

// Sets the flags of a comparison of two inputs.
void CodeEmitter::Compare(const Node& node, size_t left, size_t right) {
  const Kind kind = node.in[left]->kind;
  const Operand operand = OperandOf(node, right);
  if (!IsFloatingPoint(kind)) {
    const x64::Width width = kind == Kind::kInt ? k32 : k64;
    const Location place = In(node, left);
    if (place.is_register()) {
      const bool is_zero = operand.what == Operand::What::kImmediate && operand.number == 0;
      if (is_zero) return a_.Test(width, RegOf(place), RegOf(place));
      return Do(Alu::kCmp, width, RegOf(place), operand);
    }
    return a_.Do(Alu::kCmp, width, MemoryOf(place), operand.number);
  }
  const Precision precision = PrecisionOf(kind);
  switch (operand.what) {
    case Operand::What::kRegister:
      return a_.Compare(precision, InXmm(node, left), static_cast<Xmm>(operand.number - kFirstXmm));
    case Operand::What::kMemory:
      return a_.Compare(precision, InXmm(node, left), operand.memory);
    default:
      a_.Load(precision, kScratchXmm, operand.label);
      return a_.Compare(precision, InXmm(node, left), kScratchXmm);
  }
}

void CodeEmitter::EmitCompare(const Node& node) {
  const Label done = a_.NewLabel();
  const bool is_long = node.in[0]->kind == Kind::kLong;
  if (!is_long) a_.MovImmediate(r10, node.type == 'G' ? 1 : -1);
  Compare(node, 0, 1);
  if (!is_long) a_.Jump(Condition::kUnordered, done);
  SetOrder(a_, is_long ? Condition::kGreater : Condition::kAbove,
           is_long ? Condition::kLess : Condition::kBelow, r10, r11);
  a_.Bind(done);
  a_.Mov(k32, OutReg(node), r10);
}

}  // namespace yp::compiler
