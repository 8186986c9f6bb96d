#include "compiler/opt/dead_code.h"

#include <vector>

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

// Whether it is there for its value only.
bool IsValueOnly(const Node& node) {
  if (node.op == Op::kLoadField) return !node.field->is_volatile;
  return ir::IsPure(node.op) || node.op == Op::kPhi || node.op == Op::kLoadElement ||
         node.op == Op::kOsrLocal;
}

}  // namespace

size_t RemoveDeadCode(ir::Graph& graph) {
  std::vector<bool> used(graph.node_count());
  std::vector<Node*> work;
  const auto use = [&](Node* node) {
    if (used[node->id]) return;
    used[node->id] = true;
    work.push_back(node);
  };
  for (const Block* const block : graph.order) {
    for (Node* const phi : block->phis) {
      if (!IsValueOnly(*phi)) use(phi);
    }
    for (Node* const node : block->nodes) {
      if (!IsValueOnly(*node)) use(node);
    }
    // What is moved out of a loop later has the state at its start.
    if (block->is_header()) ir::VisitState(block->entry_state, use);
  }
  ir::StateVisitor states;
  while (!work.empty()) {
    const Node& node = *work.back();
    work.pop_back();
    for (Node* const in : node.in) use(in);
    for (const ir::State* const state : {node.state, node.state_before}) {
      states.Visit(state, use);
    }
  }
  size_t gone = 0;
  const auto is_unused = [&](const Node* node) { return !used[node->id]; };
  for (Block* const block : graph.order) {
    gone += std::erase_if(block->phis, is_unused) + std::erase_if(block->nodes, is_unused);
  }
  return gone;
}

}  // namespace yp::compiler
