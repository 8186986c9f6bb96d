// Fields and arrays.
#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/array_types.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Precision;
using x64::Xmm;
namespace op = classfile::op;

namespace {

constexpr uint8_t kArraylength = 190;

}  // namespace

bool Emitter::EmitMemory() {
  const uint8_t opcode = at_.opcode;
  if (LoadsElement(opcode)) {
    EmitArrayLoad(ElementTypeOf(opcode));
  } else if (StoresElement(opcode)) {
    EmitArrayStore(ElementTypeOf(opcode));
  } else if (opcode >= op::kGetstatic && opcode <= op::kPutfield) {
    EmitField();
  } else if (opcode == kArraylength) {
    const Reg array = UseObject(0);
    stack_.Pop(1);
    PushLoaded('I', At(array, vm_.array_length));
  } else {
    return false;
  }
  return true;
}

void Emitter::PushResult(Kind kind) {
  stack_.Unpin();
  if (IsFloatingPoint(kind)) {
    const Xmm result = stack_.AllocateXmm();
    a_.Mov(result, Xmm::xmm0);
    stack_.Push(kind, result);
  } else if (kind != Kind::kDead) {
    const Reg result = stack_.Allocate();
    a_.Mov(kind == Kind::kInt ? k32 : k64, result, rax);
    stack_.Push(kind, result);
  }
}

// A boolean that is not 0 or 1 is read as it is, as by the interpreter.
void Emitter::PushLoaded(char type, const Mem& from) {
  const Kind kind = KindOf(type);
  stack_.Unpin();
  if (IsFloatingPoint(kind)) {
    const Xmm result = stack_.AllocateXmm();
    a_.Load(type == 'F' ? Precision::kSingle : Precision::kDouble, result, from);
    return stack_.Push(kind, result);
  }
  const Reg result = stack_.Allocate();
  switch (type) {
    case 'Z':
      a_.LoadZeroExtended(k8, result, from);
      break;
    case 'B':
      a_.LoadSignExtended(k8, result, from);
      break;
    case 'C':
      a_.LoadZeroExtended(k16, result, from);
      break;
    case 'S':
      a_.LoadSignExtended(k16, result, from);
      break;
    case 'I':
      a_.Load(k32, result, from);
      break;
    case 'L':
    case '[':
      heap_.LoadOop(result, from);
      break;
    default:
      a_.Load(k64, result, from);
  }
  stack_.Push(kind, result);
}

void Emitter::StoreTop(char type, const Mem& to, size_t popped) {
  const Kind kind = KindOf(type);
  if (kind == Kind::kReference) return StoreReference(to, popped);
  const size_t value = SlotsOf(kind) - 1;
  const x64::Width width = type == 'Z' || type == 'B'   ? k8
                           : type == 'C' || type == 'S' ? k16
                           : IsWide(kind)               ? k64
                                                        : k32;
  const int64_t bits = stack_.Top(value).bits;
  const bool is_constant = stack_.Top(value).place == LazyStack::Value::Place::kConstant &&
                           (!IsWide(kind) || bits == static_cast<int32_t>(bits));
  if (is_constant) {
    a_.StoreImmediate(width, to, static_cast<int32_t>(type == 'Z' ? bits & 1 : bits));
  } else if (IsFloatingPoint(kind)) {
    a_.Store(type == 'F' ? Precision::kSingle : Precision::kDouble, to, stack_.UseXmm(value));
  } else if (type == 'Z') {
    stack_.Load(value, rax);
    a_.Do(Alu::kAnd, k32, rax, 1);
    a_.Store(k8, to, rax);
  } else {
    a_.Store(width, to, stack_.Use(value));
  }
  stack_.Pop(popped);
}

void Emitter::StoreReference(const Mem& to, size_t popped) {
  if (heap_.StoresInLine()) {
    if (stack_.Top(0).place == LazyStack::Value::Place::kConstant) {
      heap_.StoreNull(to);
    } else {
      heap_.StoreOopInLine(to, stack_.Use(0));
    }
    return stack_.Pop(popped);
  }
  stack_.Load(0, rax);
  stack_.Pop(popped);
  a_.Lea(rdx, to);
  stack_.Forget(LazyStack::kVolatile);
  heap_.StoreOop();
}

void Emitter::EmitField() {
  constexpr uint8_t kPutstatic = 179, kGetfield = 180;
  const FieldLink& field = *linkage().Field(ConstantOperand(method().bytes(), at_), at_.opcode);
  const Kind kind = KindOf(field.type);
  const bool is_put = at_.opcode == kPutstatic || at_.opcode == op::kPutfield;
  const bool is_static = at_.opcode < kGetfield;
  const size_t value_slots = is_put ? SlotsOf(kind) : 0;
  Reg base = rcx;
  if (is_static) {
    if (field.uninitialized) {
      heap_.CheckInitialized(*field.uninitialized, TrapLabel(UnresolvedTrap()));
    }
    heap_.LoadConstant(base, field.holder);
  } else {
    base = UseObject(value_slots);
  }
  const Mem place = At(base, field.offset);
  const size_t popped = value_slots + (is_static ? 0 : 1);
  if (is_put) {
    StoreTop(field.type, place, popped);
    if (field.is_volatile) a_.Fence();
    return;
  }
  stack_.Pop(popped);
  if (!field.is_referent) return PushLoaded(field.type, place);
  PushReferent(place);
}

void Emitter::PushReferent(const Mem& from) {
  stack_.Forget(LazyStack::kVolatile);
  heap_.LoadOop(rax, from);
  heap_.KeepReferent();
  PushResult(Kind::kReference);
}

// Checks array and index, which are in the slots so far from the top.
x64::Mem Emitter::ArrayElement(char type, size_t index_slot, size_t array_slot) {
  const Reg array = UseObject(array_slot);
  const Mem length = At(array, vm_.array_length);
  const LazyStack::Value index = stack_.Top(index_slot);
  constexpr int64_t kFarthest = 1 << 24;  // So that its distance has 31 bits.
  if (index.place == LazyStack::Value::Place::kConstant && index.bits >= 0 &&
      index.bits < kFarthest) {
    const auto number = static_cast<int32_t>(index.bits);
    a_.Do(Alu::kCmp, k32, length, number);
    a_.Jump(Condition::kBelowOrEqual, TrapLabel(Trap::kBounds));
    return At(array, vm_.ArrayBase(type) + (number << vm_.ElementShift(type)));
  }
  const Reg number = stack_.Use(index_slot);
  a_.Do(Alu::kCmp, k32, number, length);
  a_.Jump(Condition::kAboveOrEqual, TrapLabel(Trap::kBounds));
  return At(array, number, vm_.ElementShift(type), vm_.ArrayBase(type));
}

void Emitter::EmitArrayLoad(char type) {
  const Mem element = ArrayElement(type, 0, 1);
  stack_.Pop(2);
  PushLoaded(type, element);
}

void Emitter::EmitArrayStore(char type) {
  const size_t value_slots = SlotsOf(KindOf(type));
  const size_t popped = value_slots + 2;
  const bool is_reference = type == 'L';
  // What the check loses, which comes before the place is used.
  if (is_reference) stack_.Reserve(SetOf(r9));
  const Mem place = ArrayElement(type, value_slots, value_slots + 1);
  if (is_reference && stack_.Top(0).place != LazyStack::Value::Place::kConstant) {
    const Label checked = a_.NewLabel();
    const Reg value = stack_.Use(0);
    const Label fails = TrapLabel(Trap::kArrayStore);
    a_.Test(k64, value, value);
    a_.Jump(Condition::kEqual, checked);
    heap_.CheckArrayStore(place.base, value, fails);
    a_.Bind(checked);
  } else if (type == 'B') {  // boolean[] too: it holds 0 and 1 only.
    const Label bytes = a_.NewLabel();
    stack_.Load(0, rax);
    heap_.LoadKlass(r10, place.base);
    a_.TestImmediate(k32, At(r10, vm_.layout_helper), vm_.boolean_array_bit);
    a_.Jump(Condition::kEqual, bytes);
    a_.Do(Alu::kAnd, k32, rax, 1);
    a_.Bind(bytes);
    a_.Store(k8, place, rax);
    return stack_.Pop(popped);
  }
  StoreTop(type, place, popped);
}

}  // namespace yp::compiler
