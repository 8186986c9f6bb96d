// Callees that are compiled where they are called.
#include "compiler/baseline/emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
namespace op = classfile::op;

Emitter::Position Emitter::MoveTo(Position position) {
  Position before{in_, at_, std::move(frame_)};
  in_ = position.in;
  at_ = position.at;
  frame_ = std::move(position.frame);
  return before;
}

// The receiver, if there is one, is in rax and not null. Behind it, the result is where the
// caller's stack has it.
void Emitter::EmitInlined(const CallLink& call, size_t popped,
                          const std::vector<InlinedCallee>& callees) {
  const FrameState caller = StateAfterCall(popped);
  const bool has_receiver = at_.opcode != op::kInvokestatic && at_.opcode != op::kInvokedynamic;
  stack_.Flush();
  if (has_receiver) stack_.Load(popped - 1, rax);
  const uint32_t site = places_.yieldpoints ? linkage().CallSite(at_.bci) : 0;
  const Label done = a_.NewLabel();
  bool joins = false;
  for (size_t i = 0; i < callees.size(); ++i) {
    const bool is_last = i + 1 == callees.size();
    const Label fails = a_.NewLabel();
    Guard(callees[i].guard, fails);
    joins |= EmitInlinedBody(*callees[i].body, site, caller, done, popped);
    if (callees[i].guard.kind == GuardLink::Kind::kNone) break;
    joins = true;
    if (!is_last) {
      a_.Jump(done);
      a_.Bind(fails);
      BeginBlock();
      continue;
    }
    CallElsewhere(call, popped, fails, done);
  }
  a_.Bind(done);
  stack_.Pop(popped);
  if (joins) stack_.Join();
}

void Emitter::CallElsewhere(const CallLink& call, size_t popped, Label begin, Label done) {
  slow_paths_.emplace_back([this, &call, popped, begin, done, there = Position{in_, at_, frame_}] {
    const Position here = MoveTo(there);
    a_.Bind(begin);
    BeginBlock();
    EmitCall(call, popped);
    a_.Jump(done);
    MoveTo(here);
  });
}

bool Emitter::EmitInlinedBody(const Body& callee, uint32_t site, const FrameState& caller,
                              Label returns, size_t arguments) {
  Activation& activation = Activate(callee, &caller);
  activation.returns = returns;
  activation.caller_chain = ChainOf(StateBefore());
  const Position before = MoveTo({&activation, {}, {}});
  LazyStack::Caller stack = stack_.EnterCallee(body().StackSlot(0), arguments);
  YieldpointAtInlinedEntry(site);
  if (method().is_synchronized) LockMethod();
  // All that can be wrong with its code has been found when the tree was made.
  if (Status s = EmitBody(); !s) failed_ = s;
  stack_.LeaveCallee(std::move(stack));
  MoveTo(before);
  return activation.returns_by_jump;
}

// Leaves rax as it is.
void Emitter::Guard(const GuardLink& guard, Label fails) {
  if (guard.kind == GuardLink::Kind::kNone) return;
  guarded_.push_back(guard.mirror);
  stack_.Forget(SetOf(r9));
  if (!heap_.CompareWithGuard(rax, guard, fails)) return;
  a_.Jump(Condition::kNotEqual, fails);
}

// With the result in rax or xmm0.
void Emitter::ReturnFromInlined() {
  if (at_.bci == in_->last_bci) return;
  in_->returns_by_jump = true;
  a_.Jump(in_->returns);
}

// The VM discards code when a class goes whose java.lang.Class it names. A class that a guard asks
// for may belong to a loader that nothing else in the code keeps alive.
void Emitter::KeepGuardedClasses() {
  for (const ConstantId mirror : guarded_) heap_.LoadConstant(rax, mirror);
  a_.Int3();
}

}  // namespace yp::compiler
