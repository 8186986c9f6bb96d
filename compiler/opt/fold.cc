#include "compiler/opt/fold.h"

#include <algorithm>
#include <bit>

namespace yp::compiler {

using ir::Block;
using ir::Condition;
using ir::Graph;
using ir::Holds;
using ir::IsConstant;
using ir::Node;
using ir::Op;

namespace {

bool IsCommutative(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kAnd || op == Op::kOr || op == Op::kXor;
}

bool IsBinary(Op op) { return op >= Op::kAdd && op <= Op::kXor && op != Op::kNeg; }

Node* FoldBinary(Graph& graph, Node& node) {
  const Kind kind = node.kind;
  if (kind == Kind::kVector) return nullptr;
  if (IsCommutative(node.op) && IsConstant(node.in[0])) std::swap(node.in[0], node.in[1]);
  if (IsFloatingPoint(kind) || !IsConstant(node.in[1])) {
    const bool is_none = node.op == Op::kSub || node.op == Op::kXor;
    const bool is_same = node.in[0] == node.in[1] && !IsFloatingPoint(kind);
    return is_none && is_same ? graph.Constant(kind, 0) : nullptr;
  }
  const int64_t right = node.in[1]->bits;
  if (IsConstant(node.in[0])) {
    const bool divides = node.op == Op::kDiv || node.op == Op::kRem;
    if (divides && right == 0) return nullptr;  // Behind a check that does not pass.
    return graph.Constant(kind, Evaluate(node.op, kind, node.in[0]->bits, right));
  }
  switch (node.op) {
    case Op::kSub:
      node.op = Op::kAdd;
      node.in[1] = graph.Constant(kind, Evaluate(Op::kSub, kind, 0, right));
      return FoldBinary(graph, node);
    case Op::kAdd: {
      const Node& left = *node.in[0];
      if (right == 0) return node.in[0];
      if (left.op == Op::kAdd && IsConstant(left.in[1])) {
        node.in[1] = graph.Constant(kind, Evaluate(Op::kAdd, kind, left.in[1]->bits, right));
        node.in[0] = left.in[0];
        return FoldBinary(graph, node);
      }
      return nullptr;
    }
    case Op::kOr:
    case Op::kXor:
      return right == 0 ? node.in[0] : nullptr;
    case Op::kShl:
    case Op::kShr:
    case Op::kUshr:
      return (right & (kind == Kind::kLong ? 63 : 31)) == 0 ? node.in[0] : nullptr;
    case Op::kAnd:
      if (right == -1) return node.in[0];
      return right == 0 ? node.in[1] : nullptr;
    case Op::kMul:
      if (right == 1) return node.in[0];
      if (right == 0) return node.in[1];
      if (right > 0 && std::has_single_bit(static_cast<uint64_t>(right))) {
        node.op = Op::kShl;
        node.in[1] = graph.Int(std::countr_zero(static_cast<uint64_t>(right)));
      }
      return nullptr;
    case Op::kDiv:
      return right == 1 ? node.in[0] : nullptr;
    default:
      return nullptr;
  }
}

int64_t Narrowed(char type, int64_t value) {
  switch (type) {
    case 'B':
      return static_cast<int8_t>(value);
    case 'C':
      return static_cast<uint16_t>(value);
    case 'S':
      return static_cast<int16_t>(value);
    default:
      return value & 1;
  }
}

Node* FoldNarrow(Graph& graph, const Node& node) {
  Node* const value = node.in[0];
  if (IsConstant(value)) return graph.Int(static_cast<int32_t>(Narrowed(node.type, value->bits)));
  // What a method returns that says true in one place, and false in another.
  const auto stays = [&node](const Node* in) {
    return IsConstant(in) && Narrowed(node.type, in->bits) == in->bits;
  };
  return value->op == Op::kPhi && std::ranges::all_of(value->in, stays) ? value : nullptr;
}

}  // namespace

int64_t Evaluate(Op op, Kind kind, int64_t left, int64_t right) {
  const bool is_int = kind == Kind::kInt;
  const auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
  const uint64_t count = b & (is_int ? 31 : 63);
  const auto narrow = [is_int](uint64_t value) {
    return is_int ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
  };
  switch (op) {
    case Op::kAdd:
      return narrow(a + b);
    case Op::kSub:
      return narrow(a - b);
    case Op::kMul:
      return narrow(a * b);
    case Op::kDiv:
      return right == -1 ? narrow(0 - a) : narrow(static_cast<uint64_t>(left / right));
    case Op::kRem:
      return right == -1 ? 0 : left % right;
    case Op::kShl:
      return narrow(a << count);
    case Op::kShr:
      return left >> count;
    case Op::kUshr:
      return narrow(is_int ? (a & UINT32_MAX) >> count : a >> count);
    case Op::kAnd:
      return left & right;
    case Op::kOr:
      return left | right;
    default:
      return left ^ right;
  }
}

Node* Fold(Graph& graph, Node& node) {
  if (IsBinary(node.op)) return FoldBinary(graph, node);
  switch (node.op) {
    case Op::kNeg:
      if (!IsConstant(node.in[0]) || IsFloatingPoint(node.kind)) return nullptr;
      return graph.Constant(node.kind, Evaluate(Op::kSub, node.kind, 0, node.in[0]->bits));
    case Op::kConvert:
      if (!IsConstant(node.in[0]) || IsFloatingPoint(node.kind) ||
          IsFloatingPoint(node.in[0]->kind)) {
        return nullptr;
      }
      return graph.Constant(node.kind, node.in[0]->bits);
    case Op::kNarrow:
      return FoldNarrow(graph, node);
    case Op::kArrayLength:
      if (node.in[0]->op == Op::kObject && node.in[0]->bits > 0) {
        return graph.Int(static_cast<int32_t>(node.in[0]->bits - 1));
      }
      return node.in[0]->op == Op::kNewArray ? node.in[0]->in[0] : nullptr;
    case Op::kInstanceOf:
      return IsConstant(node.in[0]) ? graph.Int(0) : nullptr;
    case Op::kHolds: {
      const bool is_zero = IsConstant(node.in[1]) && node.in[1]->bits == 0;
      const bool is_same = node.in[0]->op == Op::kInstanceOf || node.in[0]->op == Op::kHolds;
      return is_zero && is_same && node.condition == Condition::kNotEqual ? node.in[0] : nullptr;
    }
    case Op::kIf: {
      Node& compared = *node.in[0];
      const bool is_zero = IsConstant(node.in[1]) && node.in[1]->bits == 0;
      if (compared.op != Op::kCompare || !is_zero) return nullptr;
      node.nan_holds = Holds(node.condition, compared.type == 'G' ? 1 : -1, 0);
      node.in = compared.in;
      return nullptr;
    }
    default:
      return nullptr;
  }
}

bool AlwaysPasses(const Node& check) {
  if (check.in.empty()) return false;
  const Node& value = *check.in[0];
  switch (check.op) {
    case Op::kNullCheck:
      return ir::IsNeverNull(value);
    case Op::kZeroCheck:
      return IsConstant(&value) && value.bits != 0;
    case Op::kNegativeCheck:
      return (IsConstant(&value) && value.bits >= 0) || value.op == Op::kArrayLength;
    case Op::kCastCheck:
      return IsConstant(&value);
    case Op::kStoreCheck:
      return IsConstant(check.in[1]);
    case Op::kBoundsCheck:
      return IsConstant(&value) && IsConstant(check.in[1]) && value.bits >= 0 &&
             value.bits < check.in[1]->bits;
    case Op::kLimitCheck:
      return &value == check.in[1] ||
             (IsConstant(&value) && IsConstant(check.in[1]) && value.bits <= check.in[1]->bits);
    default:
      return false;
  }
}

std::optional<size_t> WayOf(const Node& end, const Node& value) {
  if (end.op == Op::kSwitch && IsConstant(&value)) {
    const auto found = std::ranges::find(end.cases, value.bits,
                                         [](const auto& one) { return int64_t{one.first}; });
    return found == end.cases.end() ? end.block->succs.size() - 1 : found->second;
  }
  if (end.op != Op::kIf || !IsConstant(end.in[1]) || IsFloatingPoint(value.kind)) {
    return std::nullopt;
  }
  if (IsConstant(&value)) return Holds(end.condition, value.bits, end.in[1]->bits) ? 0 : 1;
  if (value.kind != Kind::kReference || !ir::IsNeverNull(value)) return std::nullopt;
  return end.condition == Condition::kNotEqual ? 0 : 1;
}

bool FoldBranches(Graph& graph) {
  bool changed = false;
  for (Block* const block : graph.order) {
    Node& end = *block->end();
    if (end.op != Op::kIf && end.op != Op::kSwitch) continue;
    const std::optional<size_t> kept = WayOf(end, *end.in[0]);
    if (!kept) continue;
    Block* const to = block->succs[*kept];
    for (Block* const succ : block->succs) {
      if (succ != to) std::erase(succ->preds, block);  // Its only one: no edge is critical.
    }
    block->succs = {to};
    end.op = Op::kGoto;
    end.in.clear();
    end.cases.clear();
    changed = true;
  }
  return changed;
}

}  // namespace yp::compiler
