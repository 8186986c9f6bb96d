#ifndef YP_COMPILER_BACKEND_CODE_EMITTER_H_
#define YP_COMPILER_BACKEND_CODE_EMITTER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/status.h"
#include "compiler/backend/linear_scan.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/install/placed_state.h"
#include "compiler/install/site_writer.h"
#include "compiler/ir/graph.h"
#include "compiler/runtime/frame_layout.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/runtime/method_code.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// Free for moves and within a node; see kAllocatable. Moves in circles use the first and the last.
inline constexpr x64::Reg kScratch = x64::Reg::r10, kMoveScratch = x64::Reg::r11;
inline constexpr x64::Xmm kScratchXmm = x64::Xmm::xmm15;

constexpr x64::Width WidthOf(Kind kind) {
  return kind == Kind::kInt ? x64::Width::k32 : x64::Width::k64;
}
constexpr x64::Precision PrecisionOf(Kind kind) {
  return kind == Kind::kFloat ? x64::Precision::kSingle : x64::Precision::kDouble;
}

// Emits the machine code of a graph whose values have their places.
//
// An int in a register has a cleared upper half, so that it can be an index as it is. The register
// of a result may be that of an input, a late one too: it is written behind the last trap.
class CodeEmitter {
 public:
  CodeEmitter(const ir::Graph& graph, const Allocation& allocation, const VmLayout& vm,
              const RuntimePlaces& places);
  CompiledCode Run();

 private:
  using Label = x64::Label;
  using Mem = x64::Mem;
  using Reg = x64::Reg;
  using Xmm = x64::Xmm;
  using Node = ir::Node;
  // What a second operand is.
  struct Operand {
    enum class What : uint8_t { kRegister, kMemory, kImmediate, kLabel } what;
    int32_t number = 0;  // Of the register, or the immediate.
    Mem memory{Reg::rsp, 0, {}, 0};
    Label label{};
  };
  // All traps with equal states share the way out.
  struct Exit {
    PlacedState state;
    std::vector<std::pair<Label, Trap>> traps;
  };
  // Where exceptions of a call go; nullptr: to the caller.
  struct Thrown {
    size_t call_end = 0;
    const ir::Block* to = nullptr;
  };

  // code_emitter.cc
  void EmitEntry();
  void EmitBlock(const ir::Block& block, const ir::Block* next);
  void EmitNode(const Node& node);
  void EmitEdge(const ir::Block& from, const ir::Block& to);
  void MoveFixedInputs(const Node& node);
  void Emit(const std::vector<Move>& moves);
  void Emit(const Move& move);
  void LoadFree(Reg to, const Node* value);
  void StoreSlot(const Node* value, const Location& place);
  void Finish(const Node& node);
  uint32_t OutgoingBytes() const;

  // Places
  Mem Slot(int32_t offset) const { return x64::At(Reg::rsp, offset); }
  Mem MemoryOf(const Location& place) const;
  Location In(const Node& node, size_t i) const { return allocation_.Input(node, i); }
  Reg RegOf(const Location& place) const { return static_cast<Reg>(place.number); }
  Xmm XmmOf(const Location& place) const { return static_cast<Xmm>(place.number - kFirstXmm); }
  Reg InReg(const Node& node, size_t i) const { return RegOf(In(node, i)); }
  Xmm InXmm(const Node& node, size_t i) const { return XmmOf(In(node, i)); }
  Reg OutReg(const Node& node) const { return RegOf(allocation_.ResultOf(node)); }
  Xmm OutXmm(const Node& node) const { return XmmOf(allocation_.ResultOf(node)); }
  Operand OperandOf(const Node& node, size_t i);
  Label Pooled(const Node* constant);
  Label Pooled(uint64_t bits);

  // States: exits.cc
  using SavedRegisters = std::vector<Allocation::Saved>;
  PlacedState StateOf(const ir::State* state, Position at, const SavedRegisters& saved) const;
  PlacedValue Placed(const Node* value, Position at, const SavedRegisters& saved) const;
  PlacedState SiteStateOf(const Node& site) const;
  Label TrapLabel(const Node& node) { return TrapLabel(node, node.state, node.trap); }
  Label TrapLabel(const Node& node, const ir::State* state, Trap trap);
  void CallStub(Stub stub, const Node& node);
  // Of a node that saves registers: `call`, which may change those of `lost`, leaves all that live
  // as they are. The stub looks at the frame, and may change all.
  void SaveAround(const Node& node, RegisterSet lost, const std::function<void()>& call);
  void CallStubSaving(Stub stub, const Node& node);
  void EmitExits();
  void EmitThrown();
  void TakeException(Reg to);
  void EmitYieldpointRoutines();
  void EmitYieldpoint(const Node& node);
  void YieldpointOfCall(uint32_t callee, const std::function<void()>& load_return_address);

  // arithmetic_code.cc
  bool EmitArithmetic(const Node& node);
  static x64::Sse SseOf(ir::Op op);
  static x64::Shift ShiftOf(ir::Op op);
  static uint8_t ShiftCount(const Node& constant, x64::Width width);
  void EmitIntegerBinary(const Node& node);
  void EmitFloatBinary(const Node& node);
  void EmitShift(const Node& node);
  void EmitNegation(const Node& node);
  void EmitConversion(const Node& node);
  void Truncate(const Node& node);
  void EmitCompare(const Node& node);
  void Do(x64::Alu operation, x64::Width width, Reg to, const Operand& operand);
  void Compare(const Node& node, size_t left, size_t right);
  // vector_code.cc
  bool EmitVector(const Node& node);
  void EmitVectorArithmetic(const Node& node);
  void EmitBroadcast(const Node& node);
  // object_code.cc
  bool EmitObject(const Node& node);
  void EmitLoad(char type, const Node& node, const Mem& from);
  void EmitStore(char type, const Node& node, size_t value, const Mem& to);
  Mem ElementOf(const Node& node) const;
  // nullopt: null.
  void StoreOop(const Node& node, const Mem& to, std::optional<Reg> value);
  void KeepReferent(const Node& node);
  void CompareAndSetOop(const Node& node);
  // G1's barriers before and behind a store. `save` and `restore`: of what no value has.
  void KeepOld(const Node& node, const Mem& at, const std::function<void()>& save,
               const std::function<void()>& restore);
  void TellOfStore(const Node& node, const Mem& to, Reg value);
  void EmitAllocation(const Node& node);
  void EmitInstanceOf(const Node& node);
  void SetTruth(const Node& node, bool here, Label otherwise);
  void EmitMonitor(const Node& node);
  // intrinsic_code.cc
  bool EmitIntrinsic(const Node& node);
  void EmitStorePlace(const Node& node);
  // control_code.cc
  bool EmitControl(const Node& node);
  void EmitCheck(const Node& node);
  void EmitBranch(const Node& node);
  void EmitIfInstance(const Node& node);
  void EmitGuard(const Node& node);
  void EmitSwitch(const Node& node);
  void EmitReturn(const Node& node);
  void EmitCall(const Node& node);
  void Branch(x64::Condition condition, const ir::Block* yes, const ir::Block* no);
  Label LabelOf(const ir::Block* block) { return labels_[block->id]; }

  const ir::Graph& graph_;
  const Allocation& allocation_;
  const VmLayout& vm_;
  const RuntimePlaces& places_;
  const Method& method_;

  x64::Assembler a_;
  SiteWriter sites_;
  HeapCode heap_;
  MethodCode code_;
  FrameLayout layout_;
  std::vector<Label> labels_;        // By block.
  const ir::Block* next_ = nullptr;  // What lies behind the block that is emitted.
  std::vector<Exit> exits_;
  std::vector<Thrown> thrown_;
  std::deque<std::function<void()>> slow_paths_;
  std::map<uint64_t, Label> pool_;
  Label unwind_;
  std::optional<Label> call_yieldpoint_, tick_yieldpoint_;
  CompiledCode result_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_CODE_EMITTER_H_
