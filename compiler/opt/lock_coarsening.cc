#include "compiler/opt/lock_coarsening.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

// The one of a synchronized method, entered before its first instruction and left behind its last.
bool IsOfMethod(const Node& node) {
  const Body& body = *node.state->body;
  return body.method->is_synchronized && node.bits == body.first_lock;
}

class Coarsener {
 public:
  explicit Coarsener(ir::Graph& graph) : graph_(graph) {}

  size_t Run() {
    for (const Block* const block : graph_.order) {
      for (const Node* const node : block->nodes) {
        if (node->op != Op::kMonitorEnter || !IsOfMethod(*node)) continue;
        locked_[node->state->body] = ir::Resolve(node->in[0]);
      }
    }
    if (locked_.size() < 2) return 0;
    size_t entries = 0;
    for (const Block* const block : graph_.order) {
      for (size_t i = 0; i < block->nodes.size(); ++i) {
        Node* const node = block->nodes[i];
        if (node->op != Op::kMonitorEnter || !IsOfMethod(*node)) continue;
        exits_.clear();
        seen_.clear();
        if (!FindExits(*block, i, *node)) continue;
        ++entries;
        gone_.insert(node);
        gone_.insert(exits_.begin(), exits_.end());
      }
    }
    if (entries == 0) return 0;
    for (Block* const block : graph_.order) {
      std::erase_if(block->nodes, [this](const Node* node) { return gone_.contains(node); });
    }
    return entries;
  }

 private:
  // The exits that lead to the entry, backwards from in front of the block's node `i`. False where
  // there is a way to it without one.
  bool FindExits(const Block& block, size_t i, const Node& entry) {
    while (i-- > 0) {
      const Node& node = *block.nodes[i];
      if (node.op == Op::kMonitorExit) {
        exits_.push_back(&node);
        return Leaves(node, entry);
      }
      if (!ir::IsPure(node.op) && !gone_.contains(&node)) return false;
    }
    if (block.preds.empty() || block.is_header()) return false;
    return std::ranges::all_of(block.preds, [&](const Block* pred) {
      if (pred->end()->op != Op::kGoto) return false;
      return !seen_.insert(pred).second || FindExits(*pred, pred->nodes.size() - 1, entry);
    });
  }

  bool Leaves(const Node& exit, const Node& entry) const {
    if (gone_.contains(&exit) || !IsOfMethod(exit) || exit.bits != entry.bits) return false;
    const auto found = locked_.find(exit.state->body);
    return found != locked_.end() && found->second == ir::Resolve(entry.in[0]);
  }

  ir::Graph& graph_;
  std::map<const Body*, const Node*> locked_;
  std::vector<const Node*> exits_;  // Of the entry that is looked at.
  std::set<const Block*> seen_;
  std::set<const Node*> gone_;
};

}  // namespace

size_t CoarsenLocks(ir::Graph& graph) { return Coarsener(graph).Run(); }

}  // namespace yp::compiler
