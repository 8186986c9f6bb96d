#ifndef YP_COMPILER_OPT_LOOPS_H_
#define YP_COMPILER_OPT_LOOPS_H_

#include <vector>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// What the passes on loops share. A loop here has one way in, from a block that leads nowhere else.
struct Loop {
  ir::Block* header = nullptr;
  ir::Block* entry = nullptr;          // The block before it.
  size_t entry_edge = 0;               // Among the header's predecessors.
  std::vector<ir::Block*> blocks;      // Those of inner loops too.
  std::vector<ir::Block*> back_edges;  // Where they come from.
  // Of MoveRangeChecks: while the header's branch leads on into the loop, 0 <= counter + added <
  // length. The counter is a phi of the header, which the branch compares.
  struct Checked {
    ir::Node* counter;
    int32_t added;
    ir::Node* length;
  };
  std::vector<Checked> checked;
  // The frame where the loop is entered. Code that is left there begins with the whole loop again.
  const ir::State* state = nullptr;

  bool Has(const ir::Block* block) const;
  // Whether the value is the same in all iterations.
  bool IsInvariant(const ir::Node* value) const;
  // It is on every way around.
  bool IsInEachIteration(const ir::Block* block) const;
  // By a check or by what it is, where the loop is entered.
  bool IsKnownNotToBeNull(const ir::Node* object) const;
};

// The innermost first. Loops that are entered from several blocks are left out.
std::vector<Loop> LoopsOf(ir::Graph& graph);

// Checks in front of a loop: what fails there might not have been reached in it, so that the trap
// is kSpeculation, and the method is then compiled without.
void CheckBefore(ir::Graph& graph, const Loop& loop, ir::Node* check);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_LOOPS_H_
