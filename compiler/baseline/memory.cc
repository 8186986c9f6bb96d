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
    a_.Load(k64, rcx, Top(0));
    CheckNull(rcx);
    a_.Load(k32, rax, At(rcx, vm_.array_length));
    PushResult(Kind::kInt, 1);
  } else {
    return false;
  }
  return true;
}

void Emitter::PushResult(Kind kind, size_t popped_slots) {
  const Mem to = StackSlot(frame_.stack.size() - popped_slots);
  a_.Store(kind == Kind::kInt || kind == Kind::kFloat ? k32 : k64, to, rax);
}

// Into rax. A boolean that is not 0 or 1 is read as it is, as by the interpreter.
void Emitter::LoadTyped(char type, const Mem& from) {
  switch (type) {
    case 'Z':
      a_.LoadZeroExtended(k8, rax, from);
      break;
    case 'B':
      a_.LoadSignExtended(k8, rax, from);
      break;
    case 'C':
      a_.LoadZeroExtended(k16, rax, from);
      break;
    case 'S':
      a_.LoadSignExtended(k16, rax, from);
      break;
    case 'I':
    case 'F':
      a_.Load(k32, rax, from);
      break;
    case 'L':
    case '[':
      heap_.LoadOop(rax, from);
      break;
    default:
      a_.Load(k64, rax, from);
  }
}

// From rax. Every register but r12 and r15 may be lost.
void Emitter::StoreTyped(char type, const Mem& to) {
  switch (type) {
    case 'Z':
      a_.Do(Alu::kAnd, k32, rax, 1);
      a_.Store(k8, to, rax);
      break;
    case 'B':
      a_.Store(k8, to, rax);
      break;
    case 'C':
    case 'S':
      a_.Store(k16, to, rax);
      break;
    case 'I':
    case 'F':
      a_.Store(k32, to, rax);
      break;
    case 'L':
    case '[':
      a_.Lea(rdx, to);
      heap_.StoreOop();
      break;
    default:
      a_.Store(k64, to, rax);
  }
}

void Emitter::EmitField() {
  constexpr uint8_t kPutstatic = 179, kGetfield = 180;
  const FieldLink& field = *linkage().Field(ConstantOperand(method().bytes(), at_), at_.opcode);
  const Kind kind = KindOf(field.type);
  const bool is_put = at_.opcode == kPutstatic || at_.opcode == op::kPutfield;
  const bool is_static = at_.opcode < kGetfield;
  const size_t value_slots = is_put ? SlotsOf(kind) : 0;
  if (is_static) {
    if (field.uninitialized) {
      heap_.CheckInitialized(*field.uninitialized, TrapLabel(UnresolvedTrap()));
    }
    heap_.LoadConstant(rcx, field.holder);
  } else {
    a_.Load(k64, rcx, Top(value_slots));
    CheckNull(rcx);
  }
  const Mem place = At(rcx, field.offset);
  if (is_put) {
    a_.Load(k64, rax, Top(value_slots - 1));
    StoreTyped(field.type, place);
    if (field.is_volatile) a_.Fence();
    return;
  }
  LoadTyped(field.type, place);
  if (field.is_referent) heap_.KeepReferent();
  PushResult(kind, is_static ? 0 : 1);
}

// Checks array and index, which are in the slots so far from the top. Array in rdx, index in rcx.
x64::Mem Emitter::ArrayElement(char type, size_t index_slot, size_t array_slot) {
  a_.Load(k32, rcx, Top(index_slot));
  a_.Load(k64, rdx, Top(array_slot));
  CheckNull(rdx);
  a_.Do(Alu::kCmp, k32, rcx, At(rdx, vm_.array_length));
  a_.Jump(Condition::kAboveOrEqual, TrapLabel(Trap::kBounds));
  return At(rdx, rcx, vm_.ElementShift(type), vm_.ArrayBase(type));
}

void Emitter::EmitArrayLoad(char type) {
  LoadTyped(type, ArrayElement(type, 0, 1));
  PushResult(KindOf(type), 2);
}

void Emitter::EmitArrayStore(char type) {
  const size_t value_slots = SlotsOf(KindOf(type));
  const Mem place = ArrayElement(type, value_slots, value_slots + 1);
  a_.Load(k64, rax, Top(value_slots - 1));
  if (type == 'L') {
    const Label checked = a_.NewLabel();
    a_.Test(k64, rax, rax);
    a_.Jump(Condition::kEqual, checked);
    heap_.CheckArrayStore(rdx, rax, TrapLabel(Trap::kArrayStore));
    a_.Bind(checked);
  } else if (type == 'B') {  // boolean[] too: it holds 0 and 1 only.
    const Label bytes = a_.NewLabel();
    heap_.LoadKlass(r10, rdx);
    a_.TestImmediate(k32, At(r10, vm_.layout_helper), vm_.boolean_array_bit);
    a_.Jump(Condition::kEqual, bytes);
    a_.Do(Alu::kAnd, k32, rax, 1);
    a_.Bind(bytes);
  }
  StoreTyped(type, place);
}

}  // namespace yp::compiler
