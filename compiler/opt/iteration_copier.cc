#include "compiler/opt/iteration_copier.h"

#include <utility>
#include <vector>

namespace yp::compiler {

using ir::Node;
using ir::State;

void IterationCopier::Set(const Node* value, Node* now) {
  now_[value] = now;
  states_.clear();
}

Node* IterationCopier::Now(Node* value) const {
  value = ir::Resolve(value);
  const auto found = now_.find(value);
  return found == now_.end() ? value : found->second;
}

void IterationCopier::Copy(const Node& node) {
  Node* const copy = graph_.NewNode(node.op, node.kind);
  const uint32_t id = copy->id;
  *copy = node;
  copy->id = id;
  for (Node*& in : copy->in) in = Now(in);
  copy->state = Now(node.state);
  copy->state_before = Now(node.state_before);
  Append(copy);
  if (node.kind != Kind::kDead) Set(&node, copy);
}

const State* IterationCopier::Now(const State* state) {
  if (state == nullptr) return nullptr;
  const auto known = states_.find(state);
  if (known != states_.end()) return known->second;
  State copy = *state;
  for (std::vector<Node*>* const values : {&copy.locals, &copy.stack}) {
    for (Node*& value : *values) value = Now(value);
  }
  copy.caller = Now(state->caller);
  return states_[state] = graph_.NewState(std::move(copy));
}

}  // namespace yp::compiler
