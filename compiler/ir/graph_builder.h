#ifndef YP_COMPILER_IR_GRAPH_BUILDER_H_
#define YP_COMPILER_IR_GRAPH_BUILDER_H_

#include <memory>

#include "base/status.h"
#include "compiler/inline/inline_tree.h"
#include "compiler/ir/graph.h"

namespace yp::compiler::ir {

// The graph of a method with the bodies of its inlined callees, analyzed. `tree` must outlive it.
// `yieldpoints`: with those of YieldpointState.
//
// Where paths join, every local and stack slot that may be read has a phi at first; those with one
// value are removed (Braun et al., Simple and Efficient Construction of SSA Form, 2013, section
// 3.2). Exceptions of calls and athrow go to the method's handlers; those that leave monitors go on
// in the interpreter.
//
// Refuses a loop with two entries, and what is too large.
Result<std::unique_ptr<Graph>> BuildGraph(const InlineTree& tree, bool yieldpoints);

// Removes phis that have one value, and gives every user the node that stands for its input.
void Simplify(Graph& graph);

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_GRAPH_BUILDER_H_
