#ifndef YP_COMPILER_OPT_LOCK_ELISION_H_
#define YP_COMPILER_OPT_LOCK_ELISION_H_

#include <cstddef>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Removes the monitors of new objects that no other thread can see: what no other thread can lock
// excludes nobody, and orders no access.
//
// - The object is allocated in this graph, and is used only by nodes that do not pass it on: loads
//   and stores of its fields, checks, comparisons, its monitors. A call, a phi, a store of it to
//   memory and a return all pass it on.
// - No state says that the monitor is held, but for those of the entries and exits that go. So no
//   trap, call, or poll lies between an entry and its exit, and the interpreter and the VM never
//   see the object with a lock that is missing. Outside of that, states may have the object: who
//   gets it there gets it unlocked.
//
// Gives how many entries are gone.
size_t ElideLocks(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_LOCK_ELISION_H_
