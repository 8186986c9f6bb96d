#ifndef YP_CORE_INFERENCE_CALL_RATIO_H_
#define YP_CORE_INFERENCE_CALL_RATIO_H_

#include <cstdint>

#include "base/ids.h"
#include "core/inference/method_profiles.h"

namespace yp {

// Calls per invocation of the method that makes them.
struct Ratio {
  double value = 0;  // Finite, at least 0.
  double log_variance = 0;
};

// How much contexts differ: a profile averages over all callers of its method, an inlined copy has
// one. The standard deviation, over contexts, of the log-odds with which a branch is taken or a
// loop goes on. From a prototype (JDK 25, six programs): the expected outgoing calls of a root were
// off by about as much.
inline constexpr double kContextDeviation = 0.3;

// The ratio of `calls` to `invocations`, both positive. With lo and hi the smaller and the larger
// of the two and s = 1 - (lo + 1/2) / (hi + 1):
//
//   var(log ratio) = s / lo + (context_deviation * s)^2
//
// The ratio p of a branch is that of a binomial count; d log p = (1 - p) d logit p. The trips of a
// loop are geometric, its ratio 1 / q with q the chance that a trip is the last; d log q = (1 - q)
// d logit q. A call that every invocation makes once is certain; the halves keep it from being so
// after few of them.
Ratio RatioOf(double calls, double invocations, double context_deviation);

// All calls from a site per invocation of the method. `profile` may be null:
//
// - No profile: 1, standard deviation of the logarithm 1 (95 % within a factor of 7).
// - Site never reached, although the compiler kept it: half a call in all invocations, standard
//   deviation 2 (a factor of 50).
// - Calls but no invocations (the profile began inside a loop): one invocation.
Ratio RatioOfSite(const MethodProfile* profile, int32_t bci, double context_deviation);

// The same for the calls of `callee` from that site. Where several callees are recorded, calls
// without a record are given to none of them; they, and those of receivers whose method is not
// known, are all that is left for a callee that is not recorded, with standard deviation 2.
Ratio RatioOfCallee(const MethodProfile* profile, int32_t bci, MethodId callee,
                    double context_deviation);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_CALL_RATIO_H_
