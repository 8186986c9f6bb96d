// Entry, blocks, and moves.
#include "compiler/backend/code_emitter.h"

#include <algorithm>

#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Block;
using ir::Node;
using ir::Op;
using x64::At;
using x64::Precision;
using x64::Xmm;
using Where = Location::Where;

CodeEmitter::CodeEmitter(const ir::Graph& graph, const Allocation& allocation, const VmLayout& vm,
                         const RuntimePlaces& places)
    : graph_(graph),
      allocation_(allocation),
      vm_(vm),
      places_(places),
      method_(*graph.tree->root->method),
      sites_(vm),
      heap_(a_, sites_, vm),
      code_(a_, sites_, vm, places) {}

CompiledCode CodeEmitter::Run() {
  layout_ = FrameLayout(OutgoingBytes(), allocation_.slots(), graph_.tree->locks);
  sites_.SetPlan(layout_.Plan());
  labels_.resize(graph_.block_count());
  for (const Block* const block : graph_.order) labels_[block->id] = a_.NewLabel();
  unwind_ = a_.NewLabel();
  EmitEntry();
  for (size_t i = 0; i < graph_.order.size(); ++i) {
    EmitBlock(*graph_.order[i], i + 1 < graph_.order.size() ? graph_.order[i + 1] : nullptr);
  }
  a_.Int3();
  for (size_t i = 0; i < slow_paths_.size(); ++i) slow_paths_[i]();
  EmitYieldpointRoutines();
  EmitThrown();
  EmitExits();
  // The VM discards code when a class goes whose java.lang.Class it names. A class that a guard
  // asks for may belong to a loader that nothing else in the code keeps alive.
  for (const ConstantId mirror : graph_.guarded) heap_.LoadConstant(rax, mirror);
  a_.Int3();
  code_.HandlersOfVm();
  a_.Align(8);
  for (const auto& [bits, label] : pool_) {
    a_.Bind(label);
    a_.Qword(bits);
  }
  result_.code = a_.TakeCode();
  result_.sites = sites_.Take();
  return std::move(result_);
}

uint32_t CodeEmitter::OutgoingBytes() const {
  uint32_t most = 0;
  for (const Block* const block : graph_.order) {
    for (const Node* const node : block->nodes) {
      if (ir::IsCall(node->op)) {
        x64::ArgumentPlaces places;
        for (const Node* const in : node->in) places.Next(IsFloatingPoint(in->kind));
        most = std::max(most, static_cast<uint32_t>(places.stack_bytes()));
      } else if (node->op == Op::kNewMulti) {
        most = std::max(most, (static_cast<uint32_t>(node->in.size()) * 4 + 7) & ~7u);
      }
    }
  }
  return most;
}

// The arguments come from where the caller has put them. Of an entry on the stack the only one is
// the interpreter's packed frame, in rsi: the locals, the last one first, then each monitor, the
// last one first, as BasicLock and object.
void CodeEmitter::EmitEntry() {
  result_.verified_entry = code_.Enter(method_, *graph_.tree->root->linkage, layout_.bytes());
  if (!method_.osr_bci) {
    YieldpointOfCall(method_.yieldpoint_id,
                     [this] { a_.Load(k64, r10, Slot(layout_.ReturnAddress())); });
  } else {
    const uint32_t locks = graph_.tree->root->flow->At(*method_.osr_bci)->locks;
    for (uint32_t i = 0; i < locks; ++i) {
      const auto word = static_cast<int32_t>(method_.max_locals + 2 * (locks - 1 - i));
      a_.Load(k64, r10, At(rsi, 8 * word));
      a_.Store(k64, Slot(layout_.Lock(i)), r10);
      a_.Load(k64, r10, At(rsi, 8 * word + 8));
      a_.Store(k64, Slot(layout_.LockObject(i)), r10);
    }
  }
  const Position start = allocation_.lifetimes().PlaceOf(*graph_.entry).from;
  x64::ArgumentPlaces places;
  std::vector<Move> moves;
  for (const Node* const parameter : graph_.entry->phis) {
    const auto place = places.Next(IsFloatingPoint(parameter->kind));
    Location from{Where::kRegister, NumberOf(place.reg), nullptr};
    if (place.place == x64::ArgumentPlaces::Place::kXmm) from.number = NumberOf(place.xmm);
    if (place.place == x64::ArgumentPlaces::Place::kStack) {
      from = {Where::kStack, layout_.IncomingArguments() + place.stack_offset, nullptr};
    }
    const Location to = allocation_.At(parameter, start);
    moves.push_back({from, to, parameter->kind});
    // The caller may have left anything in the upper half of an int.
    if (from == to && parameter->kind == Kind::kInt) a_.Mov(k32, RegOf(to), RegOf(to));
  }
  Emit(moves);
}

void CodeEmitter::EmitBlock(const Block& block, const Block* next) {
  next_ = next;
  constexpr size_t kLoopAlignment = 16;
  if (block.is_header() && !block.is_cold) a_.Align(kLoopAlignment);
  a_.Bind(LabelOf(&block));
  if (block.preds.size() == 1 && block.preds[0]->succs.size() > 1) {
    Emit(allocation_.MovesBetween(*block.preds[0], block));
  }
  const Position start = allocation_.lifetimes().PlaceOf(block).from;
  for (const Node* const phi : block.phis) StoreSlot(phi, allocation_.At(phi, start));
  for (const Node* const node : block.nodes) EmitNode(*node);
}

void CodeEmitter::EmitNode(const Node& node) {
  if (const std::vector<Move>* moves = allocation_.MovesBefore(node)) Emit(*moves);
  MoveFixedInputs(node);
  if (EmitControl(node) || EmitVector(node) || EmitArithmetic(node) || EmitObject(node) ||
      EmitIntrinsic(node)) {
    Finish(node);
  }
  if (node.op == Op::kTry && node.block->succs[0] != next_) a_.Jump(LabelOf(node.block->succs[0]));
}

// The result is in the register that the node leaves it in.
void CodeEmitter::Finish(const Node& node) {
  if (node.kind == Kind::kDead) return;
  const Location place = allocation_.ResultOf(node);
  const RegisterNumber result = allocation_.ConstraintsOf(node).result;
  if (result != kNoRegister && (place.number != result || node.kind == Kind::kInt)) {
    if (IsFloatingPoint(node.kind)) {
      if (place.number != result) a_.Mov(XmmOf(place), static_cast<Xmm>(result - kFirstXmm));
    } else {
      a_.Mov(WidthOf(node.kind), RegOf(place), static_cast<Reg>(result));
    }
  }
  StoreSlot(&node, place);
}

void CodeEmitter::StoreSlot(const Node* value, const Location& place) {
  const Location slot = allocation_.SlotOf(value);
  if (slot.where != Where::kNowhere && place.is_register()) Emit({place, slot, value->kind});
}

// Where it is the only way on: elsewhere the moves are at the other block's start.
void CodeEmitter::EmitEdge(const Block& from, const Block& to) {
  Emit(allocation_.MovesBetween(from, to));
  if (&to != next_) a_.Jump(LabelOf(&to));
}

void CodeEmitter::MoveFixedInputs(const Node& node) {
  const Constraints& constraints = allocation_.ConstraintsOf(node);
  std::vector<Move> moves;
  x64::ArgumentPlaces places;
  for (size_t i = 0; i < node.in.size(); ++i) {
    const InputConstraint& in = constraints.in[i];
    const Kind kind = node.in[i]->kind;
    if (in.fixed != kNoRegister) {
      moves.push_back({In(node, i), {Where::kRegister, in.fixed, nullptr}, kind});
    }
    if (ir::IsCall(node.op)) {
      const auto place = places.Next(IsFloatingPoint(kind));
      if (in.fixed != kNoRegister) continue;
      moves.push_back({In(node, i), {Where::kStack, place.stack_offset, nullptr}, kind});
    }
  }
  if (!moves.empty()) Emit(moves);
}

void CodeEmitter::Emit(const std::vector<Move>& moves) {
  for (const Move& move : Sequence(moves, NumberOf(kScratch), NumberOf(kScratchXmm))) Emit(move);
}

x64::Mem CodeEmitter::MemoryOf(const Location& place) const {
  const bool is_slot = place.where == Where::kSlot;
  return Slot(is_slot ? layout_.Value(static_cast<uint32_t>(place.number)) : place.number);
}

void CodeEmitter::Emit(const Move& move) {
  const Location &from = move.from, &to = move.to;
  if (move.kind == Kind::kVector) {  // It has two slots, and is on no edge.
    if (!to.is_register()) return a_.StoreVector(MemoryOf(to), XmmOf(from));
    if (!from.is_register()) return a_.LoadVector(XmmOf(to), MemoryOf(from));
    return a_.Mov(XmmOf(to), XmmOf(from));
  }
  const bool is_float = IsFloatingPoint(move.kind);
  const x64::Width width = WidthOf(move.kind);
  const Precision precision = PrecisionOf(move.kind);
  if (to.is_register() && is_float) {
    if (from.is_register()) {
      a_.Mov(XmmOf(to), XmmOf(from));
    } else if (from.where != Where::kConstant) {
      a_.Load(precision, XmmOf(to), MemoryOf(from));
    } else if (from.value->bits == 0) {
      a_.Clear(XmmOf(to));
    } else {
      a_.Load(precision, XmmOf(to), Pooled(from.value));
    }
  } else if (to.is_register()) {
    if (from.is_register()) {
      a_.Mov(width, RegOf(to), RegOf(from));
    } else if (from.where == Where::kConstant) {
      LoadFree(RegOf(to), from.value);
    } else {
      a_.Load(width, RegOf(to), MemoryOf(from));
    }
  } else if (from.is_register()) {
    if (is_float) {
      a_.Store(precision, MemoryOf(to), XmmOf(from));
    } else {
      a_.Store(width, MemoryOf(to), RegOf(from));
    }
  } else {  // Bits are bits.
    if (from.where == Where::kConstant) {
      LoadFree(kMoveScratch, from.value);
    } else {
      a_.Load(k64, kMoveScratch, MemoryOf(from));
    }
    a_.Store(k64, MemoryOf(to), kMoveScratch);
  }
}

void CodeEmitter::LoadFree(Reg to, const Node* value) {
  if (value->op == Op::kObject) return heap_.LoadConstant(to, value->constant);
  const bool is_narrow = value->kind == Kind::kInt || value->kind == Kind::kFloat;
  a_.MovImmediate(to, is_narrow ? static_cast<uint32_t>(value->bits) : value->bits);
}

CodeEmitter::Operand CodeEmitter::OperandOf(const Node& node, size_t i) {
  const Node* const in = node.in[i];
  const bool is_part = allocation_.ConstraintsOf(node).in[i].how == InputConstraint::How::kNowhere;
  if (is_part && IsFloatingPoint(in->kind)) {
    return {.what = Operand::What::kLabel, .label = Pooled(in)};
  }
  if (is_part) {
    return {.what = Operand::What::kImmediate, .number = static_cast<int32_t>(in->bits)};
  }
  const Location place = In(node, i);
  if (place.is_register()) return {.what = Operand::What::kRegister, .number = place.number};
  return {.what = Operand::What::kMemory, .memory = MemoryOf(place)};
}

x64::Label CodeEmitter::Pooled(const Node* constant) {
  const auto bits = static_cast<uint64_t>(constant->bits);
  return Pooled(constant->kind == Kind::kFloat ? bits & UINT32_MAX : bits);
}

x64::Label CodeEmitter::Pooled(uint64_t bits) {
  const auto [known, is_new] = pool_.try_emplace(bits);
  if (is_new) known->second = a_.NewLabel();
  return known->second;
}

}  // namespace yp::compiler
