#ifndef YP_COMPILER_OPT_DEAD_CODE_H_
#define YP_COMPILER_OPT_DEAD_CODE_H_

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Removes values that nothing uses, phis in circles too. Gives how many.
size_t RemoveDeadCode(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_DEAD_CODE_H_
