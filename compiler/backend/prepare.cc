#include "compiler/backend/prepare.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/backend/constraints.h"

namespace yp::compiler {

using ir::Node;
using ir::Op;
using How = InputConstraint::How;

namespace {

// One or more where there are as many; a state that several nodes share may count for each.
std::vector<uint32_t> CountUses(const ir::Graph& graph) {
  std::vector<uint32_t> uses(graph.node_count());
  const auto use = [&uses](const Node* node) { ++uses[node->id]; };
  ir::StateVisitor states;
  for (const ir::Block* const block : graph.order) {
    for (const Node* const phi : block->phis) std::ranges::for_each(phi->in, use);
    for (const Node* const node : block->nodes) {
      std::ranges::for_each(node->in, use);
      for (const ir::State* const state : {node->state, node->state_before}) {
        states.Visit(state, use);
      }
    }
  }
  return uses;
}

// What only its block's branch asks for is no value: the branch finds it out.
void BranchOnTypes(const ir::Graph& graph) {
  const std::vector<uint32_t> uses = CountUses(graph);
  for (ir::Block* const block : graph.order) {
    Node& end = *block->end();
    if (end.op != Op::kIf) continue;
    Node* const test = end.in[0];
    const bool is_zero = ir::IsConstant(end.in[1]) && end.in[1]->bits == 0;
    const bool compares =
        end.condition == ir::Condition::kEqual || end.condition == ir::Condition::kNotEqual;
    if (test->op != Op::kInstanceOf || test->block != block || uses[test->id] != 1 || !is_zero ||
        !compares) {
      continue;
    }
    if (end.condition == ir::Condition::kEqual) std::swap(block->succs[0], block->succs[1]);
    end.op = Op::kIfInstance;
    end.link = test->link;
    end.in = test->in;
    std::erase(block->nodes, test);
  }
}

}  // namespace

void Prepare(ir::Graph& graph, const VmLayout& vm) {
  BranchOnTypes(graph);
  for (ir::Block* const block : graph.order) {
    std::vector<Node*> nodes;
    for (Node* const node : block->nodes) {
      const bool is_swapped =
          node->op == Op::kIf && ir::IsFree(node->in[0]) && !ir::IsFree(node->in[1]);
      if (is_swapped) {
        std::swap(node->in[0], node->in[1]);
        node->condition = ir::Swapped(node->condition);
      }
      const Constraints constraints = ConstraintsOf(*node, vm);
      // These are moved to their places as they are.
      const bool moves = ir::IsCall(node->op) || node->op == Op::kNewMulti;
      for (size_t i = 0; i < node->in.size(); ++i) {
        const InputConstraint& in = constraints.in[i];
        const bool takes_free = in.how == How::kNowhere || in.fixed != kNoRegister ||
                                (moves && in.how == How::kAnywhere);
        if (!ir::IsFree(node->in[i]) || takes_free) continue;
        Node* const copy = graph.NewNode(Op::kMaterialized, node->in[i]->kind, {node->in[i]});
        copy->block = block;
        nodes.push_back(copy);
        node->in[i] = copy;
      }
      nodes.push_back(node);
    }
    block->nodes = std::move(nodes);
  }
}

}  // namespace yp::compiler
