#ifndef YP_COMPILER_OPT_LOOP_INVARIANTS_H_
#define YP_COMPILER_OPT_LOOP_INVARIANTS_H_

#include "compiler/opt/loops.h"

namespace yp::compiler {

// Moves what is the same in all iterations before the loop: values without effects, and, with
// `speculates`, checks that every iteration makes. Gives how many nodes it moved.
size_t MoveInvariants(ir::Graph& graph, const Loop& loop, bool speculates);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_LOOP_INVARIANTS_H_
