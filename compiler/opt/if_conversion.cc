#include "compiler/opt/if_conversion.h"

#include <algorithm>
#include <utility>

namespace yp::compiler {

using ir::Block;
using ir::Condition;
using ir::Graph;
using ir::Node;
using ir::Op;

namespace {

// A way of the branch that leads to where both join, and at most computes one value for it.
bool OnlyComputes(const Block& way, const Node& value) {
  if (way.preds.size() != 1 || way.end()->op != Op::kGoto) return false;
  const size_t own = value.block == &way ? 1 : 0;
  return way.nodes.size() == own + 1;
}

bool IsInt(const Node& node, int64_t value) { return ir::IsConstant(&node) && node.bits == value; }

// -1 or 1, where the node is that much more than the other; else 0.
int64_t DistanceOf(const Node& node, const Node* other) {
  if (node.op != Op::kAdd || node.in[0] != other) return 0;
  return IsInt(*node.in[1], 1) || IsInt(*node.in[1], -1) ? node.in[1]->bits : 0;
}

class IfConversion {
 public:
  explicit IfConversion(Graph& graph) : graph_(graph) {}

  bool Convert(Block& block) {
    Node& end = *block.end();
    if (end.op != Op::kIf) return false;
    const bool asks_for_equal =
        end.condition == Condition::kEqual || end.condition == Condition::kNotEqual;
    // These take two flags of the processor: whether one is no number is another one.
    if (IsFloatingPoint(end.in[0]->kind) && asks_for_equal) return false;
    const Block &yes = *block.succs[0], &no = *block.succs[1];
    if (yes.succs.size() != 1 || no.succs != yes.succs) return false;
    Block& join = *yes.succs[0];
    if (join.preds.size() != 2 || join.phis.size() != 1) return false;
    Node& phi = *join.phis[0];
    if (phi.op != Op::kPhi || phi.kind != Kind::kInt) return false;
    const bool yes_is_first = join.preds[0] == &yes;
    Node *const if_yes = phi.in[yes_is_first ? 0 : 1], *const if_no = phi.in[yes_is_first ? 1 : 0];
    if (!OnlyComputes(yes, *if_yes) || !OnlyComputes(no, *if_no)) return false;
    Node* const value = Choose(block, if_yes, if_no);
    if (value == nullptr) return false;
    phi.same_as = value;
    end.op = Op::kGoto;
    end.in.clear();
    block.succs = {&join};
    join.preds = {&block};
    return true;
  }

 private:
  Node* Choose(Block& block, Node* if_yes, Node* if_no) {
    if (IsInt(*if_yes, 1) && IsInt(*if_no, 0)) return Asked(block, true);
    if (IsInt(*if_yes, 0) && IsInt(*if_no, 1)) return Asked(block, false);
    if (const int64_t by = DistanceOf(*if_yes, if_no); by != 0) {
      return Count(block, if_no, by, Asked(block, true));
    }
    if (const int64_t by = DistanceOf(*if_no, if_yes); by != 0) {
      return Count(block, if_yes, by, Asked(block, false));
    }
    return nullptr;
  }

  Node* Count(Block& block, Node* from, int64_t by, Node* asked) {
    Node* const sum = graph_.NewNode(by > 0 ? Op::kAdd : Op::kSub, Kind::kInt, {from, asked});
    Graph::InsertLast(&block, sum);
    return sum;
  }

  // 1 where the branch of the block would go that way, else 0.
  Node* Asked(Block& block, bool way) {
    const Node& end = *block.end();
    Node* const asked = graph_.NewNode(Op::kHolds, Kind::kInt, end.in);
    asked->condition = way ? end.condition : ir::Negated(end.condition);
    if (IsFloatingPoint(end.in[0]->kind)) {
      asked->nan_holds = end.nan_holds == way;
      const bool is_less =
          asked->condition == Condition::kLess || asked->condition == Condition::kLessOrEqual;
      if (is_less != asked->nan_holds) {
        std::swap(asked->in[0], asked->in[1]);
        asked->condition = ir::Swapped(asked->condition);
      }
    }
    Graph::InsertLast(&block, asked);
    return asked;
  }

  Graph& graph_;
};

}  // namespace

size_t ConvertIfs(Graph& graph) {
  IfConversion conversion(graph);
  return static_cast<size_t>(
      std::ranges::count_if(graph.order, [&](Block* block) { return conversion.Convert(*block); }));
}

}  // namespace yp::compiler
