#ifndef YP_CORE_GRAPH_SELECTED_CALLS_H_
#define YP_CORE_GRAPH_SELECTED_CALLS_H_

#include <span>
#include <vector>

#include "core/graph/dcg.h"

// How many calls of each edge a selection has: a stretch of the run, some of its threads.
namespace yp {

// An edge's calls in the whole run, by how they are known, and its samples in the selection.
struct EdgeToSelect {
  Edge edge;
  double sampled = 0;   // Calls that its samples stand for.
  double inferred = 0;  // Calls that follow from its caller's: inlined ones, which leave no sample.
  double selected = 0;  // Of `sampled`: by samples in the selection.
  // The sum of the squares of what its samples of one tick stand for, over the ticks in it.
  double selected_squares = 0;
};

struct SelectedCalls {
  double calls = 0;
  // Of `calls`, relative to its square: that of where ticks fell and which calls they sampled.
  double relative_variance = 0;
  double unplaced = 0;  // Inferred calls whose caller is not known to have been called: in none.
};

// Sampled calls are where their samples are. An inferred call goes with its caller's: with F(m) the
// part of the calls of method m that are in the selection,
//
//   calls(e) = selected(e) + inferred(e) F(caller(e))
//   F(m)     = sum over e into m of calls(e) / sum over e into m of (sampled(e) + inferred(e))
//
// solved by iteration. It assumes that a method makes its inlined calls as often per call of it
// within the selection as without: what core/inference assumes of the whole run, too.
//
// The variance of a sum of samples is that of ticks at random places: the sum of the squares of
// what each brought. That of F(m) is that of the sum of its calls, as if they were independent.
std::vector<SelectedCalls> CallsOfSelection(std::span<const EdgeToSelect> edges);

}  // namespace yp

#endif  // YP_CORE_GRAPH_SELECTED_CALLS_H_
