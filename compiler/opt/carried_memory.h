#ifndef YP_COMPILER_OPT_CARRIED_MEMORY_H_
#define YP_COMPILER_OPT_CARRIED_MEMORY_H_

#include <vector>

#include "compiler/opt/known_memory.h"
#include "compiler/opt/loops.h"

namespace yp::compiler {

// What an iteration stores and the next one loads comes to that in a phi of the loop's header, so
// that it needs not wait for the memory: fields of objects that the loop does not change, and
// elements of arrays at indices that count (a[i - 1] behind a[i] = x). The stores stay where they
// are: memory holds at each trap, call, poll and way out what it would hold without.
//
// - A place is known at the header where the end of each way around has stored it, and nothing that
//   may change it, in the terms of KnownMemory, lies behind that. Only what this thread has itself
//   stored is carried: a loop that waits for another thread's store sees it.
// - The first iteration's value is known in front of the loop, or is loaded there. A field is
// loaded
//   where its object is known not to be null; an element where the loop's range checks have been
//   moved before it, and behind the header's test, which is asked once more: an array may be too
//   short for an iteration that does not come.
// - Nothing is loaded early of an object whose class is found out within the loop.
//
// The graph's values are numbered. Gives what is known at the headers, for who numbers them again;
// empty: nothing has changed. Else the graph has been analyzed again.
KnownMemory::AtHeaders CarryMemory(ir::Graph& graph, const std::vector<Loop>& loops);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_CARRIED_MEMORY_H_
