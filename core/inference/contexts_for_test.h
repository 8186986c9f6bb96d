#ifndef YP_CORE_INFERENCE_CONTEXTS_FOR_TEST_H_
#define YP_CORE_INFERENCE_CONTEXTS_FOR_TEST_H_

#include <initializer_list>

#include "core/graph/cct.h"

namespace yp {

// Methods of a program.
inline constexpr MethodId kMain{0}, kA{1}, kB{2}, kC{3}, kLeaf{4};

// Calls at bytecode index 1 from each method to the next, starting with a thread's first.
inline ContextId Chain(CallingContextTree& tree, std::initializer_list<MethodId> methods) {
  ContextId context = kRootContext;
  for (const MethodId method : methods) {
    context = tree.Child(context, context == kRootContext ? kNoBci : 1, method);
  }
  return context;
}

}  // namespace yp

#endif  // YP_CORE_INFERENCE_CONTEXTS_FOR_TEST_H_
