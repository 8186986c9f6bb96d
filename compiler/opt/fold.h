#ifndef YP_COMPILER_OPT_FOLD_H_
#define YP_COMPILER_OPT_FOLD_H_

#include <cstddef>
#include <optional>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// A constant or another node that has the same value, or nullptr. Where there is neither, it may
// change the node to a simpler one: constants become right operands, what is compared is compared
// in the branch, multiplication by a power of two becomes a shift. The inputs are resolved.
ir::Node* Fold(ir::Graph& graph, ir::Node& node);

// Whether the check passes in any case.
bool AlwaysPasses(const ir::Node& check);

// Which successor the end of a block, kIf or kSwitch, leads to if its first input has that value,
// where that is known.
std::optional<size_t> WayOf(const ir::Node& end, const ir::Node& value);

// Where a branch always goes the same way, the others are removed. Gives whether one was: then the
// graph has to be analyzed again.
bool FoldBranches(ir::Graph& graph);

// Floating-point numbers are not computed: that is left to the processor that runs the program.
int64_t Evaluate(ir::Op op, Kind kind, int64_t left, int64_t right);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_FOLD_H_
