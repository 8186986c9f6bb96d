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
  if (inlined == body().inlined.end()) {
    if (EmitIntrinsic(call, popped)) return;
    EmitCall(call, popped);
  } else {
    EmitInlined(call, popped, inlined->second);
  }
  PushResult(call.signature.return_kind());
}

void Emitter::EmitCall(const CallLink& call, size_t popped) {
  const std::vector<Kind> kinds = ArgumentKinds(call, at_.opcode);
  const CallTarget target = places_.targets ? linkage().TargetOf(at_.bci, call) : CallTarget{};
  if (target.kind == CallTarget::Kind::kDirect) TellFirstCall(target);
  stack_.Flush(popped);
  PassArguments(call, kinds, popped);
  const FrameState state = StateAfterCall(popped);
  if (target.kind == CallTarget::Kind::kIndexed) {
    CallThroughTargets(target, call.method, state);
  } else {
    code_.LinkedCall(call, state);
  }
  EndCall(target);
  stack_.Pop(popped);
  stack_.Forget(LazyStack::kAll);
}

void Emitter::CheckReceiver(const CallLink& call) {
  if (at_.opcode == op::kInvokestatic || at_.opcode == op::kInvokedynamic) return;
  size_t slot = 0;
  for (const Kind kind : call.signature.parameters) slot += SlotsOf(kind);
  UseObject(slot);
  if (!call.receiver_class) return;
  stack_.Forget(LazyStack::kVolatile);
  stack_.Load(slot, rax);
  const x64::Label passed = a_.NewLabel();
  heap_.IsInstance(rax, *call.receiver_class, call.receiver_check_offset, passed);
  TrapHere(Trap::kInterpreter);
  a_.Bind(passed);
}

// From the stack, whose topmost slots are popped then. Leaves rax free.
void Emitter::PassArguments(const CallLink& call, const std::vector<Kind>& kinds, size_t popped) {
  using Place = x64::ArgumentPlaces::Place;
  x64::ArgumentPlaces places;
  std::vector<std::pair<unsigned, size_t>> in_registers;
  std::optional<Reg> appendix;
  size_t slot = popped;  // Behind it the next argument begins.
  for (size_t i = 0; i < kinds.size(); ++i) {
    const auto place = places.Next(IsFloatingPoint(kinds[i]));
    if (call.appendix && i + 1 == kinds.size()) {
      if (place.place == Place::kRegister) {
        appendix = place.reg;
      } else {
        heap_.LoadConstant(rax, *call.appendix);
        a_.Store(k64, Slot(place.stack_offset), rax);
      }
      break;
    }
    const size_t from = --slot;
    slot -= SlotsOf(kinds[i]) - 1;
    if (place.place == Place::kXmm) {
      in_registers.emplace_back(LazyStack::Index(place.xmm), from);
    } else if (place.place == Place::kRegister) {
      in_registers.emplace_back(LazyStack::Index(place.reg), from);
    } else if (IsFloatingPoint(kinds[i])) {
      stack_.Load(from, Xmm::xmm0);
      a_.Store(Precision::kDouble, Slot(place.stack_offset), Xmm::xmm0);
    } else {
      stack_.Load(from, rax);
      a_.Store(k64, Slot(place.stack_offset), rax);
    }
  }
  stack_.Pass(in_registers);
  if (appendix) heap_.LoadConstant(*appendix, *call.appendix);
}

}  // namespace yp::compiler
