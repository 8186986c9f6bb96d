#ifndef YP_COMPILER_BASELINE_EMITTER_H_
#define YP_COMPILER_BASELINE_EMITTER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "classfile/instructions.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/baseline/lazy_stack.h"
#include "compiler/bytecode/type_flow.h"
#include "compiler/inline/inline_tree.h"
#include "compiler/install/site_writer.h"
#include "compiler/runtime/frame_layout.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/runtime/method_code.h"
#include "compiler/x64/assembler.h"
#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

// Emits one method's code, with the bodies of inlined callees where they are called. The rule that
// keeps frames right: an instruction writes to no local, no stack slot and no register with a value
// of the stack before the last place at which it can still trap or be looked at with the state
// before it.
class Emitter {
 public:
  // `tree` must outlive it.
  Emitter(const InlineTree& tree, const VmLayout& vm, const RuntimePlaces& places);
  Result<CompiledCode> Run();

 private:
  using Instruction = classfile::Instruction;
  using Label = x64::Label;
  using Mem = x64::Mem;
  using Reg = x64::Reg;

  // One way out of compiled code: all traps with the same state and the same values in registers
  // share it.
  struct TrapExit {
    Label label;
    Trap reason;
  };
  struct Exit {
    FrameState state;
    std::vector<LazyStack::Pending> pending;  // It writes them.
    std::vector<TrapExit> traps;
  };
  // A body that is being emitted, or has been.
  struct Activation {
    const Body* body = nullptr;
    VirtualFrame frame = 0;
    std::vector<Label> labels;  // by bci, of targets
    // Of an inlined callee: where it returns to, the last of its instructions, and how the call's
    // exceptions are handled.
    Label returns;
    bool returns_by_jump = false;
    uint32_t last_bci = 0;
    uint32_t caller_chain = 0;
  };
  // Where in which body code is emitted.
  struct Position {
    Activation* in = nullptr;
    Instruction at;
    Frame frame;  // before it
  };
  // How exceptions of some instructions are handled: by these handlers in turn, then by the caller.
  struct HandlerChain {
    Activation* in = nullptr;
    std::vector<uint32_t> handlers;
    bool falls_to_interpreter = false;  // behind the handlers, with `state`
    FrameState state;
    Label from_vm;    // the exception is in the thread
    Label from_code;  // the exception is in rax
  };

  // Plan: entry.cc
  void PlanFrame();
  uint32_t OutgoingBytes(const Body& body);
  Activation& Activate(const Body& body, const FrameState* caller);
  void EmitEntry();
  void EmitArguments();
  void EmitOsrEntry(const Frame& entry);
  void LockMethod();
  Status EmitBody();

  // Slots
  Mem Slot(int32_t offset) const { return x64::At(Reg::rsp, offset); }
  Mem LocalSlot(uint32_t i) const { return Slot(layout_.Value(body().first_slot + i)); }
  Mem StackSlot(size_t i) const {
    return Slot(layout_.Value(body().StackSlot(static_cast<uint32_t>(i))));
  }
  Mem LockObject(uint32_t i) const { return Slot(layout_.LockObject(body().first_lock + i)); }
  Mem BasicLock(uint32_t i) const { return Slot(layout_.Lock(body().first_lock + i)); }
  void BeginBlock() { stack_.BeginBlock(body().StackSlot(0), frame_.stack); }
  Label LabelAt(int64_t bci) { return in_->labels[static_cast<size_t>(bci)]; }
  const Body& body() const { return *in_->body; }
  const Method& method() const { return *body().method; }
  const TypeFlow& flow() const { return *body().flow; }
  Linkage& linkage() const { return *body().linkage; }
  bool is_inlined() const { return in_ != &activations_.front(); }
  // Goes on elsewhere, and gives where that was.
  Position MoveTo(Position position);

  // States and exits: exits.cc
  FrameState StateBefore() const { return {frame_, in_->frame, at_.bci, false, false}; }
  FrameState StateAfterCall(size_t popped_slots) const;
  // With what waits now: what jumps there does so before the registers of values change.
  Label TrapLabel(Trap reason) { return TrapLabel(reason, StateBefore(), stack_.PendingValues()); }
  // Where everything else is stored.
  Label TrapLabel(Trap reason, FrameState state, std::vector<LazyStack::Pending> pending = {});
  void TrapHere(Trap reason) { a_.Jump(TrapLabel(reason)); }
  Trap UnresolvedTrap() const {
    return tree_.root->method->keeps_unresolved ? Trap::kUnresolvedKeep : Trap::kUnresolved;
  }
  // Everything is stored.
  void CallStub(Stub stub, const FrameState& state);
  // The same, from a slow path, which stores what is pending and gives the registers back.
  void CallStub(Stub stub, const FrameState& state, const LazyStack::Saved& saved);
  // Registers keep their values, but for references.
  void Poll();
  uint32_t ChainOf(const FrameState& state_before);
  void EmitChain(HandlerChain& chain);
  void EmitUnwind();
  void EmitExits();
  void CheckNull(Reg object);
  // The reference, in a register, not null.
  Reg UseObject(size_t i);
  // Behind a call of a Java method, before anything else.
  void EndCall(const CallTarget& target);
  // yieldpoints.cc
  void YieldpointAtEntry();
  void YieldpointAtInlinedEntry(uint32_t site);
  void YieldpointOfCall(const std::function<void()>& load_return_address);
  enum class OtherYieldpoint : uint8_t { kEpilogue, kBackwards };
  void Yieldpoint(OtherYieldpoint place);
  // targets.cc
  void TellFirstCall(const CallTarget& target);
  void CallThroughTargets(const CallTarget& target, MethodNumber callee, const FrameState& state);

  void EmitInstruction();
  // arithmetic.cc
  bool EmitConstant();
  bool EmitLocal();
  bool EmitArithmetic();
  bool EmitConversion();
  bool EmitComparison();
  void IntegerBinary(x64::Width width, unsigned operation);
  void FloatBinary(x64::Precision precision, unsigned operation);
  void IntegerDo(x64::Width width, x64::Alu operation);
  void Multiply(x64::Width width);
  void EmitShift(x64::Width width, x64::Shift shift);
  void Negate();
  void Divide(x64::Width width, bool wants_remainder);
  void Truncate(x64::Precision from, x64::Width to);
  void Do(x64::Alu operation, x64::Width width, Reg to, const LazyStack::Operand& from);
  // Compares the two slots from the top, which may be anywhere.
  void Compare(x64::Width width, size_t left, size_t right);
  void CompareFloats(x64::Precision precision, size_t left, size_t right);
  // control.cc
  bool EmitControl();
  void Branch(x64::Condition condition);
  std::optional<Instruction> BranchOnResult();
  int64_t TargetOf(const Instruction& jump) const;
  void BranchOn(const Instruction& branch);
  void BranchOnFloats(const Instruction& branch, bool greater_for_nan);
  void CompareWithZero(x64::Width width);
  void EmitSwitch();
  void EmitReturn();
  void LoadResult();
  void RegisterFinalizer();
  // objects.cc
  bool EmitObject();
  void EmitLdc();
  void EmitNew();
  void EmitNewArray();
  void EmitMultiNewArray();
  void EmitTypeCheck();
  void EmitMonitorEnter();
  void EmitMonitorExit();
  void EmitMonitor(Stub stub, uint32_t lock, const FrameState& state);
  // memory.cc
  bool EmitMemory();
  void EmitField();
  // Pushes what is there, by a register that may be one of the place's.
  void PushLoaded(char type, const Mem& from);
  // What Reference.referent holds, which the collector may be about to clear.
  void PushReferent(const Mem& from);
  // Stores the topmost value there, and pops so many slots.
  void StoreTop(char type, const Mem& to, size_t popped);
  void StoreReference(const Mem& to, size_t popped);
  Mem ArrayElement(char type, size_t index_slot, size_t array_slot);
  void EmitArrayLoad(char type);
  void EmitArrayStore(char type);
  // Pushes what is in rax or xmm0.
  void PushResult(Kind kind);
  // calls.cc
  void EmitInvoke();
  // The result is in rax or xmm0.
  void EmitCall(const CallLink& call, size_t popped);
  void PassArguments(const CallLink& call, const std::vector<Kind>& kinds, size_t popped);
  std::vector<Kind> ArgumentKinds(const CallLink& call, uint8_t opcode) const;
  void CheckReceiver(const CallLink& call);
  // intrinsics.cc
  bool EmitIntrinsic(const CallLink& call, size_t popped);
  void DropSign();
  void MoveBits(Kind to);
  Mem UnsafePlace(size_t below);
  void LoadPlace(const Intrinsic& intrinsic);
  void StorePlace(const Intrinsic& intrinsic);
  void CompareAndSet(const Intrinsic& intrinsic);
  void CopyArray(const CallLink& call, size_t popped);
  void CallLeaf(const CallLink& call, size_t popped);
  // inlining.cc
  void EmitInlined(const CallLink& call, size_t popped, const std::vector<InlinedCallee>& callees);
  // Gives whether the callee returns by a jump.
  // The call itself, out of line, from `begin` on, if what stands in its place does not do.
  void CallElsewhere(const CallLink& call, size_t popped, Label begin, Label done);
  bool EmitInlinedBody(const Body& callee, uint32_t site, const FrameState& caller, Label returns,
                       size_t arguments);
  void Guard(const GuardLink& guard, Label fails);
  void ReturnFromInlined();
  void KeepGuardedClasses();

  const InlineTree& tree_;
  const VmLayout& vm_;
  const RuntimePlaces& places_;

  x64::Assembler a_;
  SiteWriter sites_;
  HeapCode heap_;
  MethodCode code_;
  FrameLayout layout_;
  LazyStack stack_;                     // As frame_.stack, while an instruction is emitted.
  std::deque<Activation> activations_;  // That of the method itself is the first.
  Activation* in_ = nullptr;            // What is being emitted:
  Instruction at_;                      // this instruction,
  Frame frame_;                         // with this frame before it.
  bool branched_ = false;               // The instruction before this branch has jumped for it.
  std::vector<Exit> exits_;
  std::deque<std::function<void()>> slow_paths_;  // One may add others.
  std::vector<HandlerChain> chains_;
  std::map<std::string, uint32_t> chain_by_key_;
  std::vector<std::pair<size_t, uint32_t>> call_ends_;  // offset and chain
  std::vector<ConstantId> guarded_;                     // GuardLink::mirror
  Status failed_;                                       // Of an inlined body.
  CompiledCode result_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_EMITTER_H_
