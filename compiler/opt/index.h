#ifndef YP_COMPILER_OPT_INDEX_H_
#define YP_COMPILER_OPT_INDEX_H_

#include <cstdint>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// An int as a value and a constant that is added to it, which wraps. Of a constant there is no
// value.
struct Index {
  const ir::Node* base = nullptr;
  int32_t added = 0;

  bool operator==(const Index&) const = default;
  Index Plus(int32_t more) const {
    return {base, static_cast<int32_t>(static_cast<uint32_t>(added) + static_cast<uint32_t>(more))};
  }
};

inline Index IndexOf(const ir::Node* node) {
  const auto bits = [](const ir::Node* constant) { return static_cast<int32_t>(constant->bits); };
  if (ir::IsConstant(node)) return {nullptr, bits(node)};
  const bool adds = node->op == ir::Op::kAdd && ir::IsConstant(node->in[1]);
  if (adds) return {node->in[0], bits(node->in[1])};
  return {node, 0};
}

inline bool AreNeverEqual(const Index& a, const Index& b) {
  return a.base == b.base && a.added != b.added;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_INDEX_H_
