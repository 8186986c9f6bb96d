#include "compiler/opt/thread_jumps.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/opt/fold.h"

namespace yp::compiler {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Op;

namespace {

bool IsOwnPhi(const Node& node, const Block& block) {
  return node.op == Op::kPhi && node.block == &block;
}

// It does nothing but branch on one of its phis. Not the header of a loop: a jump around it would
// be a second entry to the loop.
bool OnlyBranchesOnPhi(const Block& block) {
  const Node& end = *block.end();
  return block.nodes.size() == 1 && !block.is_header() &&
         (end.op == Op::kIf || end.op == Op::kSwitch) && IsOwnPhi(*end.in[0], block);
}

bool OnlyJumps(const Block& block) {
  return block.nodes.size() == 1 && !block.is_header() && block.end()->op == Op::kGoto;
}

class JumpThreading {
 public:
  explicit JumpThreading(Graph& graph) : graph_(graph) {}

  size_t Run() {
    std::vector<Block*> branching;
    for (Block* const block : graph_.order) {
      if (OnlyBranchesOnPhi(*block)) branching.push_back(block);
    }
    if (branching.empty()) return 0;
    FindUses();
    for (Block* const block : branching) {
      if (!HasPrivatePhis(*block)) continue;
      SkipJumpsTo(*block);
      Thread(*block);
    }
    return changed_;
  }

 private:
  // Which phis are used by others than the end of their own block, and the phis of the next block
  // for the edge from their own. Without these, no jump around the block has to bring a value
  // along.
  void FindUses() {
    used_elsewhere_.resize(graph_.node_count());
    const auto use = [this](const Node* node) { used_elsewhere_[node->id] = true; };
    ir::StateVisitor states;
    for (const Block* const block : graph_.order) {
      for (const Node* const phi : block->phis) {
        for (size_t i = 0; i < phi->in.size(); ++i) {
          if (phi->in[i]->block != block->preds[i]) use(phi->in[i]);
        }
      }
      for (const Node* const node : block->nodes) {
        for (const Node* const in : node->in) {
          if (node != block->end() || in->block != block) use(in);
        }
        for (const ir::State* const state : {node->state, node->state_before}) {
          states.Visit(state, use);
        }
      }
      if (block->is_header()) ir::VisitState(block->entry_state, use);
    }
  }

  bool HasPrivatePhis(const Block& block) const {
    return std::ranges::all_of(block.phis, [this](const Node* phi) {
      return phi->op == Op::kPhi && !used_elsewhere_[phi->id];
    });
  }

  // A predecessor in which paths join, and which does nothing else: they join in the block.
  void SkipJumpsTo(Block& block) {
    for (size_t i = 0; i < block.preds.size();) {
      Block& pred = *block.preds[i];
      const bool joins = pred.preds.size() > 1 && OnlyJumps(pred) && HasPrivatePhis(pred);
      if (!joins) {
        ++i;
        continue;
      }
      for (size_t j = 0; j < pred.preds.size(); ++j) {
        block.preds.push_back(pred.preds[j]);
        pred.preds[j]->succs = {&block};
        for (Node* const phi : block.phis) {
          Node* const value = phi->in[i];
          phi->in.push_back(IsOwnPhi(*value, pred) ? value->in[j] : value);
        }
      }
      Graph::RemovePred(&block, i);
      ++changed_;
    }
  }

  void Thread(Block& block) {
    const Node& end = *block.end();
    for (size_t i = block.preds.size(); i-- > 0;) {
      const std::optional<size_t> way = WayOf(end, *end.in[0]->in[i]);
      const bool has_other_ways = block.preds[i]->succs.size() > 1;
      if (!way || has_other_ways || !block.succs[*way]->phis.empty()) continue;
      Block* const to = block.succs[*way];
      block.preds[i]->succs = {to};
      to->preds.push_back(block.preds[i]);
      Graph::RemovePred(&block, i);
      ++changed_;
    }
    if (block.preds.empty()) return;
    for (Block*& succ : block.succs) {
      if (succ->preds.size() > 1) Split(block, succ);
    }
  }

  // No edge leads from a block with other ways on to one with other ways to it.
  void Split(Block& from, Block*& to) {
    Block* const between = graph_.NewBlock();
    Graph::Append(between, graph_.NewNode(Op::kGoto, Kind::kDead));
    between->preds = {&from};
    between->succs = {to};
    std::ranges::replace(to->preds, &from, between);
    to = between;
  }

  Graph& graph_;
  std::vector<bool> used_elsewhere_;  // By id.
  size_t changed_ = 0;
};

}  // namespace

size_t ThreadJumps(Graph& graph) { return JumpThreading(graph).Run(); }

}  // namespace yp::compiler
