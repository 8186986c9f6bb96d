#ifndef YP_CORE_INFERENCE_MISSING_CALLS_H_
#define YP_CORE_INFERENCE_MISSING_CALLS_H_

#include "core/inference/root_model.h"

namespace yp {

// Explains calls of which far fewer were observed than the model expects, until one of its ratios
// was changed; whether any was explained. `model` has its scale. A callee is explained once, and a
// node is lowered once.
//
// - C2 inlines a virtual call for the receivers that are most frequent, and leaves
//   a call for the rest. Of a small method that it inlined so there may be no debug information:
//   the callee was inlined (Missing::kInlined).
// - Of a method with call instructions of its own there is (InferenceOptions::traceable). In this
//   context it is not called: the last branch or loop on the path to it is lowered, with all that
//   the profile has counted as often. Where the path has none, or calls are there below it, the
//   callee is left out (Missing::kUnwanted). If the branch is at the call itself and has nothing
//   else behind it, or the call has other receivers, nothing is changed.
bool ExplainMissing(const MethodProfiles& profiles, const InferenceOptions& options,
                    RootModel* model);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_MISSING_CALLS_H_
