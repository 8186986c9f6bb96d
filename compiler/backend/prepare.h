#ifndef YP_COMPILER_BACKEND_PREPARE_H_
#define YP_COMPILER_BACKEND_PREPARE_H_

#include "compiler/install/vm_layout.h"
#include "compiler/ir/graph.h"

namespace yp::compiler {

// Puts constants and objects in registers where instructions cannot have them in them, right before
// each, so that none takes a register for long. A branch on a type test asks for the type itself.
void Prepare(ir::Graph& graph, const VmLayout& vm);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_PREPARE_H_
