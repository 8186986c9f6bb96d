#include "compiler/opt/value_numbering.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "compiler/ir/graph_builder.h"
#include "compiler/opt/fold.h"
#include "compiler/opt/known_memory.h"

namespace yp::compiler {
namespace {

using ir::Block;
using ir::Node;
using ir::Op;

// What two nodes have in common that have the same value, or check the same.
using Key = std::tuple<Op, Kind, char, uint32_t, std::vector<uint32_t>>;

Key KeyOf(const Node& node) {
  const bool has_class = node.op == Op::kInstanceOf || node.op == Op::kCastCheck;
  std::vector<uint32_t> in;
  for (const Node* const one : node.in) in.push_back(one->id);
  return {node.op, node.kind, node.type, has_class ? static_cast<uint32_t>(node.link.klass) : 0,
          in};
}

class Numbering {
 public:
  explicit Numbering(ir::Graph& graph) : graph_(graph), memory_(graph) {}

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
  };

  // Of the branch that leads to the block: what is not null there, and of which class.
  void AddFacts(const Block& block) {
    if (block.preds.size() != 1) return;
    const Node& end = *block.preds[0]->end();
    if (end.op != Op::kIf || !ir::IsConstant(end.in[1]) || end.in[1]->bits != 0) return;
    const bool compares =
        end.condition == ir::Condition::kEqual || end.condition == ir::Condition::kNotEqual;
    const bool holds = &block == block.preds[0]->succs[0];
    const bool is_zero = (end.condition == ir::Condition::kEqual) == holds;
    if (!compares || is_zero) return;
    const Node& found = *end.in[0];
    if (found.kind == Kind::kReference) AddFact(block, Op::kNullCheck, 0, found);
    if (found.op == Op::kInstanceOf) {
      AddFact(block, Op::kNullCheck, 0, *found.in[0]);
      AddFact(block, Op::kCastCheck, static_cast<uint32_t>(found.link.klass), *found.in[0]);
    }
  }

  // In the block and those that it dominates, the check of the value would pass.
  void AddFact(const Block& block, Op check, uint32_t klass, const Node& value) {
    known_[{check, Kind::kDead, 0, klass, {value.id}}].push_back({&block, nullptr});
  }

  bool IsGone(Node& node) {
    for (Node*& in : node.in) in = ir::Resolve(in);
    node.same_as = Fold(graph_, node);
    if (node.same_as == nullptr) node.same_as = memory_.Find(node);
    if (node.same_as != nullptr) return true;
    if (ir::IsCheck(node.op) && AlwaysPasses(node)) return true;
    // A class that this thread was initializing may have failed to be since, and an agent may have
    // come.
    const bool holds = node.op != Op::kInitCheck && node.op != Op::kPostCheck;
    const bool counts = ir::IsPure(node.op) || (ir::IsCheck(node.op) && holds);
    if (!counts) return false;
    std::vector<Known>& all = known_[KeyOf(node)];
    const auto known = std::ranges::find_if(
        all, [&](const Known& one) { return ir::Dominates(one.block, node.block); });
    if (known == all.end()) {
      all.push_back({node.block, &node});
      return false;
    }
    if (node.kind != Kind::kDead) node.same_as = known->node;
    return true;
  }

  ir::Graph& graph_;
  KnownMemory memory_;
  std::map<Key, std::vector<Known>> known_;
  size_t gone_ = 0;
};

}  // namespace

size_t NumberValues(ir::Graph& graph) { return Numbering(graph).Run(); }

}  // namespace yp::compiler
