#ifndef YP_CORE_GRAPH_TRANSFORM_H_
#define YP_CORE_GRAPH_TRANSFORM_H_

#include "core/graph/dcg.h"
#include "core/graph/method.h"

// Graphs made from graphs.
namespace yp {

// The edges of both, weights added. Both speak of one method table and have one unit of weight.
DynamicCallGraph Merge(const DynamicCallGraph& a, const DynamicCallGraph& b);

// Every weight times `factor`, which is not negative. With a factor below 1 this is the decay by
// which an adaptive optimization system prefers recent samples to old ones.
DynamicCallGraph Scale(const DynamicCallGraph& graph, double factor);

// One edge per pair of methods, with the bytecode index kNoBci: for profilers that do not know call
// sites.
DynamicCallGraph CollapseCallSites(const DynamicCallGraph& graph);

// Without the calls of methods that are marked as trivial: for the comparison with a profile that
// did not observe those. Every callee is one of `methods`.
DynamicCallGraph WithoutTrivialCallees(const DynamicCallGraph& graph, const MethodTable& methods);

// The same graph with the ids of `into`, which takes over the methods that it lacks. Methods are
// the same when their full names are. Every id in `graph` is one of `methods` or kNoMethod.
DynamicCallGraph Rebase(const DynamicCallGraph& graph, const MethodTable& methods,
                        MethodTable& into);

struct UnifiedGraphs {
  MethodTable methods;
  DynamicCallGraph a;
  DynamicCallGraph b;
};

// Two graphs, each with its own method table, over one: what Compare and Diff need of two profiles.
UnifiedGraphs Unify(const DynamicCallGraph& a, const MethodTable& a_methods,
                    const DynamicCallGraph& b, const MethodTable& b_methods);

}  // namespace yp

#endif  // YP_CORE_GRAPH_TRANSFORM_H_
