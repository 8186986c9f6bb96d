#include "compiler/opt/loop_invariants.h"

#include <algorithm>

#include "compiler/opt/fold.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

bool MayMove(const Loop& loop, const Node& node, bool speculates) {
  if (!std::ranges::all_of(node.in, [&](const Node* in) { return loop.IsInvariant(in); })) {
    return false;
  }
  if (ir::IsCheck(node.op)) {
    const bool moves = node.op == Op::kNullCheck || node.op == Op::kBoundsCheck ||
                       node.op == Op::kLimitCheck || node.op == Op::kCastCheck;
    return moves && speculates && loop.IsInEachIteration(node.block);
  }
  if (!ir::IsPure(node.op)) return false;
  if (node.op == Op::kArrayLength || node.op == Op::kGetClass) {
    return loop.IsKnownNotToBeNull(node.in[0]);
  }
  // Which takes too long for a loop that may not come to it.
  if (node.op == Op::kLeafValue) return loop.IsInEachIteration(node.block);
  const bool divides = (node.op == Op::kDiv || node.op == Op::kRem) && !IsFloatingPoint(node.kind);
  return !divides || (ir::IsConstant(node.in[1]) && node.in[1]->bits != 0);
}

}  // namespace

size_t MoveInvariants(ir::Graph& graph, const Loop& loop, bool speculates) {
  size_t moved = 0;
  for (Block* const block : loop.blocks) {
    if (block->is_cold) continue;
    std::vector<Node*> kept;
    for (Node* const node : block->nodes) {
      if (!MayMove(loop, *node, speculates)) {
        kept.push_back(node);
        continue;
      }
      ++moved;
      if (ir::IsCheck(node->op)) {
        CheckBefore(graph, loop, node);
      } else {
        graph.InsertLast(loop.entry, node);
      }
    }
    block->nodes = std::move(kept);
  }
  return moved;
}

}  // namespace yp::compiler
