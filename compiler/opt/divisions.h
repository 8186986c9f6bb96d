#ifndef YP_COMPILER_OPT_DIVISIONS_H_
#define YP_COMPILER_OPT_DIVISIONS_H_

#include <cstddef>
#include <cstdint>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Division of an int by a constant d: the quotient is n * multiplier >> shift as a long, and one
// more where n is negative. 2 < d < 2^31, and no power of two. (Granlund and Montgomery, PLDI 1994,
// theorem 5.1 and figure 5.2, with the whole product, which a long has room for.)
struct Reciprocal {
  int64_t multiplier = 0;  // In (2^31, 2^32].
  int32_t shift = 0;       // In [33, 62].

  static Reciprocal Of(int32_t d);
};

// The same of a long, whose product has 128 bits, of which kMultiplyHigh gives the upper half: the
// multiplier is that of 2^64 + `multiplier` where `adds` is true, and then n is added to that half.
// It is the least one that theorem 5.1 allows. 2 < d < 2^63, and no power of two.
struct LongReciprocal {
  int64_t multiplier = 0;
  int32_t shift = 0;  // Of the upper half: in [0, 62].
  bool adds = false;

  static LongReciprocal Of(int64_t d);
};

// Divisions of integers by constants, and their remainders, become multiplications and shifts,
// which take some three cycles where an instruction that divides takes 20 to 30, or 90 of longs.
// Gives how many; then there are values to be numbered.
size_t ReduceDivisions(ir::Graph& graph);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_DIVISIONS_H_
