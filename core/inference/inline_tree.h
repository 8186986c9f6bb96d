#ifndef YP_CORE_INFERENCE_INLINE_TREE_H_
#define YP_CORE_INFERENCE_INLINE_TREE_H_

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace yp {

// What a compilation inlined. Node 0 is the compiled method itself, the root; every other node is
// the copy of a method that was inlined into its parent's. Parents come before their children; no
// two children of a node have the same bci and method.
struct InlineTree {
  struct Node {
    uint32_t parent = 0;   // Index in `nodes`; the root's says nothing.
    int32_t bci = kNoBci;  // Of the call, in the parent's method.
    MethodId method{};
  };
  std::vector<Node> nodes;
};

}  // namespace yp

#endif  // YP_CORE_INFERENCE_INLINE_TREE_H_
