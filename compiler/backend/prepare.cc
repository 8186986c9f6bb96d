#include "compiler/backend/prepare.h"

#include "compiler/backend/constraints.h"

namespace yp::compiler {

using ir::Node;
using ir::Op;
using How = InputConstraint::How;

void Prepare(ir::Graph& graph, const VmLayout& vm) {
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
