#ifndef YP_COMPILER_OPT_LOCK_COARSENING_H_
#define YP_COMPILER_OPT_LOCK_COARSENING_H_

#include <cstddef>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Where a synchronized method that is inlined leaves its monitor, and another one enters the same
// monitor next on every way from there and to there, the monitor is kept instead. So two calls that
// follow each other lock once, and what the first one has read is known in the second.
//
// - Between them may be values only: nothing that other threads see, and no place where code can be
//   left. The frames' states therefore say at each place what is locked there.
// - Both have the same of the frame's monitors, as callees of one method have: the object and its
//   BasicLock stay where they are.
// - A loop's back edge is no such way: another thread gets the monitor between iterations.
//
// Gives how many entries are gone.
size_t CoarsenLocks(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_LOCK_COARSENING_H_
