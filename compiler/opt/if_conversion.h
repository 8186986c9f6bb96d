#ifndef YP_COMPILER_OPT_IF_CONVERSION_H_
#define YP_COMPILER_OPT_IF_CONVERSION_H_

#include <cstddef>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// If-conversion. Where the ways of a branch do nothing but choose between 1 and 0, or count one
// more or one less (`if (x <= 1) n++`), what the branch asks becomes a value, and there is no
// branch that the processor may predict wrongly. Of a graph as NumberValues leaves it; gives how
// many branches it has changed: if any, the graph has to be analyzed and simplified again.
size_t ConvertIfs(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_IF_CONVERSION_H_
