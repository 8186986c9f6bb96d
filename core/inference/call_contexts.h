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
// - A call that a compiler inlined has no stack, but its root's entries have. What a method's code
//   inlined is taken to run equally often for each of the method's contexts: the calls of a node of
//   its inline trees are shared out over those, in proportion to the entries that were sampled in
//   them; where no entry was, to all samples in and below them. Contexts that are expected to have
//   less than one call in and below them are left out.
// - Samples of an edge say what share of its calls each context has, `calls` says how many there
//   are: contexts that end in the same edge add up to it. What no context leads to is left out.
//
// `sampled`: contexts in samples. `roots`: as by Infer. `calls`: the calls along each edge. Only
// methods that are observed count as called; the others are parts of contexts.
CallingContextTree ContextsOfCalls(const CallingContextTree& sampled,
                                   std::span<const InlinedRoot> roots,
                                   const DynamicCallGraph& calls,
                                   const std::function<bool(MethodId)>& is_observed);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_CALL_CONTEXTS_H_
