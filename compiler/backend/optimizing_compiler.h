#ifndef YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_H_
#define YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_H_

#include "base/status.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/inline/inline_tree.h"
#include "compiler/install/vm_layout.h"
#include "compiler/runtime/stubs.h"

namespace yp::compiler {

// OPT2: SSA form, optimizations, linear scan. Refuses, in words, what the caller then compiles at a
// lower level: loops with two entries, methods that are too large, and code with caller-indexed
// code targets.
Result<CompiledCode> CompileOptimized(const InlineTree& tree, const VmLayout& vm,
                                      const RuntimePlaces& places);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_H_
