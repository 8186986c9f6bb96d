#ifndef YP_COMPILER_OPT_THREAD_JUMPS_H_
#define YP_COMPILER_OPT_THREAD_JUMPS_H_

#include <cstddef>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Jump threading. Where a block does nothing but branch on a phi, and what comes from a predecessor
// says which way that goes, the predecessor jumps there. Inlined methods that return true or false
// (`isEmpty`, `equals`) leave such blocks. Of a graph as NumberValues leaves it; gives how many
// jumps it has changed: if any, the graph has to be analyzed again.
size_t ThreadJumps(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_THREAD_JUMPS_H_
