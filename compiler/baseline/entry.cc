// How a method is entered, and the frame it has.
#include <algorithm>

#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/reachable_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
namespace op = classfile::op;

Emitter::Emitter(const InlineTree& tree, const VmLayout& vm, const RuntimePlaces& places)
    : tree_(tree), vm_(vm), places_(places), sites_(vm), heap_(a_, sites_, vm) {}

Result<CompiledCode> Emitter::Run() {
  PlanFrame();
  in_ = &Activate(*tree_.root, nullptr);
  EmitEntry();
  if (Status s = EmitBody(); !s) return s;
  a_.Int3();
  EmitExits();
  KeepGuardedClasses();
  EmitHandlersOfVm();
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
  if (method().is_static || method().osr_bci) {
    sites_.AddMark(a_.size(), Mark::kUnverifiedEntry);
  } else {
    EmitEntryCheck();
  }
  a_.Align(16);
  if (method().osr_bci) sites_.AddMark(a_.size(), Mark::kOsrEntry);
  sites_.AddMark(a_.size(), Mark::kVerifiedEntry);
  result_.verified_entry = a_.size();
  if (method().checks_initialization && !method().osr_bci) {
    const x64::Label wait = a_.NewLabel(), initialized = a_.NewLabel();
    heap_.CheckInitialized(linkage().HolderClass(), wait);
    a_.Jump(initialized);
    a_.Bind(wait);
    sites_.AddForeign(a_.size(), 5, vm_.wrong_method, nullptr);
    a_.JumpLater();
    a_.Bind(initialized);
  }
  // Touches the stack where the deepest callee of the VM's may come to, a page at a time. The first
  // instruction has five bytes or more: HotSpot replaces it.
  for (int32_t offset = vm_.shadow_zone_bytes; offset <= vm_.shadow_zone_bytes + layout_.bytes();
       offset += vm_.page_bytes) {
    a_.Store(k32, At(rsp, -offset), rax);
  }
  a_.Push(rbp);
  a_.Do(Alu::kSub, k64, rsp, layout_.bytes());
  if (vm_.entry_guard) {
    // cmp dword [r15 + guard], imm32: the VM patches the number, which must be aligned.
    a_.Align(8);
    sites_.AddMark(a_.size(), Mark::kEntryBarrier);
    const x64::Label passed = a_.NewLabel();
    a_.Bytes({0x41, 0x81, 0x7f, static_cast<uint8_t>(*vm_.entry_guard)});
    a_.Dword(0);
    a_.Jump(Condition::kEqual, passed);
    sites_.AddForeign(a_.size(), 5, vm_.entry_barrier, nullptr);
    a_.CallLater();
    a_.Bind(passed);
  }
  sites_.AddMark(a_.size(), Mark::kFrameComplete);
  if (method().osr_bci) {
    EmitOsrEntry(*flow().At(*method().osr_bci));
  } else {
    EmitArguments();
    YieldpointAtEntry();
    if (method().is_synchronized) LockMethod();
  }
}

// A virtual call whose receiver has another class than the call site's inline cache says.
void Emitter::EmitEntryCheck() {
  const x64::Label hit = a_.NewLabel();
  sites_.AddMark(a_.size(), Mark::kUnverifiedEntry);
  if (vm_.inline_cache_klass) {
    const x64::Width width = vm_.compressed_classes ? k32 : k64;
    a_.Load(width, r10, At(rsi, vm_.klass_offset));
    a_.Do(Alu::kCmp, width, r10, At(x64::kInlineCache, *vm_.inline_cache_klass));
  } else {
    heap_.LoadKlass(r10, rsi);
    a_.Do(Alu::kCmp, k64, r10, x64::kInlineCache);
  }
  a_.Jump(Condition::kEqual, hit);
  sites_.AddForeign(a_.size(), 5, vm_.inline_cache_miss, nullptr);
  a_.JumpLater();
  a_.Align(16);
  a_.Bind(hit);
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
  if (method().is_static) {
    heap_.LoadConstant(rsi, linkage().Holder());
  } else {
    a_.Load(k64, rsi, LocalSlot(0));
  }
  a_.Store(k64, LockObject(0), rsi);
  a_.Lea(rdx, BasicLock(0));
  CallStub(Stub::kMonitorEnter, {*flow().At(0), in_->frame, 0, false, false});
}

// Where the VM sends exceptions of callees, and what returns to code that is no longer valid.
void Emitter::EmitHandlersOfVm() {
  sites_.AddMark(a_.size(), Mark::kExceptionHandler);
  sites_.AddForeign(a_.size(), 5, places_.Of(Stub::kException), nullptr);
  a_.CallLater();
  a_.Int3();
  for (const Mark mark : {Mark::kDeoptHandler, Mark::kDeoptMethodHandle}) {
    sites_.AddMark(a_.size(), mark);
    // What is called there looks for this place as its return address. JDK 17 takes that of a call
    // of it as well; JDK 25 does not.
    constexpr uint8_t kCallNext = 0xe8;
    constexpr int32_t kCallBytes = 5;
    a_.Bytes({kCallNext, 0, 0, 0, 0});
    a_.Do(Alu::kSub, k64, At(rsp), kCallBytes);
    sites_.AddForeign(a_.size(), kCallBytes, vm_.deopt_unpack, nullptr);
    a_.JumpLater();
  }
}

Status Emitter::EmitBody() {
  const classfile::Bytes code = method().bytes();
  bool goes_on = false;
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
    if (flow().IsTarget(at_.bci) || method().osr_bci == at_.bci) a_.Bind(LabelAt(at_.bci));
    EmitInstruction();
    if (Status s = flow().Step(at_, frame_); !s) return s;
    goes_on = true;
  }
  return Status::Ok();
}

void Emitter::EmitInstruction() {
  if (IsOnlyTrap(method(), at_, linkage())) return TrapHere(UnresolvedTrap());
  if (EmitConstant() || EmitLocal() || EmitArithmetic() || EmitConversion() || EmitComparison() ||
      EmitControl() || EmitMemory() || EmitObject()) {
    return;
  }
  if (classfile::IsInvoke(at_.opcode)) return EmitInvoke();
  EmitShuffle();
}

}  // namespace yp::compiler
