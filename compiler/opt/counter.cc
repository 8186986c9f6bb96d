#include "compiler/opt/counter.h"

#include <utility>

#include "compiler/opt/index.h"

namespace yp::compiler {

using ir::Condition;
using ir::Node;
using ir::Op;

namespace {

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

}  // namespace

std::optional<Counter> CounterOf(const Loop& loop) {
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
  const Counter counter{left,      left->in[loop.entry_edge],
                        right,     StepOf(loop, *left),
                        condition, loop.header->succs[first_stays ? 0 : 1]};
  const bool goes_up = condition == Condition::kLess || condition == Condition::kLessOrEqual;
  const bool goes_down =
      condition == Condition::kGreater || condition == Condition::kGreaterOrEqual;
  if ((goes_up && counter.step > 0) || (goes_down && counter.step < 0)) return counter;
  return std::nullopt;
}

}  // namespace yp::compiler
