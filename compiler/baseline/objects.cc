// Objects: constants that are objects, allocation, type checks, monitors.
#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/array_types.h"
#include "compiler/runtime/monitor_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
namespace op = classfile::op;

namespace {

constexpr uint8_t kNewarray = 188, kMonitorenter = 194, kMonitorexit = 195;

}  // namespace

bool Emitter::EmitObject() {
  switch (at_.opcode) {
    case op::kLdc:
    case op::kLdcW:
    case op::kLdc2W:
      EmitLdc();
      return true;
    case op::kNew:
      EmitNew();
      return true;
    case kNewarray:
    case op::kAnewarray:
      EmitNewArray();
      return true;
    case op::kMultianewarray:
      EmitMultiNewArray();
      return true;
    case op::kCheckcast:
    case op::kInstanceof:
      EmitTypeCheck();
      return true;
    case kMonitorenter:
      EmitMonitorEnter();
      return true;
    case kMonitorexit:
      EmitMonitorExit();
      return true;
    default:
      return false;
  }
}

void Emitter::EmitLdc() {
  const ConstantLink constant = linkage().Constant(ConstantOperand(method().bytes(), at_));
  if (constant.kind != Kind::kReference) {
    stack_.PushConstant(constant.kind, constant.bits);
  } else if (constant.is_null) {
    stack_.PushConstant(Kind::kReference, 0);
  } else {
    const Reg result = stack_.Allocate();
    heap_.LoadConstant(result, constant.object);
    stack_.Push(Kind::kReference, result);
  }
}

// The VM's allocation gives null where there is no memory: the interpreter says so by throwing.
// It is allocated again if this code becomes invalid meanwhile.
void Emitter::EmitNew() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const FrameState before = StateBefore();
  const Label done = a_.NewLabel(), slow = a_.NewLabel();
  if (type.is_uninitialized) heap_.CheckInitialized(type.klass, TrapLabel(UnresolvedTrap()));
  stack_.Forget(SetOf(rsi));
  heap_.LoadConstant(rsi, type.klass);
  // The lowest bit: only the VM can allocate it.
  const bool inlined = vm_.use_tlab && (type.layout_helper & 1) == 0;
  const auto call = [=, this, saved = stack_.Save()] {
    CallStub(Stub::kNewInstance, before, saved);
    a_.Test(k64, rax, rax);
    a_.Jump(Condition::kEqual, TrapLabel(Trap::kInterpreter, before));
  };
  if (inlined) {
    heap_.AllocateInstance(type.layout_helper, slow);
    slow_paths_.push_back([=, this] {
      a_.Bind(slow);
      call();
      a_.Jump(done);
    });
  } else {
    call();
  }
  a_.Bind(done);
  PushResult(Kind::kReference);
  stack_.SetNotNull(0);
}

void Emitter::EmitNewArray() {
  const FrameState before = StateBefore();
  char element = 'L';
  TypeLink type;
  if (at_.opcode == kNewarray) {
    const uint8_t code = method().code[at_.bci + 1];
    type = linkage().PrimitiveArray(code);
    element = PrimitiveType(code);
  } else {
    type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  }
  const Label done = a_.NewLabel(), slow = a_.NewLabel();
  stack_.Forget(SetOf(rsi, r8, r9));
  stack_.Load(0, rdx);
  a_.Test(k32, rdx, rdx);
  a_.Jump(Condition::kNegative, TrapLabel(Trap::kInterpreter));
  heap_.LoadConstant(rsi, type.klass);
  if (vm_.use_tlab) {
    const auto shift = static_cast<uint8_t>(type.layout_helper & 0xff);
    heap_.AllocateArray(vm_.ArrayBase(element), shift, slow);
  } else {
    a_.Jump(slow);
  }
  slow_paths_.push_back([=, this, saved = stack_.Save()] {
    a_.Bind(slow);
    CallStub(Stub::kNewArray, before, saved);
    a_.Test(k64, rax, rax);
    a_.Jump(Condition::kEqual, TrapLabel(Trap::kInterpreter, before));
    a_.Jump(done);
  });
  a_.Bind(done);
  stack_.Pop(1);
  PushResult(Kind::kReference);
  stack_.SetNotNull(0);
}

void Emitter::EmitMultiNewArray() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const uint8_t dimensions = method().code[at_.bci + 3];
  stack_.Flush();
  stack_.Forget(LazyStack::kAll);
  for (uint8_t i = 0; i < dimensions; ++i) {
    stack_.Load(dimensions - size_t{1} - i, rax);
    a_.Test(k32, rax, rax);
    a_.Jump(Condition::kNegative, TrapLabel(Trap::kInterpreter));
    a_.Store(k32, Slot(4 * i), rax);
  }
  heap_.LoadConstant(rsi, type.klass);
  a_.MovImmediate(rdx, dimensions);
  a_.Lea(rcx, Slot(0));
  CallStub(Stub::kNewMultiArray, StateBefore());
  a_.Test(k64, rax, rax);
  a_.Jump(Condition::kEqual, TrapLabel(Trap::kInterpreter));
  stack_.Pop(dimensions);
  PushResult(Kind::kReference);
}

void Emitter::EmitTypeCheck() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const bool is_cast = at_.opcode == op::kCheckcast;
  const Label yes = a_.NewLabel(), done = a_.NewLabel();
  stack_.Reserve(SetOf(r9));
  if (!is_cast) stack_.Load(0, rax);
  const Reg object = is_cast ? stack_.Use(0) : rax;
  a_.Test(k64, object, object);
  a_.Jump(Condition::kEqual, done);  // null can be cast, and is no instance: rax is 0
  if (!type.resolved) {
    a_.Jump(TrapLabel(UnresolvedTrap()));
  } else {
    heap_.IsInstance(object, type.klass, type.super_check_offset, yes);
    if (is_cast) {
      a_.Jump(TrapLabel(Trap::kClassCast));
    } else {
      a_.MovImmediate(rax, 0);
      a_.Jump(done);
    }
  }
  a_.Bind(yes);
  if (!is_cast) a_.MovImmediate(rax, 1);
  a_.Bind(done);
  if (is_cast) return;
  stack_.Pop(1);
  PushResult(Kind::kInt);
}

// If this code becomes invalid in the call, the interpreter goes on behind the instruction.
void Emitter::EmitMonitorEnter() {
  stack_.Reserve(SetOf(rsi));
  UseObject(0);
  stack_.Load(0, rsi);
  a_.Store(k64, LockObject(frame_.locks), rsi);
  FrameState state = StateAfterCall(1);
  ++state.frame.locks;
  stack_.Pop(1);
  EmitMonitor(Stub::kMonitorEnter, frame_.locks, state);
}

// Monitors are left in the opposite order, else the interpreter takes over.
void Emitter::EmitMonitorExit() {
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  if (frame_.locks <= own_locks) {
    TrapHere(Trap::kInterpreter);
    return stack_.Pop(1);
  }
  const uint32_t lock = frame_.locks - 1;
  stack_.Forget(SetOf(rsi));
  stack_.Load(0, rsi);
  a_.Do(Alu::kCmp, k64, rsi, LockObject(lock));
  a_.Jump(Condition::kNotEqual, TrapLabel(Trap::kInterpreter));
  FrameState state = StateAfterCall(1);
  --state.frame.locks;
  stack_.Pop(1);
  EmitMonitor(Stub::kMonitorExit, lock, state);
}

// Of the object rsi, which holds no value. `state` is the frame's while the VM does it.
void Emitter::EmitMonitor(Stub stub, uint32_t lock, const FrameState& state) {
  a_.Lea(rdx, BasicLock(lock));
  const Label slow = a_.NewLabel(), done = a_.NewLabel();
  ChangeMonitor(a_, vm_, stub, slow);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this, saved = stack_.Save()] {
    a_.Bind(slow);
    CallStub(stub, state, saved);
    a_.Jump(done);
  });
}

}  // namespace yp::compiler
