// Objects, arrays, monitors.
#include "compiler/backend/code_emitter.h"
#include "compiler/runtime/g1_barriers.h"
#include "compiler/runtime/monitor_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Node;
using ir::Op;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Mem;
using x64::Precision;

bool CodeEmitter::EmitObject(const Node& node) {
  switch (node.op) {
    case Op::kMaterialized:
      Emit(
          Move{{Location::Where::kConstant, 0, node.in[0]}, allocation_.ResultOf(node), node.kind});
      return true;
    case Op::kOsrLocal: {
      const Mem word = At(InReg(node, 0), static_cast<int32_t>(8 * node.bits));
      if (IsFloatingPoint(node.kind)) {
        a_.Load(node.kind == Kind::kFloat ? Precision::kSingle : Precision::kDouble, OutXmm(node),
                word);
      } else {
        a_.Load(node.kind == Kind::kInt ? k32 : k64, OutReg(node), word);
      }
      return true;
    }
    case Op::kException:
      TakeException(OutReg(node));
      return true;
    case Op::kOsrEnd:
      heap_.CallLeaf(vm_.osr_migration_end);
      return true;
    case Op::kArrayLength:
      a_.Load(k32, OutReg(node), At(InReg(node, 0), vm_.array_length));
      return true;
    case Op::kLoadField:
      EmitLoad(node.field->type, node, At(InReg(node, 0), node.field->offset));
      if (node.field->is_referent) KeepReferent(node);
      return true;
    case Op::kLoadElement:
      EmitLoad(node.type, node, ElementOf(node));
      return true;
    case Op::kStoreField:
      EmitStore(node.field->type, node, 1, At(InReg(node, 0), node.field->offset));
      if (node.field->is_volatile) a_.Fence();
      return true;
    case Op::kStoreElement:
      EmitStore(node.type, node, 2, ElementOf(node));
      return true;
    case Op::kNew:
    case Op::kNewArray:
    case Op::kNewMulti:
      EmitAllocation(node);
      return true;
    case Op::kInstanceOf:
      EmitInstanceOf(node);
      return true;
    case Op::kHasFinalizer:
      heap_.FindFinalizer(OutReg(node), InReg(node, 0));
      return true;
    case Op::kRegisterFinalizer:
      CallStub(Stub::kRegisterFinalizer, node);
      return true;
    case Op::kMonitorEnter:
    case Op::kMonitorExit:
      EmitMonitor(node);
      return true;
    default:
      return false;
  }
}

namespace {

// What a C++ function may change.
constexpr RegisterSet kLostByLeaf = kAllocatable & ~SetOf(rbx, r13, r14);

}  // namespace

// The VM is told out of line, behind the method's code.
void CodeEmitter::StoreOop(const Node& node, const Mem& to, std::optional<Reg> value) {
  if (heap_.StoresInLine()) return value ? heap_.StoreOopInLine(to, *value) : heap_.StoreNull(to);
  KeepOld(
      node, to, [] {}, [] {});
  if (!value) return heap_.StoreNull(to);
  heap_.StoreOopUntold(to, *value);
  TellOfStore(node, to, *value);
}

void CodeEmitter::KeepOld(const Node& node, const Mem& at, const std::function<void()>& save,
                          const std::function<void()>& restore) {
  const Label marks = a_.NewLabel(), kept = a_.NewLabel();
  G1Barriers(a_, heap_, vm_).CompareMarking();
  a_.Jump(Condition::kNotEqual, marks);
  a_.Bind(kept);
  slow_paths_.emplace_back([=, this, &node] {
    G1Barriers barriers(a_, heap_, vm_);
    a_.Bind(marks);
    barriers.LoadOld(at, kept);
    save();
    SaveAround(node, kLostByLeaf, [&] { barriers.Keep(); });
    restore();
    a_.Jump(kept);
  });
}

void CodeEmitter::TellOfStore(const Node& node, const Mem& to, Reg value) {
  const Label is_far = a_.NewLabel(), done = a_.NewLabel();
  G1Barriers(a_, heap_, vm_).CompareCard(to, value, done);
  a_.Jump(Condition::kNotEqual, is_far);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this, &node] {
    G1Barriers barriers(a_, heap_, vm_);
    a_.Bind(is_far);
    barriers.MarkCard(done);
    SaveAround(node, kLostByLeaf, [&] { barriers.TellOfCard(); });
    a_.Jump(done);
  });
}

// What is expected is in rax, where the result comes to be. What another thread stores between the
// barrier and the exchange is told by that thread.
void CodeEmitter::CompareAndSetOop(const Node& node) {
  const Mem to = At(InReg(node, 0), InReg(node, 1), 0, 0);
  const Reg value = InReg(node, 3);
  if (heap_.StoresInLine()) return heap_.CompareAndSetOopInLine(to, value);
  const Mem meanwhile = Slot(layout_.Scratch(0));
  KeepOld(
      node, to, [=, this] { a_.Store(k64, meanwhile, rax); },
      [=, this] { a_.Load(k64, rax, meanwhile); });
  heap_.ExchangeOop(to, value);
  heap_.AnswerExchange([&] { TellOfStore(node, to, value); });
}

// The node's result was loaded from Reference.referent, or may have been.
void CodeEmitter::KeepReferent(const Node& node) {
  if (vm_.collector != Collector::kG1) return;
  const Label marks = a_.NewLabel(), done = a_.NewLabel();
  G1Barriers(a_, heap_, vm_).CompareMarking();
  a_.Jump(Condition::kNotEqual, marks);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this, &node] {
    const Reg loaded = OutReg(node);
    const Mem meanwhile = Slot(layout_.Scratch(0));
    a_.Bind(marks);
    a_.Test(k64, loaded, loaded);
    a_.Jump(Condition::kEqual, done);
    a_.Store(k64, meanwhile, loaded);
    a_.Mov(k64, r10, loaded);
    SaveAround(node, kLostByLeaf, [&] { G1Barriers(a_, heap_, vm_).Keep(); });
    a_.Load(k64, loaded, meanwhile);
    a_.Jump(done);
  });
}

Mem CodeEmitter::ElementOf(const Node& node) const {
  const Reg array = InReg(node, 0);
  const uint8_t shift = vm_.ElementShift(node.type);
  const bool is_vector = node.op == Op::kLoadVector || node.op == Op::kStoreVector;
  const auto behind = static_cast<int32_t>(is_vector ? node.bits << shift : 0);
  const int32_t base = vm_.ArrayBase(node.type) + behind;
  if (allocation_.ConstraintsOf(node).in[1].how == InputConstraint::How::kNowhere) {
    return At(array, static_cast<int32_t>(base + (node.in[1]->bits << shift)));
  }
  return At(array, InReg(node, 1), shift, base);
}

// A boolean that is not 0 or 1 is read as it is, as by the interpreter.
void CodeEmitter::EmitLoad(char type, const Node& node, const Mem& from) {
  switch (type) {
    case 'Z':
      return a_.LoadZeroExtended(k8, OutReg(node), from);
    case 'B':
      return a_.LoadSignExtended(k8, OutReg(node), from);
    case 'C':
      return a_.LoadZeroExtended(k16, OutReg(node), from);
    case 'S':
      return a_.LoadSignExtended(k16, OutReg(node), from);
    case 'I':
      return a_.Load(k32, OutReg(node), from);
    case 'J':
      return a_.Load(k64, OutReg(node), from);
    case 'F':
      return a_.Load(Precision::kSingle, OutXmm(node), from);
    case 'D':
      return a_.Load(Precision::kDouble, OutXmm(node), from);
    default:
      return heap_.LoadOop(OutReg(node), from);
  }
}

void CodeEmitter::EmitStore(char type, const Node& node, size_t value, const Mem& to) {
  const Kind kind = KindOf(type);
  if (kind == Kind::kReference) {
    const bool is_null =
        allocation_.ConstraintsOf(node).in[value].how == InputConstraint::How::kNowhere;
    return StoreOop(node, to, is_null ? std::nullopt : std::optional(InReg(node, value)));
  }
  if (IsFloatingPoint(kind)) {
    return a_.Store(kind == Kind::kFloat ? Precision::kSingle : Precision::kDouble, to,
                    InXmm(node, value));
  }
  const x64::Width width = type == 'Z' || type == 'B'   ? k8
                           : type == 'C' || type == 'S' ? k16
                           : type == 'J'                ? k64
                                                        : k32;
  const Node* const in = node.in[value];
  const bool is_immediate =
      allocation_.ConstraintsOf(node).in[value].how == InputConstraint::How::kNowhere;
  // boolean[] too is stored to as an array of bytes: it holds 0 and 1 only.
  const bool is_byte_element = node.op == Op::kStoreElement && type == 'B';
  const bool is_bit = is_immediate && (in->bits == 0 || in->bits == 1);
  if (type == 'Z' || (is_byte_element && !is_bit)) {
    if (is_byte_element) heap_.LoadKlass(r10, to.base);
    if (is_immediate) {
      a_.MovImmediate(r11, in->bits);
    } else {
      a_.Mov(k32, r11, InReg(node, value));
    }
    const Label bytes = a_.NewLabel();
    if (is_byte_element) {
      a_.TestImmediate(k32, At(r10, vm_.layout_helper), vm_.boolean_array_bit);
      a_.Jump(Condition::kEqual, bytes);
    }
    a_.Do(Alu::kAnd, k32, r11, 1);
    a_.Bind(bytes);
    return a_.Store(k8, to, r11);
  }
  if (is_immediate) return a_.StoreImmediate(width, to, static_cast<int32_t>(in->bits));
  a_.Store(width, to, InReg(node, value));
}

// The VM's allocation gives null where there is no memory: the interpreter says so by throwing.
// It is allocated again if this code becomes invalid meanwhile.
void CodeEmitter::EmitAllocation(const Node& node) {
  const Label done = a_.NewLabel(), slow = a_.NewLabel();
  Stub stub = Stub::kNewInstance;
  const bool is_fast = AllocatesInLine(node, vm_);
  if (node.op == Op::kNewMulti) {
    stub = Stub::kNewMultiArray;
    for (size_t i = 0; i < node.in.size(); ++i) {
      const Location place = In(node, i);
      Emit(Move{place, {Location::Where::kRegister, NumberOf(r10), nullptr}, Kind::kInt});
      a_.Store(k32, Slot(static_cast<int32_t>(4 * i)), r10);
    }
    a_.MovImmediate(rdx, static_cast<int64_t>(node.in.size()));
    a_.Lea(rcx, Slot(0));
  }
  heap_.LoadConstant(rsi, node.link.klass);
  if (node.op == Op::kNewArray) {
    stub = Stub::kNewArray;
    if (is_fast) {
      heap_.AllocateArray(vm_.ArrayBase(node.type),
                          static_cast<uint8_t>(node.link.layout_helper & 0xff), slow);
    }
  } else if (node.op == Op::kNew && is_fast) {
    heap_.AllocateInstance(node.link.layout_helper, slow);
  }
  // The trap finds what has been saved in its registers again.
  const auto call = [this, stub, is_fast, &node] {
    is_fast ? CallStubSaving(stub, node) : CallStub(stub, node);
    a_.Test(k64, rax, rax);
    a_.Jump(Condition::kEqual, TrapLabel(node, node.state, Trap::kInterpreter));
  };
  if (!is_fast) {
    a_.Bind(slow);
    return call();
  }
  slow_paths_.emplace_back([=, this] {
    a_.Bind(slow);
    call();
    a_.Jump(done);
  });
  a_.Bind(done);
}

void CodeEmitter::EmitInstanceOf(const Node& node) {
  const Label yes = a_.NewLabel(), no = a_.NewLabel();
  const Reg object = InReg(node, 0);
  a_.Test(k64, object, object);
  a_.Jump(Condition::kEqual, no);
  heap_.IsInstance(object, node.link.klass, node.link.super_check_offset, yes);
  a_.Bind(no);
  SetTruth(node, false, yes);
}

// Of a node that is true or false: what it is here, and the other at `otherwise`.
void CodeEmitter::SetTruth(const Node& node, bool here, Label otherwise) {
  const Label done = a_.NewLabel();
  a_.MovImmediate(OutReg(node), here ? 1 : 0);
  a_.Jump(done);
  a_.Bind(otherwise);
  a_.MovImmediate(OutReg(node), here ? 0 : 1);
  a_.Bind(done);
}

// If this code becomes invalid in the call, the interpreter goes on as the state says. Monitors are
// left in the opposite order, else the interpreter takes over.
void CodeEmitter::EmitMonitor(const Node& node) {
  const auto lock = static_cast<uint32_t>(node.bits);
  const Mem object = Slot(layout_.LockObject(lock));
  if (node.op == Op::kMonitorEnter) {
    a_.Store(k64, object, rsi);
  } else if (node.in.empty()) {
    a_.Load(k64, rsi, object);
  } else {
    a_.Do(Alu::kCmp, k64, rsi, object);
    a_.Jump(Condition::kNotEqual, TrapLabel(node, node.state_before, Trap::kInterpreter));
  }
  a_.Lea(rdx, Slot(layout_.Lock(lock)));
  const Label slow = a_.NewLabel(), done = a_.NewLabel();
  const Stub stub = node.op == Op::kMonitorEnter ? Stub::kMonitorEnter : Stub::kMonitorExit;
  ChangeMonitor(a_, vm_, stub, slow);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this, &node] {
    a_.Bind(slow);
    CallStubSaving(stub, node);
    a_.Jump(done);
  });
}

}  // namespace yp::compiler
