#ifndef YP_CORE_INFERENCE_MISSING_CALLS_H_
#define YP_CORE_INFERENCE_MISSING_CALLS_H_

#include "core/inference/root_model.h"

namespace yp {

// Explains calls of which far fewer were observed than the model expects, until one of its ratios
// was changed; whether there are any. `model` has its scale.
//
// - The second compiler inlines a virtual call for the receivers that are most frequent, and leaves
//   a call for the rest. Of a small method that it inlined so there may be no debug information:
//   the callee was inlined (Missing::kInlined).
// - Of a method with call instructions of its own there is (InferenceOptions::traceable). In this
//   context it is not called: the last branch or loop on the path to it is lowered, with all that
//   the profile has counted as often. Where the path has none, the callee is left out
//   (Missing::kUnwanted).
bool ExplainMissing(const MethodProfiles& profiles, const InferenceOptions& options,
                    RootModel* model);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_MISSING_CALLS_H_
