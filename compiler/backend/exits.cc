// How code is left, and what the VM is told of frames there.
#include <algorithm>
#include <array>

#include "compiler/backend/code_emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Node;
using ir::State;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Precision;
using x64::Xmm;
using Where = Location::Where;
using Place = PlacedValue::Place;

PlacedValue CodeEmitter::Placed(const Node* value, Position at, const SavedRegisters& saved) const {
  if (value == nullptr) return {};
  Location place = allocation_.At(value, at);
  const auto found = std::ranges::find(saved, place, &Allocation::Saved::place);
  if (found != saved.end()) place = found->slot;
  switch (place.where) {
    case Where::kConstant:
      if (value->op == ir::Op::kObject) {
        return {value->kind, Place::kObject, static_cast<int32_t>(value->constant), 0};
      }
      return {value->kind, Place::kConstant, 0, value->bits};
    case Where::kRegister:
      if (place.number >= kFirstXmm) return {value->kind, Place::kXmm, place.number - kFirstXmm, 0};
      return {value->kind, Place::kRegister, place.number, 0};
    default:
      return {value->kind, Place::kSlot, layout_.Value(static_cast<uint32_t>(place.number)), 0};
  }
}

// With no other references than those of the frames.
PlacedState CodeEmitter::StateOf(const State* state, Position at,
                                 const SavedRegisters& saved) const {
  PlacedState placed;
  const auto add = [&](const PlacedValue& reference) {
    const bool is_held = reference.kind == Kind::kReference &&
                         (reference.place == Place::kSlot || reference.place == Place::kRegister);
    if (is_held && std::ranges::find(placed.references, reference) == placed.references.end()) {
      placed.references.push_back(reference);
    }
  };
  for (; state != nullptr; state = state->caller) {
    PlacedFrame frame{
        state->body->number, state->bci, state->during_call, state->rethrow, {}, {}, {}};
    for (Node* const local : state->locals) {
      add(frame.locals.emplace_back(Placed(ir::Resolve(local), at, saved)));
    }
    for (Node* const value : state->stack) {
      add(frame.stack.emplace_back(Placed(ir::Resolve(value), at, saved)));
    }
    for (uint32_t i = 0; i < state->locks; ++i) {
      frame.locks.push_back(layout_.LockObject(state->body->first_lock + i));
      add({Kind::kReference, Place::kSlot, frame.locks.back(), 0});
    }
    placed.frames.push_back(std::move(frame));
  }
  std::ranges::reverse(placed.frames);
  return placed;
}

PlacedState CodeEmitter::SiteStateOf(const Node& site) const {
  PlacedState placed =
      StateOf(site.state, allocation_.PositionOf(site) + kLate, allocation_.SavedAt(site));
  for (const Location& place : allocation_.References(site)) {
    const bool is_register = place.is_register();
    const PlacedValue reference{
        Kind::kReference, is_register ? Place::kRegister : Place::kSlot,
        is_register ? place.number : layout_.Value(static_cast<uint32_t>(place.number)), 0};
    if (std::ranges::find(placed.references, reference) == placed.references.end()) {
      placed.references.push_back(reference);
    }
  }
  return placed;
}

Label CodeEmitter::TrapLabel(const Node& node, const State* state, Trap trap) {
  PlacedState placed = StateOf(state, allocation_.PositionOf(node) + kLate, {});
  if (exits_.empty() || exits_.back().state != placed) exits_.push_back({std::move(placed), {}});
  std::vector<std::pair<Label, Trap>>& traps = exits_.back().traps;
  for (const auto& [label, reason] : traps) {
    if (reason == trap) return label;
  }
  ++result_.traps[static_cast<size_t>(trap)];
  traps.emplace_back(a_.NewLabel(), trap);
  return traps.back().first;
}

void CodeEmitter::CallStub(Stub stub, const Node& node) {
  sites_.AddForeign(a_.size(), 5, places_.Of(stub), SiteStateOf(node));
  a_.CallLater();
}

void CodeEmitter::SaveAround(const Node& node, RegisterSet lost,
                             const std::function<void()>& call) {
  SavedRegisters saved = allocation_.SavedAt(node);
  std::erase_if(saved, [lost](const Allocation::Saved& one) {
    return (SetOf(static_cast<RegisterNumber>(one.place.number)) & lost) == 0;
  });
  for (const Allocation::Saved& one : saved) {
    if (!one.is_there) Emit(Move{one.place, one.slot, one.kind});
  }
  call();
  for (const Allocation::Saved& one : saved) Emit(Move{one.slot, one.place, one.kind});
}

void CodeEmitter::CallStubSaving(Stub stub, const Node& node) {
  SaveAround(node, kAllocatable, [&] { CallStub(stub, node); });
}

void CodeEmitter::EmitExits() {
  for (const Exit& exit : exits_) {
    const Label leave = a_.NewLabel();
    for (const auto& [label, trap] : exit.traps) {
      a_.Bind(label);
      code_.SayWhy(trap);
      if (label.id != exit.traps.back().first.id) a_.Jump(leave);
    }
    a_.Bind(leave);
    sites_.AddForeign(a_.size(), 5, vm_.uncommon_trap, exit.state);
    a_.CallLater();
  }
}

// The exception that the VM has put into the thread.
void CodeEmitter::TakeException(Reg to) {
  a_.Load(k64, to, HeapCode::Thread(vm_.exception_oop));
  a_.StoreImmediate(k64, HeapCode::Thread(vm_.exception_oop), 0);
  a_.StoreImmediate(k64, HeapCode::Thread(vm_.exception_pc), 0);
}

void CodeEmitter::EmitThrown() {
  const Label from_vm = a_.NewLabel();
  a_.Bind(from_vm);
  TakeException(rax);
  a_.Bind(unwind_);  // With the exception in rax.
  a_.Store(k64, Slot(layout_.Scratch(0)), rax);
  code_.Unwind(layout_, Slot(layout_.Scratch(0)));
  for (const Thrown& thrown : thrown_) {
    sites_.AddHandler(thrown.call_end,
                      a_.OffsetOf(thrown.to == nullptr ? from_vm : LabelOf(thrown.to)));
  }
}

// A yieldpoint finds values in all registers. Who takes it saves those that a C++ function may
// change; the VM neither stops the thread nor walks its stack meanwhile.
void CodeEmitter::EmitYieldpointRoutines() {
  constexpr std::array kSaved = {rax, rcx, rdx, rsi, rdi, r8, r9};
  constexpr int32_t kXmms = 15;
  // With the return address, a multiple of 16.
  constexpr int32_t kBytes = 8 * (static_cast<int32_t>(kSaved.size()) + kXmms) + 8;
  static_assert((kBytes + 8) % 16 == 0);
  const auto each = [&](const auto& general, const auto& floating) {
    int32_t offset = 0;
    for (const Reg reg : kSaved) general(reg, Slot(std::exchange(offset, offset + 8)));
    for (int32_t i = 0; i < kXmms; ++i) {
      floating(static_cast<Xmm>(i), Slot(std::exchange(offset, offset + 8)));
    }
  };
  const auto emit = [&](Label label, uint64_t function, const auto& pass) {
    a_.Bind(label);
    a_.Do(Alu::kSub, k64, rsp, kBytes);
    each([&](Reg reg, const Mem& to) { a_.Store(k64, to, reg); },
         [&](Xmm reg, const Mem& to) { a_.Store(Precision::kDouble, to, reg); });
    a_.Load(k64, rdi, HeapCode::Thread(vm_.yieldpoints->record));
    pass();
    heap_.CallLeaf(function);
    each([&](Reg reg, const Mem& from) { a_.Load(k64, reg, from); },
         [&](Xmm reg, const Mem& from) { a_.Load(Precision::kDouble, reg, from); });
    a_.Do(Alu::kAdd, k64, rsp, kBytes);
    a_.Return();
  };
  if (call_yieldpoint_) {
    emit(*call_yieldpoint_, places_.yieldpoints->call, [&] {
      a_.Mov(k64, rsi, r11);
      a_.Mov(k64, rdx, r10);
    });
  }
  if (tick_yieldpoint_) emit(*tick_yieldpoint_, places_.yieldpoints->tick, [] {});
}

// As BASE's (compiler/baseline/yieldpoints.cc).
void CodeEmitter::YieldpointOfCall(uint32_t callee,
                                   const std::function<void()>& load_return_address) {
  if (!places_.yieldpoints) return;
  if (!call_yieldpoint_) call_yieldpoint_ = a_.NewLabel();
  const Label taken = a_.NewLabel(), back = a_.NewLabel();
  a_.Do(Alu::kCmp, k64, rsp, HeapCode::Thread(vm_.yieldpoints->state));
  a_.Jump(Condition::kBelow, taken);
  a_.Bind(back);
  slow_paths_.emplace_back([=, this] {
    const Label observed = a_.NewLabel();
    a_.Bind(taken);
    a_.Load(k64, r10, HeapCode::Thread(vm_.yieldpoints->record));
    a_.Jump(Condition::kLess, observed);  // In the state kAll.
    a_.Do(Alu::kSub, k64, At(r10), 1);
    a_.Jump(Condition::kGreater, back);
    a_.Bind(observed);
    load_return_address();
    a_.MovImmediate(r11, callee);
    a_.Call(*call_yieldpoint_);
    a_.Jump(back);
  });
}

void CodeEmitter::EmitYieldpoint(const Node& node) {
  if (node.yield == ir::YieldKind::kInlinedEntry) {
    const Label mark = a_.NewLabel();
    YieldpointOfCall(static_cast<uint32_t>(node.bits), [this, mark] { a_.LeaLabel(r10, mark); });
    slow_paths_.emplace_back([this, mark, site = node.call_site] {
      a_.Bind(mark);
      code_.MarkCall(site);
    });
    return;
  }
  const bool is_epilogue = node.yield == ir::YieldKind::kEpilogue;
  if (!tick_yieldpoint_) tick_yieldpoint_ = a_.NewLabel();
  const Label taken = a_.NewLabel(), back = a_.NewLabel();
  a_.Do(Alu::kCmp, k64, rsp, HeapCode::Thread(vm_.yieldpoints->state));
  a_.Jump(is_epilogue ? Condition::kBelow : Condition::kLess, taken);
  a_.Bind(back);
  slow_paths_.emplace_back([this, taken, back, is_epilogue] {
    a_.Bind(taken);
    if (is_epilogue) a_.Jump(Condition::kGreaterOrEqual, back);
    a_.Call(*tick_yieldpoint_);
    a_.Jump(back);
  });
}

}  // namespace yp::compiler
