#ifndef YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_FOR_TEST_H_
#define YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_FOR_TEST_H_

#include "compiler/backend/optimizing_compiler.h"
#include "compiler/baseline/running_code_for_test.h"

namespace yp::compiler {

// At OPT2, with nothing inlined.
inline Result<CompiledCode> CompileOptimizedForTest(const Method& method, Linkage& linkage,
                                                    const VmLayout& vm,
                                                    const RuntimePlaces& places) {
  const Result<InlineTree> tree = PlanInlining(method, linkage, nullptr);
  if (!tree) return tree.status();
  return CompileOptimized(*tree, vm, places);
}

// A resolved call of a method that is an intrinsic.
inline CallLink LinkOf(const char* descriptor, const Intrinsic& intrinsic) {
  CallLink call;
  call.signature = *Signature::Parse(descriptor);
  call.resolved = true;
  call.intrinsic = intrinsic;
  return call;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_OPTIMIZING_COMPILER_FOR_TEST_H_
