#ifndef YP_COMPILER_OPT_VECTORIZE_H_
#define YP_COMPILER_OPT_VECTORIZE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/opt/counter.h"
#include "compiler/opt/iteration_copier.h"
#include "compiler/opt/loops.h"

namespace yp::compiler {

// Whether the last one of several iterations does it for all of them: polls.
bool IsOncePerJump(const ir::Node& node);

// Loops over arrays whose iterations compute the same of elements that lie side by side. Several
// iterations become one, in which each load, operation and store is one of a vector: a pack of as
// many elements as have 16 bytes. This is done with whole loops, before they are unrolled
// (UnrollLoops): what an iteration does is one node there for all of them, and need not be found
// again among copies that numbering has made unlike (Larsen and Amarasinghe, Exploiting Superword
// Level Parallelism with Multimedia Instructions Sets, 2000, section 3, pack copies).
//
// What is computed is what the iterations compute, bit for bit: each element by the operations that
// it had, in the order that they had. Of two NaNs either may come out, as elsewhere.
//
// - The loop counts up or down by one, and so does all that its header has a phi of. What its
//   iterations carry otherwise, sums among it, excludes it. Counting down, a pack's first element
//   is that of its last iteration.
// - Each iteration loads and stores elements of the same size (double, float, int, long), of arrays
//   that the loop does not change, at indices that count. Arrays are two objects or one, never
//   parts of each other: so two accesses meet only where their indices are equal. Where an access
//   in the code stands before another one that meets it in an earlier iteration, of the same pack,
//   and one of them stores, their order would change, and the loop is left alone; so it is where
//   the distance of two such indices is not known.
// - What is computed of elements has an instruction of SSE2, which is there on each x86-64. Other
//   values are the same in all iterations, or are indices. A field that the loop only reads is read
//   once in several iterations, as if no other thread had stored between them.
// - Nothing in the loop traps, calls or looks at the frame but the polls at its end, whose states
//   know no element. So no vector lives where the VM looks, and none on an edge: a value that is in
//   all elements is made a vector in each pack anew.
// - An element is stored as a whole: a vector's store is made of parts of eight bytes at least, on
//   addresses that are multiples of their size.
class VectorLoop {
 public:
  // nullopt: iterations stay single. The loop has one block besides its header, the body, which is
  // in each iteration.
  static std::optional<VectorLoop> Of(const Loop& loop, const Counter& counter);

  // How many iterations one of AppendTo is.
  int64_t iterations() const { return kPacks * lanes_; }
  // What so many iterations do, the poll of the last one with it. The values of the loop are those
  // of the last iteration then.
  void AppendTo(IterationCopier& copier) const;

 private:
  class Finder;

  // Of each node, one behind the other. With four, factoring matrices of 200 rows took 0.88 ms
  // where it takes 0.92, but those of ten rows, whose rests are longer, 5.2 where it takes 4.9
  // (best of 60 times, three runs, 29 November 2026).
  static constexpr int64_t kPacks = 2;

  int32_t step_ = 0;                      // 1 or -1.
  int64_t lanes_ = 0;                     // Elements of a pack.
  std::vector<ir::Node*> phis_;           // All count.
  std::vector<const ir::Node*> indices_;  // The others that count.
  std::vector<const ir::Node*> uniform_;  // The same in all iterations.
  std::vector<const ir::Node*> packed_;   // In their order.
  std::vector<const ir::Node*> once_;     // What only the last iteration does.
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_VECTORIZE_H_
