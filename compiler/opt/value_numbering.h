#ifndef YP_COMPILER_OPT_VALUE_NUMBERING_H_
#define YP_COMPILER_OPT_VALUE_NUMBERING_H_

#include "compiler/ir/graph.h"
#include "compiler/opt/known_memory.h"

namespace yp::compiler {

// Global value numbering by dominance, with constant folding: what has been computed, or checked,
// on every way to a node is not again. A branch on null counts as a check where it leads to. Gives
// how many nodes went. `at_headers`: what memory holds where loops start (CarryMemory).
size_t NumberValues(ir::Graph& graph, const KnownMemory::AtHeaders* at_headers = nullptr);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_VALUE_NUMBERING_H_
