#ifndef YP_CORE_INFERENCE_SAMPLES_FOR_TEST_H_
#define YP_CORE_INFERENCE_SAMPLES_FOR_TEST_H_

#include "core/inference/root_scale.h"

namespace yp {

// Samples of 100 calls each.
inline SampledCalls Samples(double n) { return {100 * n, 10'000 * n}; }

}  // namespace yp

#endif  // YP_CORE_INFERENCE_SAMPLES_FOR_TEST_H_
