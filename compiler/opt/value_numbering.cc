#include "compiler/opt/value_numbering.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/ir/graph_builder.h"
#include "compiler/opt/fold.h"

namespace yp::compiler {
namespace {

using ir::Block;
using ir::Node;
using ir::Op;

// What two nodes have in common that have the same value, or check the same.
struct Key {
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kMostInputs = 2;
  Op op;
  Kind kind;
  char type;
  uint32_t what;  // A class, or a Leaf.
  std::array<uint32_t, kMostInputs> in;

  bool operator==(const Key&) const = default;
};

struct HashOfKey {
  size_t operator()(const Key& key) const {
    constexpr uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;
    const auto mix = [](uint64_t hash, uint64_t more) {
      hash = (hash ^ more) * kGolden;
      return hash ^ hash >> 32;
    };
    const auto what = static_cast<uint64_t>(key.op) << 16 | static_cast<uint64_t>(key.kind) << 8 |
                      static_cast<uint8_t>(key.type);
    const uint64_t hash = mix(what << 32 | key.what, uint64_t{key.in[0]} << 32 | key.in[1]);
    return static_cast<size_t>(hash);
  }
};

Key KeyOf(const Node& node) {
  uint32_t what = 0;
  if (node.op == Op::kInstanceOf || node.op == Op::kCastCheck) {
    what = static_cast<uint32_t>(node.link.klass);
  } else if (node.op == Op::kLeafValue) {
    what = static_cast<uint32_t>(node.bits);
  } else if (node.op == Op::kHolds) {
    what = static_cast<uint32_t>(node.condition);
  }
  const auto in = [&node](size_t i) { return i < node.in.size() ? node.in[i]->id : Key::kNone; };
  return {node.op, node.kind, node.type, what, {in(0), in(1)}};
}

class Numbering {
 public:
  Numbering(ir::Graph& graph, const KnownMemory::AtHeaders* at_headers)
      : graph_(graph), memory_(graph, at_headers) {
    all_.reserve(graph.node_count());
    known_.reserve(graph.node_count());
  }

  size_t Run() {
    for (Block* const block : graph_.order) {
      AddFacts(*block);
      memory_.Enter(*block);
      std::vector<Node*> kept;
      for (Node* const node : block->nodes) {
        if (IsGone(*node)) continue;
        kept.push_back(node);
        memory_.Execute(*node);
      }
      memory_.Leave(*block);
      gone_ += block->nodes.size() - kept.size();
      block->nodes = std::move(kept);
    }
    ir::Simplify(graph_);
    return gone_;
  }

 private:
  struct Known {
    const Block* block;
    Node* node;
    uint32_t next;  // Of the same key, in all_.
  };

  // Of the branch that leads to the block: what holds there, what is not null, and of which class.
  void AddFacts(const Block& block) {
    if (block.preds.size() != 1) return;
    const Node& end = *block.preds[0]->end();
    if (end.op != Op::kIf || IsFloatingPoint(end.in[0]->kind)) return;
    const bool is_taken = &block == block.preds[0]->succs[0];
    const ir::Condition holds = is_taken ? end.condition : ir::Negated(end.condition);
    AddCondition(block, holds, end);
    if (holds != ir::Condition::kNotEqual || !ir::IsConstant(end.in[1]) || end.in[1]->bits != 0) {
      return;
    }
    const Node& found = *end.in[0];
    if (found.kind == Kind::kReference) AddFact(block, Op::kNullCheck, 0, found);
    if (found.op == Op::kInstanceOf) {
      AddFact(block, Op::kNullCheck, 0, *found.in[0]);
      AddFact(block, Op::kCastCheck, static_cast<uint32_t>(found.link.klass), *found.in[0]);
    }
  }

  // In the block and those that it dominates, the check of the value would pass.
  void AddFact(const Block& block, Op check, uint32_t klass, const Node& value) {
    Add(KeyOfCheck(check, klass, value), block, nullptr);
  }

  static Key KeyOfCheck(Op check, uint32_t klass, const Node& value) {
    return {check, Kind::kDead, 0, klass, {value.id, Key::kNone}};
  }

  static Key KeyOfCondition(ir::Condition condition, const Node& left, const Node& right) {
    return {Op::kIf, Kind::kDead, 0, static_cast<uint32_t>(condition), {left.id, right.id}};
  }

  // In the block and those that it dominates, the condition holds for what the branch compares.
  void AddCondition(const Block& block, ir::Condition condition, const Node& branch) {
    using enum ir::Condition;
    const auto add = [&](ir::Condition one) {
      Add(KeyOfCondition(one, *branch.in[0], *branch.in[1]), block, nullptr);
    };
    add(condition);
    if (condition == kEqual || condition == kLess) add(kLessOrEqual);
    if (condition == kEqual || condition == kGreater) add(kGreaterOrEqual);
    if (condition == kLess || condition == kGreater) add(kNotEqual);
  }

  bool Holds(ir::Condition condition, const Node& left, const Node& right, const Block& in) const {
    return Find(KeyOfCondition(condition, left, right), in) != nullptr ||
           Find(KeyOfCondition(ir::Swapped(condition), right, left), in) != nullptr;
  }

  bool IsKnownNotToBeNull(const Node& value, const Block& in) const {
    return ir::IsNeverNull(value) || graph_.IsReceiver(value) ||
           Find(KeyOfCheck(Op::kNullCheck, 0, value), in) != nullptr;
  }

  // Which way a branch goes, if those that lead to it and the checks before it say so.
  std::optional<bool> IsTaken(const Node& branch) const {
    const Node &left = *branch.in[0], &right = *branch.in[1];
    const Block& in = *branch.block;
    if (IsFloatingPoint(left.kind)) return std::nullopt;
    if (Holds(branch.condition, left, right, in)) return true;
    if (Holds(ir::Negated(branch.condition), left, right, in)) return false;
    const bool asks_for_null = left.kind == Kind::kReference && ir::IsConstant(&right);
    if (!asks_for_null || !IsKnownNotToBeNull(left, in)) return std::nullopt;
    return branch.condition == ir::Condition::kNotEqual;
  }

  // The same of the class of an object.
  Node* ResultOf(const Node& instance_of) const {
    const Node& object = *instance_of.in[0];
    const Block& in = *instance_of.block;
    const auto klass = static_cast<uint32_t>(instance_of.link.klass);
    const Key cast = KeyOfCheck(Op::kCastCheck, klass, object);
    if (Find(cast, in) != nullptr && IsKnownNotToBeNull(object, in)) return graph_.Int(1);
    const Node& null = *graph_.Constant(Kind::kReference, 0);
    return Holds(ir::Condition::kEqual, object, null, in) ? graph_.Int(0) : nullptr;
  }

  // What is known by that key where the block is executed.
  const Known* Find(const Key& key, const Block& in) const {
    const auto found = known_.find(key);
    for (uint32_t i = found == known_.end() ? Key::kNone : found->second; i != Key::kNone;
         i = all_[i].next) {
      if (ir::Dominates(all_[i].block, &in)) return &all_[i];
    }
    return nullptr;
  }

  void Add(const Key& key, const Block& block, Node* node) {
    uint32_t& first = known_.try_emplace(key, Key::kNone).first->second;
    all_.push_back({&block, node, first});
    first = static_cast<uint32_t>(all_.size() - 1);
  }

  bool IsGone(Node& node) {
    for (Node*& in : node.in) in = ir::Resolve(in);
    node.same_as = Fold(graph_, node);
    if (node.same_as == nullptr) node.same_as = memory_.Find(node);
    if (node.same_as != nullptr) return true;
    if (node.op == Op::kInstanceOf) node.same_as = ResultOf(node);
    if (node.same_as != nullptr || (ir::IsCheck(node.op) && AlwaysPasses(node))) return true;
    if (node.op == Op::kIf) {
      if (const std::optional<bool> taken = IsTaken(node)) {
        node.in = {graph_.Int(0), graph_.Int(0)};
        node.condition = *taken ? ir::Condition::kEqual : ir::Condition::kNotEqual;
      }
      return false;
    }
    // A class that this thread was initializing may have failed to be since, and an agent may have
    // come.
    const bool holds = node.op != Op::kInitCheck && node.op != Op::kPostCheck;
    const bool counts = ir::IsPure(node.op) || (ir::IsCheck(node.op) && holds);
    if (!counts || node.in.size() > Key::kMostInputs) return false;
    const Key key = KeyOf(node);
    if (const Known* const known = Find(key, *node.block); known != nullptr) {
      if (node.kind != Kind::kDead) node.same_as = known->node;
      return true;
    }
    Add(key, *node.block, &node);
    return false;
  }

  ir::Graph& graph_;
  KnownMemory memory_;
  std::vector<Known> all_;
  std::unordered_map<Key, uint32_t, HashOfKey> known_;  // Of the last one in all_.
  size_t gone_ = 0;
};

}  // namespace

size_t NumberValues(ir::Graph& graph, const KnownMemory::AtHeaders* at_headers) {
  return Numbering(graph, at_headers).Run();
}

}  // namespace yp::compiler
