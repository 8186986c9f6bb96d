#include "compiler/opt/range_checks.h"

#include <algorithm>
#include <optional>

#include "compiler/opt/fold.h"
#include "compiler/opt/index.h"

namespace yp::compiler {

using ir::Block;
using ir::Condition;
using ir::Node;
using ir::Op;

namespace {

// While the body runs: going up first <= counter and counter + closed <= limit, going down the
// reverse.
struct Counter {
  Node* phi = nullptr;
  Node* first = nullptr;
  Node* limit = nullptr;
  int64_t step = 0;
  bool is_open = false;  // The counter is never the limit itself.
  const Block* body = nullptr;
};

// The same step on each way around; 0: it is no counter.
int64_t StepOf(const Loop& loop, const Node& phi) {
  int64_t step = 0;
  for (size_t i = 0; i < phi.in.size(); ++i) {
    if (i == loop.entry_edge) continue;
    const Index next = IndexOf(phi.in[i]);
    if (next.base != &phi || next.added == 0 || (step != 0 && step != next.added)) return 0;
    step = next.added;
  }
  return step;
}

// The header's branch leaves the loop at the limit.
std::optional<Counter> FindCounter(const Loop& loop) {
  const Node& end = *loop.header->end();
  if (end.op != Op::kIf || end.in[0]->kind != Kind::kInt) return std::nullopt;
  const bool first_stays = loop.Has(loop.header->succs[0]);
  if (first_stays == loop.Has(loop.header->succs[1])) return std::nullopt;
  Condition condition = first_stays ? end.condition : ir::Negated(end.condition);
  Node *left = end.in[0], *right = end.in[1];
  if (loop.IsInvariant(left)) {
    std::swap(left, right);
    condition = ir::Swapped(condition);
  }
  if (left->op != Op::kPhi || left->block != loop.header || !loop.IsInvariant(right)) {
    return std::nullopt;
  }
  Counter counter{left,  left->in[loop.entry_edge],
                  right, StepOf(loop, *left),
                  false, loop.header->succs[first_stays ? 0 : 1]};
  counter.is_open = condition == Condition::kLess || condition == Condition::kGreater;
  const bool goes_up = condition == Condition::kLess || condition == Condition::kLessOrEqual;
  const bool goes_down =
      condition == Condition::kGreater || condition == Condition::kGreaterOrEqual;
  if ((goes_up && counter.step > 0) || (goes_down && counter.step < 0)) return counter;
  return std::nullopt;
}

class Mover {
 public:
  Mover(ir::Graph& graph, Loop& loop, const Counter& counter)
      : graph_(graph), loop_(loop), counter_(counter) {}

  size_t Run() {
    size_t gone = 0;
    for (Block* const block : loop_.blocks) {
      if (!ir::Dominates(counter_.body, block)) continue;
      gone += std::erase_if(block->nodes, [&](Node* node) {
        return node->op == Op::kBoundsCheck && loop_.IsInEachIteration(block) && Moves(*node);
      });
    }
    return gone;
  }

 private:
  bool Moves(const Node& check) {
    const Index index = IndexOf(check.in[0]);
    if (index.base != counter_.phi || !loop_.IsInvariant(check.in[1])) return false;
    const bool goes_up = counter_.step > 0;
    const int64_t open = counter_.is_open ? (goes_up ? -1 : 1) : 0;
    Node* const first = Sum(counter_.first, index.added);
    Node* const last = Sum(counter_.limit, index.added + open);
    // 0 <= least index, greatest index <= length - 1
    Require(graph_.Constant(Kind::kLong, 0), goes_up ? first : last);
    Require(goes_up ? last : first, Sum(check.in[1], -1));
    // The counter does not wrap when it is counted on at the limit.
    const int64_t beyond = counter_.step + open;
    if (beyond > 0) {
      Require(Sum(counter_.limit, beyond), graph_.Constant(Kind::kLong, INT32_MAX));
    } else if (beyond < 0) {
      Require(graph_.Constant(Kind::kLong, INT32_MIN), Sum(counter_.limit, beyond));
    }
    loop_.checked.push_back({counter_.phi, index.added, check.in[1]});
    return true;
  }

  // As a long, so that nothing wraps.
  Node* Sum(Node* value, int64_t added) {
    if (ir::IsConstant(value)) return graph_.Constant(Kind::kLong, value->bits + added);
    Node* const wide = graph_.NewNode(Op::kConvert, Kind::kLong, {value});
    graph_.InsertLast(loop_.entry, wide);
    if (added == 0) return wide;
    Node* const sum =
        graph_.NewNode(Op::kAdd, Kind::kLong, {wide, graph_.Constant(Kind::kLong, added)});
    graph_.InsertLast(loop_.entry, sum);
    return sum;
  }

  void Require(Node* less, Node* greater) {
    Node* const check = graph_.NewNode(Op::kLimitCheck, Kind::kDead, {less, greater});
    if (!AlwaysPasses(*check)) CheckBefore(graph_, loop_, check);
  }

  ir::Graph& graph_;
  Loop& loop_;
  const Counter& counter_;
};

}  // namespace

size_t MoveRangeChecks(ir::Graph& graph, Loop& loop) {
  const std::optional<Counter> counter = FindCounter(loop);
  return counter ? Mover(graph, loop, *counter).Run() : 0;
}

}  // namespace yp::compiler
