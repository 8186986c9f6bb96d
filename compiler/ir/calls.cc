// How methods are entered, and calls of others.
#include "compiler/ir/body_builder.h"

namespace yp::compiler::ir {

namespace op = classfile::op;

void BodyBuilder::EnterMethod() {
  const bool is_inlined = entry_.caller != nullptr;
  if (is_inlined && yieldpoints_) {
    Node* const node = Add(Op::kYieldpoint, Kind::kDead);
    node->yield = YieldKind::kInlinedEntry;
    node->bits = method_.yieldpoint_id;
    node->call_site = entry_.call_site;
  }
  if (!method_.is_synchronized || method_.osr_bci) return;
  Node* const object =
      method_.is_static ? graph_.Object(body_.linkage->Holder()) : slots_.locals[0];
  slots_.locks = 1;
  Node* const node = Add(Op::kMonitorEnter, Kind::kDead, {object});
  node->bits = body_.first_lock;
  // The interpreter, if it takes over here, begins with the first instruction and holds it already.
  node->state = graph_.NewState(StateOf({}));
}

// Of a new object, not null. The VM's own return of java.lang.Object.<init> does it, where a class
// has a finalizer; few have.
void BodyBuilder::RegisterFinalizer(Node* object) {
  const auto add = [&] { Add(Op::kRegisterFinalizer, Kind::kDead, {object})->state = Before(); };
  if (object->op == Op::kNew) {
    if (object->link.has_finalizer) add();
    return;
  }
  Node* const found = Add(Op::kHasFinalizer, Kind::kInt, {object});
  Node* const end = graph_.NewNode(Op::kIf, Kind::kDead, {found, graph_.Int(0)});
  end->condition = Condition::kNotEqual;
  Block *const from = block_, *const with = graph_.NewBlock(), *const without = graph_.NewBlock(),
               *const next = graph_.NewBlock();
  End(end);
  for (Block* const way : {with, without}) {
    Graph::Connect(from, way);
    block_ = way;
    if (way == with) add();
    End(graph_.NewNode(Op::kGoto, Kind::kDead));
    Graph::Connect(way, next);
  }
  with->is_cold = true;
  block_ = next;
}

void BodyBuilder::FollowCall() {
  const uint32_t index = ConstantOperand(method_.bytes(), at_);
  const CallLink& call = *body_.linkage->Call(index, at_.opcode);
  const bool has_receiver = at_.opcode != op::kInvokestatic && at_.opcode != op::kInvokedynamic;
  const std::vector<Kind>& parameters = call.signature.parameters;
  std::vector<Node*> arguments(parameters.size() + (has_receiver ? 1 : 0));
  for (size_t i = arguments.size(); i-- > 0;) {
    const bool is_receiver = has_receiver && i == 0;
    arguments[i] = Pop(is_receiver ? Kind::kReference : parameters[i - (has_receiver ? 1 : 0)]);
  }
  if (has_receiver) {
    CheckNull(arguments[0]);
    if (call.receiver_class) {
      TrapUnless(Op::kCastCheck, {arguments[0]}, Trap::kInterpreter);
      TypeLink& link = block_->nodes.back()->link;
      link.klass = *call.receiver_class;
      link.super_check_offset = call.receiver_check_offset;
    }
  }
  if (FollowIntrinsic(call, arguments)) return;
  const auto inlined = body_.inlined.find(at_.bci);
  if (inlined != body_.inlined.end()) return Inline(call, arguments, inlined->second);
  const auto bound = body_.bound.find(at_.bci);
  const CallLink& called = bound == body_.bound.end() ? call : bound->second;
  Node* const result = Call(called, arguments, During());
  if (result->kind != Kind::kDead) Push(result);
}

// Where its exceptions are handled, the block ends with the call.
Node* BodyBuilder::Call(const CallLink& call, const std::vector<Node*>& arguments,
                        const State* during) {
  const bool is_caught = IsCaught();
  Node* const node =
      graph_.NewNode(is_caught ? Op::kTry : Op::kCall, call.signature.return_kind(), arguments);
  if (call.appendix) node->in.push_back(graph_.Object(*call.appendix));
  node->call = &call;
  node->state = during;
  if (yieldpoints_) node->call_site = body_.linkage->CallSite(at_.bci);
  Emit(node);
  if (!is_caught) return node;
  Block *const from = block_, *const next = graph_.NewBlock(), *const thrown = graph_.NewBlock();
  thrown->is_cold = true;
  next->is_cold = from->is_cold;
  Graph::Connect(from, next);
  Graph::Connect(from, thrown);
  block_ = thrown;
  Dispatch(Add(Op::kException, Kind::kReference));
  block_ = next;
  return node;
}

// As BASE does it: each callee behind its guard, and the call itself where no guard holds.
void BodyBuilder::Inline(const CallLink& call, const std::vector<Node*>& arguments,
                         const std::vector<InlinedCallee>& callees) {
  const State* const during = During();
  std::vector<Return> returns, throws;
  bool is_open = true;  // Whether there is a way on behind the callees so far.
  for (const InlinedCallee& callee : callees) {
    BodyEntry entry;
    entry.block = block_;
    Block* fails = nullptr;
    if (callee.guard.kind != GuardLink::Kind::kNone) {
      graph_.guarded.push_back(callee.guard.mirror);
      Block* const from = block_;
      Node* const guard = graph_.NewNode(Op::kGuard, Kind::kDead, {arguments[0]});
      guard->guard = &callee.guard;
      End(guard);
      entry.block = graph_.NewBlock();
      fails = graph_.NewBlock();
      Graph::Connect(from, entry.block);
      Graph::Connect(from, fails);
    }
    entry.caller = during;
    entry.call_site = yieldpoints_ ? body_.linkage->CallSite(at_.bci) : 0;
    entry.slots.locals.resize(callee.body->method->max_locals);
    uint32_t local = 0;
    for (Node* const argument : arguments) {
      entry.slots.locals[local] = argument;
      local += SlotsOf(argument->kind);
    }
    BodyBuilder builder(graph_, *callee.body, yieldpoints_, std::move(entry));
    if (!builder.Build()) failed_ = true;
    returns.insert(returns.end(), builder.returns().begin(), builder.returns().end());
    throws.insert(throws.end(), builder.throws().begin(), builder.throws().end());
    block_ = fails;
    is_open = fails != nullptr;
    if (!is_open) break;
  }
  if (is_open) {
    block_->is_cold = true;
    Node* const node = Call(call, arguments, during);
    returns.emplace_back(block_, node);
  }
  if (!throws.empty()) {
    Join(throws, Kind::kReference);
    Dispatch(PopAny());
  }
  Join(returns, call.signature.return_kind());
}

}  // namespace yp::compiler::ir
