#include "compiler/opt/range_checks.h"

#include <algorithm>
#include <optional>

#include "compiler/opt/counter.h"
#include "compiler/opt/fold.h"
#include "compiler/opt/index.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

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
    const int64_t open = counter_.is_open() ? (goes_up ? -1 : 1) : 0;
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
  const std::optional<Counter> counter = CounterOf(loop);
  return counter ? Mover(graph, loop, *counter).Run() : 0;
}

}  // namespace yp::compiler
