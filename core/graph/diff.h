#ifndef YP_CORE_GRAPH_DIFF_H_
#define YP_CORE_GRAPH_DIFF_H_

#include <cstddef>
#include <vector>

#include "core/graph/accuracy.h"
#include "core/graph/dcg.h"

namespace yp {

// An edge's share of all calls in two graphs, 0 to 1 each, and whether it can be told from chance
// that they differ.
struct EdgeChange {
  Edge edge;
  double before = 0;
  double after = 0;
  double low = 0;      // 95 % interval of the change.
  double high = 0;     //
  double p_value = 1;  // How likely so large a change, or a larger one, is by chance.
  // The lowest false discovery rate at which it is reported (Benjamini and Hochberg).
  double q_value = 1;
  double Change() const { return after - before; }
};

// Every edge of either graph, the largest absolute change first, then in the order of edges. The
// graphs speak of one method table. The changes of two graphs that are not empty add up to 0.
//
// Each of the two shares has an interval, [l, u], of which only the ends are known: those of small
// counts and of inferred calls are not symmetric. An interval of the difference of two independent
// estimates follows from them (Zou and Donner, Statistics in Medicine 27, 2008, "MOVER"):
//
//   low  = after - before - sqrt((after - l_after)^2 + (u_before - before)^2)
//   high = after - before + sqrt((u_after - after)^2 + (before - l_before)^2)
//
// The test takes the same distances between square roots, where the deviation of a count does not
// depend on its size (Anscombe, Biometrika 35, 1948): for a share that has become larger, with the
// normal distribution's 97.5 % quantile z,
//
//   p = 2 Phi(-z (sqrt(after) - sqrt(before)) /
//                sqrt((sqrt(after) - sqrt(l_after))^2 + (sqrt(u_before) - sqrt(before))^2))
//
// and likewise for one that has become smaller. Where both were counted exactly, p is 0 or 1.
//
// An edge that one of the graphs has not, though it may have been called: u is the share that 3.7
// samples stand for, as the exact interval of none out of n is [0, 3.7 / n]. What a sample of it
// stands for tells the other graph's interval of it, in proportion to what samples stand for in
// both, and at the least that of an ordinary edge (the median of those that have an interval).
//
// Calls that are inferred may be wrong in both graphs alike, by which too many changes are taken
// for chance; or in one of them, where the JIT has inlined otherwise, which their intervals know
// only as far as the model of core/inference does.
std::vector<EdgeChange> Diff(const Estimate& before, const Estimate& after);

// The same of methods, all calls of each together: an edge of the result is from kNoMethod, at
// kNoBci, to the method, and a method is one that either graph has calls of. The interval of a
// method's share has the sums of its edges' ends, 1 at the most: a sum's deviation is at most the
// sum of the deviations, however the edges depend on each other, and those of one method do, as
// windows sample and compilers inline them together. It is therefore too wide rather than too
// narrow, the more so the more edges a method has; that of a method with one edge is the edge's.
// Edges that one graph has not are in its sum with what they may have been.
std::vector<EdgeChange> DiffByCallee(const Estimate& before, const Estimate& after);

// How many of the changes have a q-value of at most `rate`: of these so large a part, on average,
// is due to chance (the changes are shares of a whole, and hold each other back; Benjamini and
// Hochberg's procedure is known to keep the rate for independent ones).
size_t CountSignificant(const std::vector<EdgeChange>& changes, double rate);

}  // namespace yp

#endif  // YP_CORE_GRAPH_DIFF_H_
