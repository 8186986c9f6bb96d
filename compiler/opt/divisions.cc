#include "compiler/opt/divisions.h"

#include <bit>
#include <utility>
#include <vector>

namespace yp::compiler {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Op;

namespace {

// Makes the nodes of a block anew.
class Reducer {
 public:
  Reducer(Graph& graph, Block& block) : graph_(graph), block_(block) {}

  size_t Run() {
    size_t reduced = 0;
    for (Node* const node : block_.nodes) {
      if (!IsReducible(*node)) {
        kept_.push_back(node);
        continue;
      }
      node->same_as = Reduced(*node);
      ++reduced;
    }
    block_.nodes = std::move(kept_);
    return reduced;
  }

 private:
  static bool IsReducible(const Node& node) {
    const bool divides = node.op == Op::kDiv || node.op == Op::kRem;
    if (!divides || IsFloatingPoint(node.kind)) return false;
    const Node* const by = ir::Resolve(node.in[1]);
    return ir::IsConstant(by) && by->bits != 0;
  }

  Node* Reduced(const Node& node) {
    kind_ = node.kind;
    Node* const n = ir::Resolve(node.in[0]);
    const int64_t d = ir::Resolve(node.in[1])->bits;
    Node* const quotient = Quotient(n, d);
    if (node.op == Op::kDiv) return quotient;
    return Add(Op::kSub, n, Add(Op::kMul, quotient, graph_.Constant(kind_, d)));
  }

  Node* Quotient(Node* n, int64_t d) {
    // Of the smallest long as well.
    const uint64_t size = d < 0 ? 0 - static_cast<uint64_t>(d) : static_cast<uint64_t>(d);
    Node* quotient = n;
    if (std::has_single_bit(size)) {
      if (size > 1) quotient = ShiftedQuotient(n, static_cast<int32_t>(std::countr_zero(size)));
    } else if (kind_ == Kind::kInt) {
      quotient = MultipliedQuotient(n, Reciprocal::Of(static_cast<int32_t>(size)));
    } else {
      quotient = MultipliedQuotient(n, LongReciprocal::Of(static_cast<int64_t>(size)));
    }
    return d < 0 ? AddOf(Op::kNeg, kind_, {quotient}) : quotient;
  }

  int32_t BitsOfKind() const { return kind_ == Kind::kInt ? 32 : 64; }

  // Towards zero: of a negative number 2^bits - 1 more is shifted.
  Node* ShiftedQuotient(Node* n, int32_t bits) {
    Node* const rounding = Add(Op::kUshr, Sign(n), graph_.Int(BitsOfKind() - bits));
    return Add(Op::kShr, Add(Op::kAdd, n, rounding), graph_.Int(bits));
  }

  Node* MultipliedQuotient(Node* n, const Reciprocal& by) {
    Node* const wide = AddOf(Op::kConvert, Kind::kLong, {n});
    Node* const product =
        AddOf(Op::kMul, Kind::kLong, {wide, graph_.Constant(Kind::kLong, by.multiplier)});
    Node* const shifted = AddOf(Op::kShr, Kind::kLong, {product, graph_.Int(by.shift)});
    return Add(Op::kSub, AddOf(Op::kConvert, Kind::kInt, {shifted}), Sign(n));
  }

  Node* MultipliedQuotient(Node* n, const LongReciprocal& by) {
    Node* high = Add(Op::kMultiplyHigh, graph_.Constant(Kind::kLong, by.multiplier), n);
    if (by.adds) high = Add(Op::kAdd, high, n);
    return Add(Op::kSub, Add(Op::kShr, high, graph_.Int(by.shift)), Sign(n));
  }

  // -1 of a negative number, else 0.
  Node* Sign(Node* n) { return Add(Op::kShr, n, graph_.Int(BitsOfKind() - 1)); }
  Node* Add(Op op, Node* left, Node* right) { return AddOf(op, kind_, {left, right}); }
  Node* AddOf(Op op, Kind kind, ir::Inputs in) {
    Node* const node = graph_.NewNode(op, kind, std::move(in));
    node->block = &block_;
    kept_.push_back(node);
    return node;
  }

  Graph& graph_;
  Block& block_;
  Kind kind_ = Kind::kInt;  // Of what is divided.
  std::vector<Node*> kept_;
};

}  // namespace

Reciprocal Reciprocal::Of(int32_t d) {
  const auto size = static_cast<uint64_t>(d);
  const int32_t shift = 31 + static_cast<int32_t>(std::bit_width(size));  // 31 + ceil(log2(d))
  return {static_cast<int64_t>((uint64_t{1} << shift) / size + 1), shift};
}

LongReciprocal LongReciprocal::Of(int64_t d) {
  __extension__ using Wide = unsigned __int128;
  const auto size = static_cast<Wide>(d);
  for (int32_t shift = 0;; ++shift) {
    const Wide power = Wide{1} << (64 + shift);
    const Wide multiplier = power / size + 1;
    if (multiplier * size - power > Wide{1} << (shift + 1)) continue;
    return {static_cast<int64_t>(static_cast<uint64_t>(multiplier)), shift,
            multiplier > static_cast<Wide>(INT64_MAX)};
  }
}

size_t ReduceDivisions(Graph& graph) {
  size_t reduced = 0;
  for (Block* const block : graph.order) reduced += Reducer(graph, *block).Run();
  return reduced;
}

}  // namespace yp::compiler
