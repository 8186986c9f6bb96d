#include "compiler/opt/loops.h"

#include <algorithm>

namespace yp::compiler {

using ir::Block;
using ir::Node;

bool Loop::Has(const Block* block) const {
  for (const Block* around = block->loop; around != nullptr; around = around->outer_loop) {
    if (around == header) return true;
  }
  return false;
}

bool Loop::IsInvariant(const Node* value) const { return ir::IsFree(value) || !Has(value->block); }

bool Loop::IsInEachIteration(const Block* block) const {
  return std::ranges::all_of(back_edges,
                             [block](const Block* from) { return ir::Dominates(block, from); });
}

bool Loop::IsKnownNotToBeNull(const Node* object) const {
  if (ir::IsNeverNull(*object)) return true;
  for (const Block* block = entry;; block = block->dominator) {
    for (const Node* const node : block->nodes) {
      if (node->op == ir::Op::kNullCheck && node->in[0] == object) return true;
    }
    if (block == block->dominator) return false;
  }
}

namespace {

// The header's state, with what its phis are at first.
const ir::State* StateAtEntry(ir::Graph& graph, const Loop& loop) {
  ir::State state = *loop.header->entry_state;
  for (std::vector<Node*>* const values : {&state.locals, &state.stack}) {
    for (Node*& value : *values) {
      value = ir::Resolve(value);
      const bool is_phi =
          value != nullptr && value->op == ir::Op::kPhi && value->block == loop.header;
      if (is_phi) value = ir::Resolve(value->in[loop.entry_edge]);
    }
  }
  return graph.NewState(std::move(state));
}

}  // namespace

std::vector<Loop> LoopsOf(ir::Graph& graph) {
  std::vector<Loop> loops;
  for (Block* const header : graph.order) {
    if (!header->is_header() || header->entry_state == nullptr) continue;
    Loop loop;
    loop.header = header;
    size_t entries = 0;
    for (size_t i = 0; i < header->preds.size(); ++i) {
      Block* const pred = header->preds[i];
      if (ir::Dominates(header, pred)) {
        loop.back_edges.push_back(pred);
      } else {
        loop.entry = pred;
        loop.entry_edge = i;
        ++entries;
      }
    }
    if (entries != 1) continue;
    for (Block* const block : graph.order) {
      if (loop.Has(block)) loop.blocks.push_back(block);
    }
    loop.state = StateAtEntry(graph, loop);
    loops.push_back(std::move(loop));
  }
  std::ranges::stable_sort(loops, std::greater<>(),
                           [](const Loop& loop) { return loop.header->loop_depth; });
  return loops;
}

void CheckBefore(ir::Graph& graph, const Loop& loop, Node* check) {
  check->state = loop.state;
  check->trap = Trap::kSpeculation;
  graph.InsertLast(loop.entry, check);
}

}  // namespace yp::compiler
