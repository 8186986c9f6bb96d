#ifndef YP_CORE_INFERENCE_OBSERVED_RUNS_H_
#define YP_CORE_INFERENCE_OBSERVED_RUNS_H_

#include "core/inference/infer.h"
#include "core/inference/method_profiles.h"
#include "core/inference/root_model.h"

namespace yp {

// Corrects how often parts of a root's tree run by the calls that were observed in them.
//
// Two kinds of parts run as one, in whatever context:
//
// - A method's invocation, and each call that every invocation makes once.
// - A block: what is behind one branch of a method, or in one of its loops. Its call sites are
//   those that the method's profile has counted equally often.
//
// So a site with a call instruction tells how often everything in its part runs, what is inlined
// there included. An inlined callee is a part of the one that calls it, if the site has no other
// callees. With r calls expected of a part's sites per run, N samples observed of n calls, v the
// log-variance of the ratios on the path to the part, and s that of the root's entries,
//
//   log runs += (log(n / r) - log runs) v / (v + s + 1/N)
//
// and what is below the part follows in proportion. Below a part that was corrected, v starts with
// what is left of it there, and s is 0. A path that is certain is not corrected: what differs there
// is an error of the entries. Sites with other inlined callees, or with calls that are missing, say
// nothing, and a block that was lowered stays so (missing_calls.h).
//
// After EstimateScale, once.
void CountByObservedSites(const MethodProfiles& profiles, const InferenceOptions& options,
                          RootModel* model);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_OBSERVED_RUNS_H_
