// How a method is entered, and the frame it has.
#include <algorithm>

#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/stack_effects.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
namespace op = classfile::op;

namespace {

bool StoresToLocal(const Method& method, uint32_t local) {
  constexpr uint8_t kAstore = 58, kAstore3 = 78;
  const classfile::Bytes code = method.bytes();
  for (uint32_t bci = 0; bci < code.size();) {
    const classfile::Instruction at = *classfile::DecodeInstruction(code, bci);
    bci += at.length;
    const bool is_wide = at.opcode == op::kWide;
    if (!is_wide && (at.opcode < op::kIstore || at.opcode > kAstore3)) continue;
    const LocalAccess access = DecodeLocal(code, at);
    const bool is_store = access.opcode >= op::kIstore && access.opcode <= kAstore;
    if (is_store && access.index == local) return true;
  }
  return false;
}

}  // namespace

Emitter::Emitter(const InlineTree& tree, const VmLayout& vm, const RuntimePlaces& places)
    : tree_(tree),
      vm_(vm),
      places_(places),
      sites_(vm),
      heap_(a_, sites_, vm),
      code_(a_, sites_, vm, places),
      stack_(a_, layout_) {}

Result<CompiledCode> Emitter::Run() {
  PlanFrame();
  in_ = &Activate(*tree_.root, nullptr);
  BeginBlock();
  EmitEntry();
  if (Status s = EmitBody(); !s) return s;
  if (!failed_) return failed_;
  a_.Int3();
  EmitExits();
  KeepGuardedClasses();
  code_.HandlersOfVm();
  result_.code = a_.TakeCode();
  result_.sites = sites_.Take();
  return std::move(result_);
}

Emitter::Activation& Emitter::Activate(const Body& body, const FrameState* caller) {
  Activation& activation = activations_.emplace_back();
  activation.body = &body;
  activation.frame =
      sites_.AddFrame({body.number, layout_.Value(body.first_slot),
                       layout_.Value(body.StackSlot(0)), layout_.LockObject(body.first_lock)},
                      caller);
  const auto bytes = static_cast<uint32_t>(body.method->code.size());
  activation.labels.resize(bytes);
  for (uint32_t bci = 0; bci < bytes; ++bci) {
    if (!body.reached[bci]) continue;
    activation.last_bci = bci;
    if (body.flow->IsTarget(bci) || body.method->osr_bci == bci) {
      activation.labels[bci] = a_.NewLabel();
    }
  }
  return activation;
}

// What calls pass on the stack.
uint32_t Emitter::OutgoingBytes(const Body& body) {
  const classfile::Bytes code = body.method->bytes();
  uint32_t outgoing = 0;
  for (uint32_t bci = 0; bci < code.size();) {
    const Instruction at = *classfile::DecodeInstruction(code, bci);
    bci += at.length;
    if (!body.reached[at.bci]) {
      ++result_.unreached;
      continue;
    }
    if (classfile::IsInvoke(at.opcode)) {
      const CallLink& call = *body.linkage->Call(ConstantOperand(code, at), at.opcode);
      x64::ArgumentPlaces places;
      for (const Kind kind : ArgumentKinds(call, at.opcode)) places.Next(IsFloatingPoint(kind));
      outgoing = std::max(outgoing, static_cast<uint32_t>(places.stack_bytes()));
    } else if (at.opcode == op::kMultianewarray) {
      outgoing = std::max(outgoing, (uint32_t{code[at.bci + 3]} * 4 + 7) & ~7u);
    }
  }
  for (const auto& [bci, callees] : body.inlined) {
    for (const InlinedCallee& callee : callees) {
      outgoing = std::max(outgoing, OutgoingBytes(*callee.body));
    }
  }
  return outgoing;
}

void Emitter::PlanFrame() {
  layout_ = FrameLayout(OutgoingBytes(*tree_.root), tree_.slots, tree_.locks);
  sites_.SetPlan(layout_.Plan());
}

void Emitter::EmitEntry() {
  result_.verified_entry = code_.Enter(method(), linkage(), layout_.bytes());
  if (method().osr_bci) {
    EmitOsrEntry(*flow().At(*method().osr_bci));
  } else {
    EmitArguments();
    YieldpointAtEntry();
    if (method().is_synchronized) LockMethod();
  }
}

void Emitter::EmitArguments() {
  std::vector<Kind> kinds = method().signature.parameters;
  if (!method().is_static) kinds.insert(kinds.begin(), Kind::kReference);
  x64::ArgumentPlaces places;
  uint32_t local = 0;
  for (const Kind kind : kinds) {
    const auto place = places.Next(IsFloatingPoint(kind));
    switch (place.place) {
      case x64::ArgumentPlaces::Place::kRegister:
        a_.Store(k64, LocalSlot(local), place.reg);
        stack_.Mirror(place.reg, body().first_slot + local, kind);
        break;
      case x64::ArgumentPlaces::Place::kXmm:
        a_.Store(x64::Precision::kDouble, LocalSlot(local), place.xmm);
        break;
      case x64::ArgumentPlaces::Place::kStack:
        a_.Load(k64, rax, Slot(layout_.IncomingArguments() + place.stack_offset));
        a_.Store(k64, LocalSlot(local), rax);
        break;
    }
    local += SlotsOf(kind);
  }
}

// The interpreter has packed its frame into a buffer (SharedRuntime::OSR_migration_begin), which is
// in rsi: the locals, the last one first, then each monitor, the last one first, as BasicLock and
// object.
void Emitter::EmitOsrEntry(const Frame& entry) {
  for (uint32_t i = 0; i < method().max_locals; ++i) {
    const Kind kind = entry.locals[i];
    if (kind == Kind::kDead || kind == Kind::kUpper) continue;
    const uint32_t word = method().max_locals - i - SlotsOf(kind);
    a_.Load(k64, rax, At(rsi, static_cast<int32_t>(8 * word)));
    a_.Store(k64, LocalSlot(i), rax);
  }
  for (uint32_t i = 0; i < entry.locks; ++i) {
    const uint32_t word = method().max_locals + 2 * (entry.locks - 1 - i);
    a_.Load(k64, rax, At(rsi, static_cast<int32_t>(8 * word)));
    a_.Store(k64, BasicLock(i), rax);
    a_.Load(k64, rax, At(rsi, static_cast<int32_t>(8 * word + 8)));
    a_.Store(k64, LockObject(i), rax);
  }
  a_.Mov(k64, rdi, rsi);
  heap_.CallLeaf(vm_.osr_migration_end);
  a_.Jump(LabelAt(*method().osr_bci));
}

// The interpreter, if it takes over here, begins with the method's first instruction and holds the
// monitor already.
void Emitter::LockMethod() {
  stack_.Forget(SetOf(rsi));
  if (method().is_static) {
    heap_.LoadConstant(rsi, linkage().Holder());
  } else {
    a_.Load(k64, rsi, LocalSlot(0));
  }
  a_.Store(k64, LockObject(0), rsi);
  EmitMonitor(Stub::kMonitorEnter, 0, {*flow().At(0), in_->frame, 0, false, false});
}

Status Emitter::EmitBody() {
  const classfile::Bytes code = method().bytes();
  if (!method().is_static && !StoresToLocal(method(), 0)) stack_.SetReceiver(body().first_slot);
  bool goes_on = !method().osr_bci;
  for (uint32_t bci = 0; bci < code.size();) {
    at_ = *classfile::DecodeInstruction(code, bci);
    bci += at_.length;
    if (!body().reached[at_.bci]) {
      goes_on = false;
      continue;
    }
    if (const Frame* const known = flow().At(at_.bci)) {
      frame_ = *known;
    } else if (!goes_on) {
      return Status::Error("an instruction without a frame at bci " + std::to_string(at_.bci));
    }
    const bool is_joined = flow().IsTarget(at_.bci) || method().osr_bci == at_.bci;
    if (is_joined) {
      if (goes_on) stack_.Flush();
      a_.Bind(LabelAt(at_.bci));
    }
    if (is_joined || !goes_on) BeginBlock();
    if (stack_.size() != frame_.stack.size()) {
      return Status::Error("another stack than the bytecode's at bci " + std::to_string(at_.bci));
    }
    stack_.Unpin();
    const bool is_trap = body().is_only_trap[at_.bci];
    if (is_trap) {
      TrapHere(UnresolvedTrap());
    } else {
      EmitInstruction();
    }
    if (Status s = flow().Step(at_, frame_); !s) return s;
    goes_on = HowItLeaves(at_.opcode) == Leaves::kNext && !is_trap;
  }
  return Status::Ok();
}

void Emitter::EmitInstruction() {
  if (EmitConstant() || EmitLocal() || EmitArithmetic() || EmitConversion() || EmitComparison() ||
      EmitControl() || EmitMemory() || EmitObject()) {
    return;
  }
  if (classfile::IsInvoke(at_.opcode)) return EmitInvoke();
  stack_.Shuffle(*ShuffleOf(at_.opcode));
}

}  // namespace yp::compiler
