#include "compiler/opt/optimize.h"

#include <vector>

#include "compiler/ir/graph_builder.h"
#include "compiler/opt/carried_memory.h"
#include "compiler/opt/dead_code.h"
#include "compiler/opt/divisions.h"
#include "compiler/opt/fold.h"
#include "compiler/opt/if_conversion.h"
#include "compiler/opt/lock_coarsening.h"
#include "compiler/opt/lock_elision.h"
#include "compiler/opt/loop_invariants.h"
#include "compiler/opt/loops.h"
#include "compiler/opt/range_checks.h"
#include "compiler/opt/thread_jumps.h"
#include "compiler/opt/unroll.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {

namespace {

// Blocks are gone, and phis have lost what came from them. No pass leads into a loop beside its
// header: loops keep their single entries.
void AnalyzeAgain(ir::Graph& graph) {
  static_cast<void>(graph.Analyze());
  ir::Simplify(graph);
}

}  // namespace

// A branch that is gone may leave a phi with one value, and that another branch with one way. Few
// methods have more than two such steps.
void Optimize(ir::Graph& graph) {
  constexpr int kMostRounds = 4;
  NumberValues(graph);
  for (int i = 0; i < kMostRounds; ++i) {
    const bool folded = FoldBranches(graph);
    if (ThreadJumps(graph) == 0 && !folded) break;
    AnalyzeAgain(graph);
    NumberValues(graph);
  }
  size_t changed = ConvertIfs(graph);
  if (changed > 0) AnalyzeAgain(graph);
  changed += ElideLocks(graph);
  changed += CoarsenLocks(graph);
  changed += ReduceDivisions(graph);
  if (changed > 0) NumberValues(graph);
  RemoveDeadCode(graph);
  const bool speculates = !graph.tree->root->method->speculation_failed;
  std::vector<Loop> loops = LoopsOf(graph);
  for (Loop& loop : loops) {
    MoveInvariants(graph, loop, speculates);
    if (speculates && MoveRangeChecks(graph, loop) > 0) MoveInvariants(graph, loop, speculates);
  }
  NumberValues(graph);
  const KnownMemory::AtHeaders carried = CarryMemory(graph, loops);
  if (!carried.empty()) NumberValues(graph, &carried);
  RemoveDeadCode(graph);
  if (UnrollLoops(graph, loops) == 0) return;
  NumberValues(graph);
  RemoveDeadCode(graph);
}

}  // namespace yp::compiler
