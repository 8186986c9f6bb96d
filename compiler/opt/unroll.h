#ifndef YP_COMPILER_OPT_UNROLL_H_
#define YP_COMPILER_OPT_UNROLL_H_

#include <cstddef>
#include <vector>

#include "compiler/opt/loops.h"

namespace yp::compiler {

// Small loops that count get another one in front of them, which makes four of their iterations in
// each of its own, as long as there are so many: with one test, one poll and one jump. The loop
// itself makes what is left.
//
//   while (counter + 3 * step < limit) { body; body; body; body; poll; }
//   while (counter < limit) { body; poll; }
//
// - The first test is of longs, in which nothing wraps. Where it holds, it holds for the counters
//   of all four iterations.
// - The loop has one block besides its header, so that the header is the only way out, and what is
//   used behind the loop are the header's values.
// - Nothing but values, loads and stores is copied, and the poll of the last iteration. Loops with
//   calls, allocations and monitors take long anyway, and each check would have a trap with a state
//   of its own in each copy: so loops whose checks have not been moved before them stay as they
//   are.
// - So do loops that are known to have few iterations.
// - Where iterations can be packs (VectorLoop), these are copied instead: as many iterations as two
//   packs have elements.
//
// Gives how many it did. Then the graph has been analyzed again.
size_t UnrollLoops(ir::Graph& graph, const std::vector<Loop>& loops);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_UNROLL_H_
