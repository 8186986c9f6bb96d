#include "compiler/opt/vectorize.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/opt/index.h"
#include "compiler/opt/known_memory.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

constexpr int64_t kVectorBytes = 16;
// Of an iteration. What lives at once should have registers.
constexpr size_t kMostPacked = 40;

// 0: no vectors of it.
int64_t LanesOf(Kind kind) {
  if (kind == Kind::kInt || kind == Kind::kFloat) return kVectorBytes / 4;
  return kind == Kind::kLong || kind == Kind::kDouble ? kVectorBytes / 8 : 0;
}

char TypeOf(Kind kind) {
  constexpr char kTypes[] = {0, 'I', 'J', 'F', 'D'};
  return kTypes[static_cast<size_t>(kind)];
}

bool HasVectors(char type) { return type == 'I' || type == 'J' || type == 'F' || type == 'D'; }

bool IsElementAccess(const Node& node) {
  return node.op == Op::kLoadElement || node.op == Op::kStoreElement;
}

bool IsShift(Op op) { return op == Op::kShl || op == Op::kShr || op == Op::kUshr; }

// Whether SSE2 does it with all elements at once.
bool HasInstruction(const Node& node) {
  const bool is_float = IsFloatingPoint(node.kind);
  switch (node.op) {
    case Op::kAdd:
    case Op::kSub:
      return true;
    case Op::kMul:
    case Op::kDiv:
      return is_float;
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return !is_float;
    case Op::kShl:
    case Op::kUshr:
      return ir::IsConstant(node.in[1]);
    case Op::kShr:
      return ir::IsConstant(node.in[1]) && node.kind == Kind::kInt;
    default:
      return false;
  }
}

}  // namespace

bool IsOncePerJump(const Node& node) {
  const bool yields = node.op == Op::kYieldpoint && node.yield == ir::YieldKind::kBackwards;
  return node.op == Op::kPoll || yields;
}

class VectorLoop::Finder {
 public:
  Finder(const Loop& loop, const Counter& counter) : loop_(loop), counter_(counter) {}

  std::optional<VectorLoop> Run() {
    const Block &header = *loop_.header, &body = *counter_.body;
    if (counter_.step != 1 && counter_.step != -1) return std::nullopt;
    found_.step_ = static_cast<int32_t>(counter_.step);
    for (Node* const phi : header.phis) {
      const Index next = IndexOf(ir::Resolve(phi->in[1 - loop_.entry_edge]));
      if (phi->kind != Kind::kInt || next != Index{phi, found_.step_}) return std::nullopt;
      found_.phis_.push_back(phi);
      what_[phi] = What::kIndex;
    }
    if (header.nodes.size() + body.nodes.size() > kMostPacked) return std::nullopt;
    for (const Block* const block : {&header, &body}) {
      for (const Node* const node : block->nodes) {
        if (node != block->end() && !Add(*node)) return std::nullopt;
      }
    }
    const bool stores = std::ranges::any_of(
        found_.packed_, [](const Node* node) { return node->op == Op::kStoreElement; });
    if (!stores || !KeepsOrder() || SeesPacks()) return std::nullopt;
    return std::move(found_);
  }

 private:
  enum class What : uint8_t {
    kUniform,  // It is the same in all iterations.
    kIndex,    // It counts.
    kPacked,
    kNone,
  };

  What WhatIs(const Node* value) const {
    if (loop_.IsInvariant(value)) return What::kUniform;
    const auto found = what_.find(value);
    return found == what_.end() ? What::kNone : found->second;
  }

  bool Add(const Node& node) {
    if (IsOncePerJump(node)) {
      found_.once_.push_back(&node);
      return true;
    }
    const What what = Classify(node);
    if (what == What::kNone) return false;
    what_[&node] = what;
    if (what == What::kIndex) found_.indices_.push_back(&node);
    if (what == What::kUniform) found_.uniform_.push_back(&node);
    if (what != What::kPacked) return true;
    found_.packed_.push_back(&node);
    // They come behind all others, and the polls behind them.
    return found_.once_.empty();
  }

  What Classify(const Node& node) {
    switch (node.op) {
      case Op::kLoadField:
        // It has no store to a field in it: that is kNone.
        return KnownMemory::IsPlainLoad(node) && AreUniform(node) ? What::kUniform : What::kNone;
      case Op::kLoadElement:
        return IsAccess(node) ? What::kPacked : What::kNone;
      case Op::kStoreElement:
        return IsAccess(node) && IsElement(node.in[2]) ? What::kPacked : What::kNone;
      default:
        if (!ir::IsPure(node.op)) return What::kNone;
    }
    if (AreUniform(node)) return What::kUniform;
    const Node* const counted = IndexOf(&node).base;
    if (counted != &node && WhatIs(counted) == What::kIndex) return What::kIndex;
    const bool is_packed = HasInstruction(node) && HasLanes(node.kind) && IsElement(node.in[0]) &&
                           (IsShift(node.op) || IsElement(node.in[1]));
    return is_packed ? What::kPacked : What::kNone;
  }

  bool AreUniform(const Node& node) const {
    return std::ranges::all_of(node.in,
                               [this](const Node* in) { return WhatIs(in) == What::kUniform; });
  }

  bool IsElement(const Node* value) const {
    const What what = WhatIs(value);
    return what == What::kPacked || what == What::kUniform;
  }

  bool IsAccess(const Node& node) {
    return HasVectors(node.type) && HasLanes(KindOf(node.type)) && loop_.IsInvariant(node.in[0]) &&
           WhatIs(node.in[1]) == What::kIndex;
  }

  // As many in a pack as of all others.
  bool HasLanes(Kind kind) {
    const int64_t lanes = LanesOf(kind);
    if (found_.lanes_ == 0) found_.lanes_ = lanes;
    return lanes != 0 && lanes == found_.lanes_;
  }

  // In a pack, all iterations do the first of two before one does the second. What they do with one
  // element is in another order then where the second one comes to it iterations earlier.
  bool KeepsOrder() const {
    std::vector<const Node*> accesses;
    for (const Node* const node : found_.packed_) {
      if (!IsElementAccess(*node)) continue;
      for (const Node* const before : accesses) {
        if (before->type != node->type ||
            (before->op == Op::kLoadElement && node->op == before->op)) {
          continue;
        }
        const Index first = IndexOf(before->in[1]), second = IndexOf(node->in[1]);
        if (first.base != second.base) return false;
        // In iterations. Both are indices of arrays, so that it is an int.
        const int32_t distance =
            second.Plus(static_cast<int32_t>(-static_cast<uint32_t>(first.added))).added;
        const int64_t ahead = int64_t{distance} * found_.step_;
        if (ahead > 0 && ahead < found_.lanes_) return false;
      }
      accesses.push_back(node);
    }
    return true;
  }

  // Whether a frame state knows an element of a pack.
  bool SeesPacks() const {
    bool sees = false;
    for (const Node* const node : found_.once_) {
      for (const ir::State* const state : {node->state, node->state_before}) {
        ir::VisitState(state, [&](const Node* value) { sees |= WhatIs(value) == What::kPacked; });
      }
    }
    return sees;
  }

  const Loop& loop_;
  const Counter& counter_;
  std::map<const Node*, What> what_;  // Of what the loop has.
  VectorLoop found_;
};

std::optional<VectorLoop> VectorLoop::Of(const Loop& loop, const Counter& counter) {
  return Finder(loop, counter).Run();
}

namespace {

// Appends packs to the copier's block.
class Packer {
 public:
  explicit Packer(IterationCopier& copier) : copier_(copier) {}

  // `lowest`: of the pack's elements, from the one that the copier's iteration comes to.
  void Append(const Node& node, int64_t lowest) {
    if (!IsElementAccess(node)) {
      const char type = TypeOf(node.kind);
      Node* const left = VectorOf(node.in[0], type);
      Node* const right = IsShift(node.op) ? node.in[1] : VectorOf(node.in[1], type);
      vectors_[&node] = NewNode(node.op, Kind::kVector, {left, right}, type);
      return;
    }
    ir::Inputs in = {copier_.Now(node.in[0]), copier_.Now(node.in[1])};
    const bool stores = node.op == Op::kStoreElement;
    if (stores) in.push_back(VectorOf(node.in[2], node.type));
    Node* const access = NewNode(stores ? Op::kStoreVector : Op::kLoadVector,
                                 stores ? Kind::kDead : Kind::kVector, std::move(in), node.type);
    access->bits = lowest;
    vectors_[&node] = access;
  }

 private:
  Node* NewNode(Op op, Kind kind, ir::Inputs in, char type) {
    Node* const node = copier_.graph().NewNode(op, kind, std::move(in));
    node->type = type;
    copier_.Append(node);
    return node;
  }

  Node* VectorOf(Node* value, char type) {
    value = ir::Resolve(value);
    const auto found = vectors_.find(value);
    if (found != vectors_.end()) return found->second;
    Node*& known = broadcasts_[value];
    if (known == nullptr) {
      known = NewNode(Op::kBroadcast, Kind::kVector, {copier_.Now(value)}, type);
    }
    return known;
  }

  IterationCopier& copier_;
  std::map<const Node*, Node*> vectors_;     // Of the pack.
  std::map<const Node*, Node*> broadcasts_;  // Of all packs.
};

}  // namespace

void VectorLoop::AppendTo(IterationCopier& copier) const {
  for (const Node* const node : uniform_) copier.Copy(*node);
  for (const Node* const node : indices_) copier.Copy(*node);
  Packer packer(copier);
  for (int64_t first = 0; first < iterations(); first += lanes_) {
    const int64_t lowest = step_ > 0 ? first : -(first + lanes_ - 1);
    for (const Node* const node : packed_) packer.Append(*node, lowest);
  }
  ir::Graph& graph = copier.graph();
  for (Node* const phi : phis_) {
    Node* const more = graph.Int(static_cast<int32_t>(step_ * (iterations() - 1)));
    Node* const last = graph.NewNode(Op::kAdd, Kind::kInt, {copier.Now(phi), more});
    copier.Append(last);
    copier.Set(phi, last);
  }
  for (const Node* const node : indices_) copier.Copy(*node);
  for (const Node* const node : once_) copier.Copy(*node);
}

}  // namespace yp::compiler
