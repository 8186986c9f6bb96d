#ifndef YP_COMPILER_OPT_OPTIMIZE_H_
#define YP_COMPILER_OPT_OPTIMIZE_H_

#include "compiler/ir/graph.h"

namespace yp::compiler {

// All passes, in the order in which one helps the next. The graph is analyzed before and after.
void Optimize(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_OPTIMIZE_H_
