#include "compiler/baseline/base_compiler.h"

#include "compiler/baseline/emitter.h"

namespace yp::compiler {

Result<CompiledCode> CompileBase(const Method& method, Linkage& linkage, const VmLayout& vm,
                                 const RuntimePlaces& places) {
  const Result<TypeFlow> flow = TypeFlow::Analyze(method, linkage);
  if (!flow) return flow.status();
  return Emitter(method, *flow, linkage, vm, places).Run();
}

}  // namespace yp::compiler
