#ifndef YP_CORE_INFERENCE_CALL_CONTEXTS_H_
#define YP_CORE_INFERENCE_CALL_CONTEXTS_H_

#include <functional>
#include <span>

#include "core/graph/cct.h"
#include "core/graph/dcg.h"
#include "core/inference/infer.h"

namespace yp {

// The calling contexts of all calls, in calls, from those of the sampled ones and the call graph.
//
// - The calls of an edge are shared out over the contexts that its caller was seen in, by the
//   samples of the edge and, as far as there are few, of all that the caller called
//   (caller_tree.h). Contexts that end in the same edge add up to its calls.
// - A call that a compiler inlined has no stack, but its root's entries have. What a method's code
//   inlined is taken to run equally often for each of its invocations: the calls of a node of its
//   inline trees are shared out over the method's contexts by the entries.
//
// Contexts that are expected to have less than a call, or a hundredth of what a sample stands for,
// are left out, but for those that were sampled; as is what no context leads to.
//
// `sampled`: contexts in samples. `roots`: as by Infer. `calls`: the calls along each edge. Only
// methods that are observed count as called; the others are parts of contexts.
CallingContextTree ContextsOfCalls(const CallingContextTree& sampled,
                                   std::span<const InlinedRoot> roots,
                                   const DynamicCallGraph& calls,
                                   const std::function<bool(MethodId)>& is_observed);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_CALL_CONTEXTS_H_
