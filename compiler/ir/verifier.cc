#include "compiler/ir/verifier.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/ir/printer.h"

namespace yp::compiler::ir {
namespace {

Status Wrong(const char* what, const Block* block, const Node* node = nullptr) {
  std::string text = std::string(what) + " in block " + std::to_string(block->id);
  if (node != nullptr) text += std::string(" at ") + NameOf(node->op) + std::to_string(node->id);
  return Status::Error(text);
}

}  // namespace

Status Verify(const Graph& graph) {
  std::vector<size_t> place(graph.node_count(), SIZE_MAX);  // In its block; phis are 0.
  for (const Block* const block : graph.order) {
    if (block->nodes.empty() || !IsEnd(block->end()->op)) return Wrong("no end", block);
    for (const Block* const succ : block->succs) {
      if (std::ranges::count(succ->preds, block) != 1) return Wrong("an edge on one side", block);
      if (block->succs.size() > 1 && succ->preds.size() > 1) return Wrong("a critical edge", block);
    }
    for (const Node* const phi : block->phis) {
      if (phi->op == Op::kPhi && phi->in.size() != block->preds.size()) {
        return Wrong("inputs that are not those of the predecessors", block, phi);
      }
      place[phi->id] = 0;
    }
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      const Node* const node = block->nodes[i];
      if (IsEnd(node->op) != (i + 1 == block->nodes.size())) return Wrong("an end", block, node);
      if (node->block != block) return Wrong("another block's node", block, node);
      place[node->id] = i + 1;
    }
  }
  const auto is_defined = [&](const Node* value, const Block* block, size_t at) {
    if (IsFree(value)) return true;
    if (value->same_as != nullptr || place[value->id] == SIZE_MAX) return false;
    return value->block == block ? place[value->id] < at : Dominates(value->block, block);
  };
  for (const Block* const block : graph.order) {
    for (const Node* const phi : block->phis) {
      for (size_t i = 0; i < phi->in.size(); ++i) {
        if (!is_defined(phi->in[i], block->preds[i], SIZE_MAX)) {
          return Wrong("a value that is not defined", block, phi);
        }
        if (phi->in[i]->kind != phi->kind) return Wrong("another kind", block, phi);
      }
    }
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      const Node* const node = block->nodes[i];
      bool all = std::ranges::all_of(node->in,
                                     [&](const Node* in) { return is_defined(in, block, i + 1); });
      for (const State* const state : {node->state, node->state_before}) {
        VisitState(state, [&](const Node* value) { all = all && is_defined(value, block, i + 1); });
      }
      if (!all) return Wrong("a value that is not defined", block, node);
    }
  }
  return Status::Ok();
}

}  // namespace yp::compiler::ir
