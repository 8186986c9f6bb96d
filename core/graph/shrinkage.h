#ifndef YP_CORE_GRAPH_SHRINKAGE_H_
#define YP_CORE_GRAPH_SHRINKAGE_H_

#include <span>

#include "core/graph/confidence.h"

namespace yp {

// How much of a correction to believe, in [0, 1]. Windows weighted alike tell shares of calls that
// may be biased; weighted by what was measured of each they are not, but noisy. The mean of both,
//
//   p = f p_corrected + (1 - f) p_plain,
//
// has the smallest expected squared error, summed over the edges, at
//
//   f = (B + V_plain - C) / (B + V_corrected + V_plain - 2 C)
//
// where V and C are the variances and the covariance of the two, over units of windows as in
// EstimateShares, and B is the squared bias of p_plain: what the two differ by, beyond what chance
// explains, B = max(0, |p_corrected - p_plain|^2 - V_corrected - V_plain + 2 C). (Combining a
// biased with an unbiased estimator: Green and Strawderman, JASA 86, 1991.)
//
// `corrected` and `plain` are the same windows with the same samples, in the same order, that
// differ in their weights. 1 with fewer than two units, and when the two are the same.
double CorrectionShare(std::span<const WindowSamples> corrected,
                       std::span<const WindowSamples> plain);

}  // namespace yp

#endif  // YP_CORE_GRAPH_SHRINKAGE_H_
