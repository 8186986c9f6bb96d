#ifndef YP_COMPILER_IR_VERIFIER_H_
#define YP_COMPILER_IR_VERIFIER_H_

#include "base/status.h"
#include "compiler/ir/graph.h"

namespace yp::compiler::ir {

// Whether an analyzed graph is well formed: ends, edges on both sides, an input of each phi for
// each predecessor, no edge between a block with several successors and one with several
// predecessors, and definitions that dominate their uses, those in states too. For tests.
Status Verify(const Graph& graph);

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_VERIFIER_H_
