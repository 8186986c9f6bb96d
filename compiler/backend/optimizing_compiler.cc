#include "compiler/backend/optimizing_compiler.h"

#include "compiler/backend/code_emitter.h"
#include "compiler/backend/linear_scan.h"
#include "compiler/backend/prepare.h"
#include "compiler/ir/graph_builder.h"
#include "compiler/opt/optimize.h"

namespace yp::compiler {

Result<CompiledCode> CompileOptimized(const InlineTree& tree, const VmLayout& vm,
                                      const RuntimePlaces& places) {
  if (places.targets) return Status::Error("caller-indexed code targets");
  const auto graph = ir::BuildGraph(tree, places.yieldpoints.has_value());
  if (!graph) return graph.status();
  Optimize(**graph);
  Prepare(**graph, vm);
  const Result<Allocation> allocation = Allocation::Of(**graph, vm);
  if (!allocation) return allocation.status();
  return CodeEmitter(**graph, *allocation, vm, places).Run();
}

}  // namespace yp::compiler
