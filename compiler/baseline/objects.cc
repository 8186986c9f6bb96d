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
    a_.MovImmediate(rax, constant.bits);
  } else if (constant.is_null) {
    a_.MovImmediate(rax, 0);
  } else {
    heap_.LoadConstant(rax, constant.object);
  }
  PushResult(constant.kind, 0);
}

// The VM's allocation gives null where there is no memory: the interpreter says so by throwing.
// It is allocated again if this code becomes invalid meanwhile.
void Emitter::EmitNew() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const FrameState before = StateBefore();
  const Label done = a_.NewLabel(), slow = a_.NewLabel();
  if (type.is_uninitialized) heap_.CheckInitialized(type.klass, TrapLabel(UnresolvedTrap()));
  heap_.LoadConstant(rsi, type.klass);
  // The lowest bit: only the VM can allocate it.
  const bool inlined = vm_.use_tlab && (type.layout_helper & 1) == 0;
  const auto call = [=, this] {
    CallStub(Stub::kNewInstance, before);
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
  PushResult(Kind::kReference, 0);
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
  a_.Load(k32, rdx, Top(0));
  a_.Test(k32, rdx, rdx);
  a_.Jump(Condition::kNegative, TrapLabel(Trap::kInterpreter));
  heap_.LoadConstant(rsi, type.klass);
  if (vm_.use_tlab) {
    const auto shift = static_cast<uint8_t>(type.layout_helper & 0xff);
    heap_.AllocateArray(vm_.ArrayBase(element), shift, slow);
  } else {
    a_.Jump(slow);
  }
  slow_paths_.push_back([=, this] {
    a_.Bind(slow);
    CallStub(Stub::kNewArray, before);
    a_.Test(k64, rax, rax);
    a_.Jump(Condition::kEqual, TrapLabel(Trap::kInterpreter, before));
    a_.Jump(done);
  });
  a_.Bind(done);
  PushResult(Kind::kReference, 1);
}

void Emitter::EmitMultiNewArray() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const uint8_t dimensions = method().code[at_.bci + 3];
  for (uint8_t i = 0; i < dimensions; ++i) {
    a_.Load(k32, rax, Top(dimensions - size_t{1} - i));
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
  PushResult(Kind::kReference, dimensions);
}

void Emitter::EmitTypeCheck() {
  const TypeLink type = linkage().Type(ConstantOperand(method().bytes(), at_), at_.opcode);
  const bool is_cast = at_.opcode == op::kCheckcast;
  const Label yes = a_.NewLabel(), done = a_.NewLabel();
  a_.Load(k64, rax, Top(0));
  a_.Test(k64, rax, rax);
  a_.Jump(Condition::kEqual, done);  // null can be cast, and is no instance: rax is 0
  if (!type.resolved) {
    a_.Jump(TrapLabel(UnresolvedTrap()));
  } else {
    heap_.IsInstance(rax, type.klass, type.super_check_offset, yes);
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
  if (!is_cast) PushResult(Kind::kInt, 1);
}

// If this code becomes invalid in the call, the interpreter goes on behind the instruction.
void Emitter::EmitMonitorEnter() {
  a_.Load(k64, rsi, Top(0));
  CheckNull(rsi);
  a_.Store(k64, LockObject(frame_.locks), rsi);
  FrameState state = StateAfterCall(1);
  ++state.frame.locks;
  EmitMonitor(Stub::kMonitorEnter, frame_.locks, state);
}

// Monitors are left in the opposite order, else the interpreter takes over.
void Emitter::EmitMonitorExit() {
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  if (frame_.locks <= own_locks) return TrapHere(Trap::kInterpreter);
  const uint32_t lock = frame_.locks - 1;
  a_.Load(k64, rsi, Top(0));
  a_.Do(Alu::kCmp, k64, rsi, LockObject(lock));
  a_.Jump(Condition::kNotEqual, TrapLabel(Trap::kInterpreter));
  FrameState state = StateAfterCall(1);
  --state.frame.locks;
  EmitMonitor(Stub::kMonitorExit, lock, state);
}

// Of the object rsi. `state` is the frame's while the VM does it.
void Emitter::EmitMonitor(Stub stub, uint32_t lock, const FrameState& state) {
  a_.Lea(rdx, BasicLock(lock));
  const Label slow = a_.NewLabel(), done = a_.NewLabel();
  ChangeMonitor(a_, vm_, stub, slow);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this] {
    a_.Bind(slow);
    CallStub(stub, state);
    a_.Jump(done);
  });
}

}  // namespace yp::compiler
