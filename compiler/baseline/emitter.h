#ifndef YP_COMPILER_BASELINE_EMITTER_H_
#define YP_COMPILER_BASELINE_EMITTER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "classfile/instructions.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/baseline/frame_layout.h"
#include "compiler/bytecode/type_flow.h"
#include "compiler/install/site_writer.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/x64/assembler.h"
#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

// Emits one method's code. The rule that keeps frames right: an instruction writes to no local and
// no stack slot before the last place at which it can still trap or be looked at with the state
// before it.
class Emitter {
 public:
  Emitter(const Method& method, const TypeFlow& flow, Linkage& linkage, const VmLayout& vm,
          const RuntimePlaces& places);
  Result<CompiledCode> Run();

 private:
  using Instruction = classfile::Instruction;
  using Label = x64::Label;
  using Mem = x64::Mem;
  using Reg = x64::Reg;

  // One way out of compiled code: all traps with the same state share it.
  struct TrapExit {
    Label label;
    Trap reason;
  };
  struct Exit {
    FrameState state;
    std::vector<TrapExit> traps;
  };
  // How exceptions of some instructions are handled: by these handlers in turn, then by the caller.
  struct HandlerChain {
    std::vector<uint32_t> handlers;
    bool falls_to_interpreter = false;  // behind the handlers, with `state`
    FrameState state;
    Label from_vm;    // the exception is in the thread
    Label from_code;  // the exception is in rax
  };

  // Plan: entry.cc
  bool EndsCompiledCode(const Instruction& at);
  void PlanFrame();
  void EmitEntry();
  void EmitEntryCheck();
  void EmitArguments();
  void EmitOsrEntry(const Frame& entry);
  void LockMethod();
  void EmitHandlersOfVm();
  Status EmitBody();

  // Slots
  Mem Slot(int32_t offset) const { return x64::At(Reg::rsp, offset); }
  Mem LocalSlot(uint32_t i) const { return Slot(layout_.Local(i)); }
  Mem StackSlot(size_t i) const { return Slot(layout_.Stack(static_cast<uint32_t>(i))); }
  // Of the stack before this instruction, counted from the top.
  Mem Top(size_t i) const { return StackSlot(frame_.stack.size() - 1 - i); }
  Label LabelAt(int64_t bci) { return labels_[static_cast<size_t>(bci)]; }

  // States and exits: exits.cc
  FrameState StateBefore() const { return {frame_, at_.bci, false, false}; }
  FrameState StateAfterCall(size_t popped_slots) const;
  Label TrapLabel(Trap reason) { return TrapLabel(reason, StateBefore()); }
  Label TrapLabel(Trap reason, FrameState state);
  void TrapHere(Trap reason) { a_.Jump(TrapLabel(reason)); }
  Trap UnresolvedTrap() const {
    return method_.keeps_unresolved ? Trap::kUnresolvedKeep : Trap::kUnresolved;
  }
  void CallStub(Stub stub, const FrameState& state);
  void Poll();
  uint32_t ChainOf(const FrameState& state_before);
  void EmitChain(HandlerChain& chain);
  void EmitUnwind();
  void EmitExits();
  void CheckNull(Reg object);
  // Behind a call of a Java method, before anything else.
  void EndCall(const CallTarget& target);
  void LinkedCall(const CallLink& call, const FrameState& state);
  // yieldpoints.cc
  void YieldpointAtEntry();
  enum class OtherYieldpoint : uint8_t { kEpilogue, kBackwards };
  void Yieldpoint(OtherYieldpoint place);
  void MarkCall(uint32_t number);
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
  void EmitShuffle();
  void IntegerBinary(x64::Width width, unsigned operation);
  void FloatBinary(x64::Precision precision, unsigned operation);
  void Truncate(x64::Precision from, x64::Width to);
  // control.cc
  bool EmitControl();
  void Branch(x64::Condition condition);
  void EmitSwitch();
  void EmitReturn();
  void JumpIfEqual(const std::vector<std::pair<int32_t, uint32_t>>& cases, size_t first,
                   size_t last, uint32_t otherwise);
  void CheckFinalizer();
  // objects.cc
  bool EmitObject();
  void EmitLdc();
  void EmitNew();
  void EmitNewArray();
  void EmitMultiNewArray();
  void EmitTypeCheck();
  void EmitMonitorEnter();
  void EmitMonitorExit();
  // memory.cc
  bool EmitMemory();
  void EmitField();
  void LoadTyped(char type, const Mem& from);
  void StoreTyped(char type, const Mem& to);
  Mem ArrayElement(char type, size_t index_slot, size_t array_slot);
  void EmitArrayLoad(char type);
  void EmitArrayStore(char type);
  // Puts rax on the stack below `popped` slots that this instruction takes.
  void PushResult(Kind kind, size_t popped_slots);
  // calls.cc
  void EmitInvoke();
  int32_t PassArguments(const std::vector<Kind>& kinds, size_t first_slot);
  std::vector<Kind> ArgumentKinds(const CallLink& call, uint8_t opcode) const;
  void CheckReceiver(const CallLink& call);

  const Method& method_;
  const TypeFlow& flow_;
  Linkage& linkage_;
  const VmLayout& vm_;
  const RuntimePlaces& places_;

  x64::Assembler a_;
  SiteWriter sites_;
  HeapCode heap_;
  FrameLayout layout_;
  std::vector<bool> reached_;
  bool has_calls_ = false;     // Of what is reached.
  std::vector<Label> labels_;  // by bci, of targets
  Instruction at_;             // being emitted
  Frame frame_;                // before it
  std::vector<Exit> exits_;
  std::vector<std::function<void()>> slow_paths_;
  std::vector<HandlerChain> chains_;
  std::map<std::string, uint32_t> chain_by_key_;
  std::vector<std::pair<size_t, uint32_t>> call_ends_;  // offset and chain
  CompiledCode result_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_EMITTER_H_
