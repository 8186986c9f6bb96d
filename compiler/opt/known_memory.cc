#include "compiler/opt/known_memory.h"

#include <algorithm>

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

// More are forgotten, the oldest first: each block has a copy.
constexpr size_t kMost = 64;

bool IsField(Op op) { return op == Op::kLoadField || op == Op::kStoreField; }
bool IsElement(Op op) { return op == Op::kLoadElement || op == Op::kStoreElement; }

// A reference that collectors treat weakly is read each time.
bool IsPlain(const Node& node) {
  if (IsElement(node.op)) return true;
  return IsField(node.op) && !node.field->is_volatile && !node.field->is_referent;
}

// Whether all that is known ends there.
bool EndsAll(const Node& node) {
  switch (node.op) {
    case Op::kCall:
    case Op::kTry:
    case Op::kMonitorEnter:
    case Op::kMonitorExit:
    case Op::kRegisterFinalizer:
    case Op::kLoadPlace:
    case Op::kStorePlace:
    case Op::kCompareAndSet:
    case Op::kCopyArray:
    case Op::kStoreVector:
      return true;
    case Op::kLeafCall:
      return FunctionOf(static_cast<Leaf>(node.bits)).effect == LeafFunction::Effect::kWrites;
    default:
      return IsField(node.op) && !IsPlain(node);
  }
}

// A narrow place holds a part of what is stored.
bool HoldsAll(char type) { return type != 'Z' && type != 'B' && type != 'C' && type != 'S'; }

}  // namespace

KnownMemory::Place KnownMemory::PlaceOf(const Node& node) {
  if (IsElement(node.op)) return {true, node.type, 0, node.in[0], IndexOf(node.in[1])};
  return {false, node.field->type, node.field->offset, node.in[0], {}};
}

bool KnownMemory::IsPlainLoad(const Node& node) {
  return (node.op == Op::kLoadField || node.op == Op::kLoadElement) && IsPlain(node);
}

bool KnownMemory::IsPlainStore(const Node& node) {
  return (node.op == Op::kStoreField || node.op == Op::kStoreElement) && IsPlain(node);
}

const KnownMemory::Known* KnownMemory::Look(const std::vector<Known>& in, const Place& place) {
  const auto found = std::ranges::find(in, place, &Known::place);
  return found == in.end() ? nullptr : &*found;
}

const KnownMemory::Known* KnownMemory::FindAtEnd(const Block& block, const Place& place) const {
  return Look(at_end_[block.id].known, place);
}

void KnownMemory::Enter(const Block& block) {
  block_ = &block;
  now_.clear();
  if (block.is_header()) {
    if (at_headers_ == nullptr) return;
    const auto found = at_headers_->find(&block);
    if (found != at_headers_->end()) now_ = found->second;
    return;
  }
  if (block.preds.empty()) return;
  for (const Block* const pred : block.preds) {
    if (!at_end_[pred->id].is_visited) return;
  }
  now_ = at_end_[block.preds[0]->id].known;
  for (size_t i = 1; i < block.preds.size(); ++i) {
    const std::vector<Known>& other = at_end_[block.preds[i]->id].known;
    std::erase_if(now_, [&](Known& one) {
      const Known* const there = Look(other, one.place);
      if (there == nullptr || there->value != one.value) return true;
      one.is_stored = one.is_stored && there->is_stored;
      return false;
    });
  }
}

Node* KnownMemory::Find(const Node& load) const {
  const Known* const known = IsPlainLoad(load) ? Look(now_, PlaceOf(load)) : nullptr;
  if (known == nullptr) return nullptr;
  const bool is_there = known->within == nullptr || ir::Dominates(known->within, block_);
  return is_there ? known->value : nullptr;
}

void KnownMemory::Execute(Node& node) {
  if (EndsAll(node)) return now_.clear();
  if (!IsField(node.op) && !IsElement(node.op)) return;
  const Place place = PlaceOf(node);
  if (node.op == Op::kLoadField || node.op == Op::kLoadElement) return Add({place, &node, false});
  std::erase_if(now_, [&](const Known& one) {
    if (one.place.is_element != place.is_element) return false;
    if (!place.is_element) return one.place.offset == place.offset;
    return one.place.type == place.type && !AreNeverEqual(one.place.index, place.index);
  });
  if (HoldsAll(place.type)) Add({place, node.in.back(), true});
}

void KnownMemory::Add(const Known& known) {
  if (now_.size() == kMost) now_.erase(now_.begin());
  now_.push_back(known);
}

}  // namespace yp::compiler
