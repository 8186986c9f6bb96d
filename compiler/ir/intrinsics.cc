// Calls of methods that are a node or two.
#include "compiler/ir/body_builder.h"

namespace yp::compiler::ir {

// The receiver, if there is one, is not null.
bool BodyBuilder::FollowIntrinsic(const CallLink& call, const std::vector<Node*>& arguments) {
  using Kind_ = Intrinsic::Kind;
  const Intrinsic& intrinsic = call.intrinsic;
  const auto push = [&](Op op, Kind kind, Inputs in) {
    Node* const node = Add(op, kind, std::move(in));
    node->type = intrinsic.type;
    node->bits = intrinsic.is_volatile ? 1 : 0;
    if (kind != Kind::kDead) Push(node);
    return true;
  };
  // Of Unsafe's methods without the Unsafe.
  const std::vector<Node*> place(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  switch (intrinsic.kind) {
    case Kind_::kNone:
      return false;
    case Kind_::kLoad:
      return push(Op::kLoadPlace, KindOf(intrinsic.type), place);
    case Kind_::kStore:
      return push(Op::kStorePlace, Kind::kDead, place);
    case Kind_::kCompareAndSet:
      return push(Op::kCompareAndSet, Kind::kInt, place);
    case Kind_::kSquareRoot:
      return push(Op::kSquareRoot, Kind::kDouble, arguments);
    case Kind_::kAbsolute:
      return push(Op::kAbsolute, Kind::kDouble, arguments);
    case Kind_::kBits:
      return push(Op::kBits, KindOf(intrinsic.type), arguments);
    case Kind_::kGetClass:
      return push(Op::kGetClass, Kind::kReference, arguments);
    case Kind_::kIsInstance:
      return push(Op::kIsInstanceOf, Kind::kInt, arguments);
    case Kind_::kCurrentThread:
      return push(Op::kCurrentThread, Kind::kReference, {});
    case Kind_::kArrayCopy:
      CopyArray(call, arguments);
      return true;
    case Kind_::kRefersTo:
      CompareReferent(intrinsic.offset, arguments[0], arguments[1]);
      return true;
    case Kind_::kLeafCall:
      CallLeaf(call, arguments);
      return true;
  }
  return false;
}

// Where it cannot be copied as it is, the method itself does what it does then: it throws, or
// copies again what has been copied.
void BodyBuilder::CopyArray(const CallLink& call, const std::vector<Node*>& arguments) {
  const State* const during = During();
  Node* const left = Add(Op::kCopyArray, Kind::kInt, arguments);
  Node* const end = graph_.NewNode(Op::kIf, Kind::kDead, {left, graph_.Int(0)});
  end->condition = Condition::kNotEqual;
  Block *const from = block_, *const fails = graph_.NewBlock(), *const copied = graph_.NewBlock();
  End(end);
  fails->is_cold = true;
  Graph::Connect(from, fails);
  Graph::Connect(from, copied);
  block_ = fails;
  Call(call, arguments, during);
  Join({{block_, nullptr}, {copied, nullptr}}, Kind::kDead);
}

void BodyBuilder::CallLeaf(const CallLink& call, const std::vector<Node*>& arguments) {
  const Intrinsic& intrinsic = call.intrinsic;
  const LeafFunction& function = FunctionOf(intrinsic.leaf);
  const bool is_value = function.effect == LeafFunction::Effect::kValue;
  std::vector<Node*> in = arguments;
  if (function.takes_state) {
    in.push_back(LoadReference(in[0], intrinsic.offset));
    in.erase(in.begin());
  }
  Node* const node =
      Add(is_value ? Op::kLeafValue : Op::kLeafCall, call.signature.return_kind(), in);
  node->bits = static_cast<int64_t>(intrinsic.leaf);
  if (node->kind != Kind::kDead) Push(node);
}

Node* BodyBuilder::LoadReference(Node* object, int32_t offset) {
  Node* const load =
      Add(Op::kLoadPlace, Kind::kReference, {object, graph_.Constant(Kind::kLong, offset)});
  load->type = 'L';
  return load;
}

void BodyBuilder::CompareReferent(int32_t offset, Node* reference, Node* object) {
  Node* const referent = LoadReference(reference, offset);
  Block *const from = block_, *const same = graph_.NewBlock(), *const other = graph_.NewBlock();
  End(graph_.NewNode(Op::kIf, Kind::kDead, {referent, object}));  // Equal.
  Graph::Connect(from, same);
  Graph::Connect(from, other);
  Join({{same, graph_.Int(1)}, {other, graph_.Int(0)}}, Kind::kInt);
}

}  // namespace yp::compiler::ir
