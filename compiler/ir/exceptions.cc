// Exceptions of calls and athrow, and where the ways out of inlined callees join.
#include <algorithm>

#include "compiler/ir/body_builder.h"

namespace yp::compiler::ir {

bool BodyBuilder::IsCaught() const {
  const auto is_caught = [](const Body& body, uint32_t bci, uint32_t locks) {
    return locks > 0 || std::ranges::any_of(body.method->handlers, [bci](const Handler& handler) {
             return bci >= handler.start && bci < handler.end;
           });
  };
  if (is_caught(body_, at_.bci, slots_.locks)) return true;
  for (const State* caller = entry_.caller; caller != nullptr; caller = caller->caller) {
    if (is_caught(*caller->body, caller->bci, caller->locks)) return true;
  }
  return false;
}

// To the first handler that takes it, else to the caller. Where a handler's type is not resolved,
// or monitors are left, the interpreter takes over.
void BodyBuilder::Dispatch(Node* exception) {
  const std::vector<Node*> stack = std::exchange(slots_.stack, {exception});
  for (uint32_t i = 0; i < method_.handlers.size() && block_ != nullptr; ++i) {
    const Handler& handler = method_.handlers[i];
    if (at_.bci < handler.start || at_.bci >= handler.end) continue;
    const bool is_usable = body_.flow->CanEnter(handler, slots_.locks) &&
                           (handler.catches_all || body_.linkage->CaughtType(i).resolved);
    if (!is_usable) {
      RethrowInInterpreter(exception);
    } else if (handler.catches_all) {
      GoTo(block_, handler.target, true);
      block_ = nullptr;
    } else {
      Node* const is_instance = Add(Op::kInstanceOf, Kind::kInt, {exception});
      is_instance->link = body_.linkage->CaughtType(i);
      Node* const end = graph_.NewNode(Op::kIf, Kind::kDead, {is_instance, graph_.Int(0)});
      end->condition = Condition::kNotEqual;
      Block* const from = block_;
      End(end);
      GoTo(from, handler.target, false);
      block_ = graph_.NewBlock();
      Graph::Connect(from, block_);
    }
  }
  if (block_ != nullptr && slots_.locks > 0) RethrowInInterpreter(exception);
  if (block_ != nullptr && entry_.caller != nullptr) {
    throws_.emplace_back(block_, exception);
  } else if (block_ != nullptr) {
    End(graph_.NewNode(Op::kUnwind, Kind::kDead, {exception}));
  }
  block_ = nullptr;
  slots_.stack = stack;
}

void BodyBuilder::RethrowInInterpreter(Node* exception) {
  State state = StateOf({exception});
  state.rethrow = true;
  Node* const node = graph_.NewNode(Op::kTrap, Kind::kDead);
  node->trap = Trap::kInterpreter;
  node->state = graph_.NewState(std::move(state));
  End(node);
}

// Goes on with the value that the way has which was taken; nowhere where there is none.
void BodyBuilder::Join(const std::vector<Return>& ways, Kind kind) {
  block_ = nullptr;
  if (ways.empty()) return;
  block_ = ways[0].first;
  Node* value = ways[0].second;
  if (ways.size() > 1) {
    block_ = graph_.NewBlock();
    Node* const phi = graph_.NewNode(Op::kPhi, kind);
    for (const auto& [from, one] : ways) {
      Graph::Append(from, graph_.NewNode(Op::kGoto, Kind::kDead));
      Graph::Connect(from, block_);
      phi->in.push_back(one);
    }
    value = phi;
    if (kind != Kind::kDead) {
      phi->block = block_;
      block_->phis.push_back(phi);
    }
  }
  if (kind != Kind::kDead) Push(value);
}

}  // namespace yp::compiler::ir
