#ifndef YP_COMPILER_OPT_RANGE_CHECKS_H_
#define YP_COMPILER_OPT_RANGE_CHECKS_H_

#include "compiler/opt/loops.h"

namespace yp::compiler {

// In a loop that counts in steps of a constant up or down to a limit, replaces the checks of
// indices that are the counter, or it and a constant, by two checks before the loop: of the first
// index and of the last one. As C1 does it (Würthinger, Wimmer, Mössenböck: Array Bounds Check
// Elimination for the Java HotSpot Client Compiler, 2007). Gives how many checks went.
size_t MoveRangeChecks(ir::Graph& graph, Loop& loop);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_RANGE_CHECKS_H_
