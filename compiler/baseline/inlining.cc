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
  const uint32_t site = places_.yieldpoints ? linkage().CallSite(at_.bci) : 0;
  const Label done = a_.NewLabel();
  for (size_t i = 0; i < callees.size(); ++i) {
    const bool is_last = i + 1 == callees.size();
    const Label fails = a_.NewLabel();
    Guard(callees[i].guard, fails);
    EmitInlinedBody(*callees[i].body, site, caller, done);
    if (callees[i].guard.kind == GuardLink::Kind::kNone) break;
    if (!is_last) {
      a_.Jump(done);
      a_.Bind(fails);
      continue;
    }
    slow_paths_.emplace_back(
        [this, &call, popped, fails, done, there = Position{in_, at_, frame_}] {
          const Position here = MoveTo(there);
          a_.Bind(fails);
          EmitCall(call, popped);
          a_.Jump(done);
          MoveTo(here);
        });
  }
  a_.Bind(done);
}

void Emitter::EmitInlinedBody(const Body& callee, uint32_t site, const FrameState& caller,
                              Label returns) {
  Activation& activation = Activate(callee, &caller);
  activation.returns = returns;
  activation.caller_chain = ChainOf(StateBefore());
  const Position before = MoveTo({&activation, {}, {}});
  YieldpointAtInlinedEntry(site);
  if (method().is_synchronized) LockMethod();
  // All that can be wrong with the code has been found when the tree was made.
  static_cast<void>(EmitBody());
  MoveTo(before);
}

// Leaves rax as it is.
void Emitter::Guard(const GuardLink& guard, Label fails) {
  if (guard.kind == GuardLink::Kind::kNone) return;
  guarded_.push_back(guard.mirror);
  if (!heap_.CompareWithGuard(rax, guard, fails)) return;
  a_.Jump(Condition::kNotEqual, fails);
}

// The result is in rax or xmm0. It takes the place of the first argument.
void Emitter::ReturnFromInlined() {
  switch (method().signature.return_kind()) {
    case Kind::kInt:
      a_.Store(k32, LocalSlot(0), rax);
      break;
    case Kind::kLong:
    case Kind::kReference:
      a_.Store(k64, LocalSlot(0), rax);
      break;
    case Kind::kFloat:
      a_.Store(x64::Precision::kSingle, LocalSlot(0), x64::Xmm::xmm0);
      break;
    case Kind::kDouble:
      a_.Store(x64::Precision::kDouble, LocalSlot(0), x64::Xmm::xmm0);
      break;
    default:
      break;
  }
  if (at_.bci != in_->last_bci) a_.Jump(in_->returns);
}

// The VM discards code when a class goes whose java.lang.Class it names. A class that a guard asks
// for may belong to a loader that nothing else in the code keeps alive.
void Emitter::KeepGuardedClasses() {
  for (const ConstantId mirror : guarded_) heap_.LoadConstant(rax, mirror);
  a_.Int3();
}

}  // namespace yp::compiler
