// How compiled code leaves: to the interpreter, to the VM, to handlers and callers.
#include "compiler/baseline/emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;

FrameState Emitter::StateAfterCall(size_t popped_slots) const {
  FrameState state = StateBefore();
  state.frame.stack.resize(state.frame.stack.size() - popped_slots);
  state.during_call = true;
  return state;
}

x64::Label Emitter::TrapLabel(Trap reason, FrameState state,
                              std::vector<LazyStack::Pending> pending) {
  const auto is_same = [&](const Exit& exit) {
    return exit.state.virtual_frame == state.virtual_frame && exit.state.bci == state.bci &&
           exit.state.rethrow == state.rethrow && exit.state.during_call == state.during_call &&
           exit.state.frame == state.frame && exit.pending == pending;
  };
  // An instruction's traps are made one after the other, but for its slow paths.
  if (exits_.empty() || !is_same(exits_.back())) {
    exits_.push_back({std::move(state), std::move(pending), {}});
  }
  std::vector<TrapExit>& traps = exits_.back().traps;
  for (const TrapExit& known : traps) {
    if (known.reason == reason) return known.label;
  }
  ++result_.traps[static_cast<size_t>(reason)];
  traps.push_back({a_.NewLabel(), reason});
  return traps.back().label;
}

void Emitter::CallStub(Stub stub, const FrameState& state) {
  sites_.AddForeign(a_.size(), 5, places_.Of(stub), &state);
  a_.CallLater();
}

void Emitter::CallStub(Stub stub, const FrameState& state, const LazyStack::Saved& saved) {
  stack_.Write(saved.pending);
  CallStub(stub, state);
  stack_.Reload(saved.held);
}

void Emitter::Poll() {
  stack_.Flush();
  code_.Poll(StateBefore());
  stack_.ForgetReferences();
}

void Emitter::CheckNull(Reg object) {
  a_.Test(k64, object, object);
  a_.Jump(Condition::kEqual, TrapLabel(Trap::kNullCheck));
}

x64::Reg Emitter::UseObject(size_t i) {
  const Reg object = stack_.Use(i);
  if (stack_.IsNotNull(i)) return object;
  CheckNull(object);
  stack_.SetNotNull(i);
  return object;
}

void Emitter::EndCall(const CallTarget& target) {
  call_ends_.emplace_back(a_.size(), ChainOf(StateBefore()));
  if (vm_.post_call_nops) a_.Nop(8);
  if (places_.yieldpoints) code_.MarkCall(linkage().CallSite(at_.bci));
  if (target.kind == CallTarget::Kind::kIndexed) code_.MarkCall(target.number);
}

// Instructions whose exceptions meet the same handlers share one. Where a handler's type is not
// resolved, or the number of monitors does not fit, the interpreter finds the handler.
uint32_t Emitter::ChainOf(const FrameState& before) {
  HandlerChain chain;
  chain.in = in_;
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  bool caught = false;
  std::string key = std::to_string(in_->frame) + ':';
  for (uint32_t i = 0; i < method().handlers.size() && !caught; ++i) {
    const Handler& handler = method().handlers[i];
    if (before.bci < handler.start || before.bci >= handler.end) continue;
    const bool usable = flow().CanEnter(handler, before.frame.locks) &&
                        (handler.catches_all || linkage().CaughtType(i).resolved);
    if (!usable) {
      chain.falls_to_interpreter = true;
      break;
    }
    chain.handlers.push_back(i);
    key += std::to_string(i) + ' ';
    caught = handler.catches_all;
  }
  if (!caught && before.frame.locks != own_locks) chain.falls_to_interpreter = true;
  if (chain.falls_to_interpreter) {
    key += "at " + std::to_string(before.bci);
    chain.state = before;
    chain.state.frame.stack = {Kind::kReference};
    chain.state.rethrow = true;
  }
  const auto [known, is_new] =
      chain_by_key_.try_emplace(key, static_cast<uint32_t>(chains_.size()));
  if (is_new) {
    chain.from_vm = a_.NewLabel();
    chain.from_code = a_.NewLabel();
    chains_.push_back(std::move(chain));
  }
  return known->second;
}

void Emitter::EmitChain(HandlerChain& chain) {
  in_ = chain.in;
  a_.Bind(chain.from_vm);
  a_.Load(k64, rax, HeapCode::Thread(vm_.exception_oop));
  a_.StoreImmediate(k64, HeapCode::Thread(vm_.exception_oop), 0);
  a_.StoreImmediate(k64, HeapCode::Thread(vm_.exception_pc), 0);
  a_.Bind(chain.from_code);
  a_.Store(k64, StackSlot(0), rax);
  for (const uint32_t i : chain.handlers) {
    const Handler& handler = method().handlers[i];
    if (handler.catches_all) {
      a_.Jump(LabelAt(handler.target));
      return;
    }
    const TypeLink type = linkage().CaughtType(i);
    heap_.IsInstance(rax, type.klass, type.super_check_offset, LabelAt(handler.target));
  }
  if (chain.falls_to_interpreter) {
    a_.Jump(TrapLabel(Trap::kInterpreter, chain.state));
  } else {
    EmitUnwind();
  }
}

// The exception is in rax and in the lowest stack slot: to the caller.
void Emitter::EmitUnwind() {
  if (method().is_synchronized) {
    FrameState state{*flow().At(0), in_->frame, 0, false, true};
    state.frame.stack = {Kind::kReference};
    state.frame.locals.assign(state.frame.locals.size(), Kind::kDead);
    a_.Load(k64, rsi, LockObject(0));
    a_.Lea(rdx, BasicLock(0));
    CallStub(Stub::kMonitorExit, state);
    if (is_inlined()) a_.Load(k64, rax, StackSlot(0));
  }
  if (is_inlined()) return a_.Jump(chains_[in_->caller_chain].from_code);
  code_.Unwind(layout_, StackSlot(0));
}

void Emitter::EmitExits() {
  for (size_t i = 0; i < slow_paths_.size(); ++i) slow_paths_[i]();
  for (HandlerChain& chain : chains_) EmitChain(chain);
  for (const auto& [call_end, chain] : call_ends_) {
    sites_.AddHandler(call_end, a_.OffsetOf(chains_[chain].from_vm));
  }
  for (const Exit& exit : exits_) {
    const x64::Label leave = a_.NewLabel();
    for (const TrapExit& trap : exit.traps) {
      a_.Bind(trap.label);
      code_.SayWhy(trap.reason);
      if (trap.label.id != exit.traps.back().label.id) a_.Jump(leave);
    }
    a_.Bind(leave);
    stack_.Write(exit.pending);
    sites_.AddForeign(a_.size(), 5, vm_.uncommon_trap, &exit.state);
    a_.CallLater();
  }
}

}  // namespace yp::compiler
