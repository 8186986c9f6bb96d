#include "compiler/baseline/base_compiler.h"

#include "compiler/baseline/emitter.h"

namespace yp::compiler {

Result<CompiledCode> CompileBase(const Method& method, Linkage& linkage, const VmLayout& vm,
                                 const RuntimePlaces& places) {
  const Result<InlineTree> tree = PlanInlining(method, linkage, nullptr);
  if (!tree) return tree.status();
  return Compile(*tree, vm, places);
}

Result<CompiledCode> Compile(const InlineTree& tree, const VmLayout& vm,
                             const RuntimePlaces& places) {
  return Emitter(tree, vm, places).Run();
}

}  // namespace yp::compiler
