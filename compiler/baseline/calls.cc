// Calls of Java methods.
#include "compiler/baseline/emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Condition;
using x64::Precision;
using x64::Xmm;
namespace op = classfile::op;

// With the receiver and the appendix.
std::vector<Kind> Emitter::ArgumentKinds(const CallLink& call, uint8_t opcode) const {
  std::vector<Kind> kinds = call.signature.parameters;
  const bool has_receiver = opcode != op::kInvokestatic && opcode != op::kInvokedynamic;
  if (has_receiver) kinds.insert(kinds.begin(), Kind::kReference);
  if (call.appendix) kinds.push_back(Kind::kReference);
  return kinds;
}

void Emitter::EmitInvoke() {
  const CallLink& call = *linkage().Call(ConstantOperand(method().bytes(), at_), at_.opcode);
  size_t popped = 0;
  for (const Kind kind : ArgumentKinds(call, at_.opcode)) popped += SlotsOf(kind);
  if (call.appendix) --popped;
  CheckReceiver(call);
  const auto inlined = body().inlined.find(at_.bci);
  if (inlined == body().inlined.end()) return EmitCall(call, popped);
  EmitInlined(call, popped, inlined->second);
}

void Emitter::EmitCall(const CallLink& call, size_t popped) {
  const std::vector<Kind> kinds = ArgumentKinds(call, at_.opcode);
  const CallTarget target = places_.targets ? linkage().TargetOf(at_.bci, call) : CallTarget{};
  if (target.kind == CallTarget::Kind::kDirect) TellFirstCall(target);
  PassArguments(kinds, frame_.stack.size() - popped);
  const FrameState state = StateAfterCall(popped);
  if (target.kind == CallTarget::Kind::kIndexed) {
    CallThroughTargets(target, call.method, state);
  } else {
    code_.LinkedCall(call, state);
  }
  EndCall(target);
  const Mem to = StackSlot(frame_.stack.size() - popped);
  switch (call.signature.return_kind()) {
    case Kind::kInt:
      a_.Store(k32, to, rax);
      break;
    case Kind::kLong:
    case Kind::kReference:
      a_.Store(k64, to, rax);
      break;
    case Kind::kFloat:
      a_.Store(Precision::kSingle, to, Xmm::xmm0);
      break;
    case Kind::kDouble:
      a_.Store(Precision::kDouble, to, Xmm::xmm0);
      break;
    default:
      break;
  }
}

void Emitter::CheckReceiver(const CallLink& call) {
  if (at_.opcode == op::kInvokestatic || at_.opcode == op::kInvokedynamic) return;
  size_t slot = 0;
  for (const Kind kind : call.signature.parameters) slot += SlotsOf(kind);
  a_.Load(k64, rax, Top(slot));
  CheckNull(rax);
  if (!call.receiver_class) return;
  const x64::Label passed = a_.NewLabel();
  heap_.IsInstance(rax, *call.receiver_class, call.receiver_check_offset, passed);
  TrapHere(Trap::kInterpreter);
  a_.Bind(passed);
}

// From the stack, whose slot `first_slot` has the first argument. Leaves rax free.
int32_t Emitter::PassArguments(const std::vector<Kind>& kinds, size_t first_slot) {
  x64::ArgumentPlaces places;
  size_t slot = first_slot;
  const CallLink& call = *linkage().Call(ConstantOperand(method().bytes(), at_), at_.opcode);
  for (size_t i = 0; i < kinds.size(); ++i) {
    const Kind kind = kinds[i];
    const auto place = places.Next(IsFloatingPoint(kind));
    const bool is_appendix = call.appendix && i + 1 == kinds.size();
    using Place = x64::ArgumentPlaces::Place;
    if (is_appendix) {
      const Reg to = place.place == Place::kRegister ? place.reg : rax;
      heap_.LoadConstant(to, *call.appendix);
      if (place.place == Place::kStack) a_.Store(k64, Slot(place.stack_offset), rax);
    } else if (place.place == Place::kXmm) {
      a_.Load(kind == Kind::kFloat ? Precision::kSingle : Precision::kDouble, place.xmm,
              StackSlot(slot));
    } else if (place.place == Place::kRegister) {
      a_.Load(kind == Kind::kInt ? k32 : k64, place.reg, StackSlot(slot));
    } else {
      a_.Load(k64, rax, StackSlot(slot));
      a_.Store(k64, Slot(place.stack_offset), rax);
    }
    slot += SlotsOf(kind);
  }
  return places.stack_bytes();
}

}  // namespace yp::compiler
