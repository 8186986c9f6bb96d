#ifndef YP_CORE_GRAPH_CONFIDENCE_H_
#define YP_CORE_GRAPH_CONFIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"

// How far an edge's share of all calls may be off, given the windows that sampled it. The samples
// of one window lie close together in the program and resemble each other, as do those of windows
// at one time; units of windows are what is independent.
namespace yp {

// What one window sampled. `weight` is that of each of its samples: 1, or the window's anti-bias
// weight (Lee, TACO 2015, section 3). Positive. An edge appears at most once. Windows of one `unit`
// count as one; a window without is a unit.
struct WindowSamples {
  double weight = 1;
  std::optional<int64_t> unit = std::nullopt;
  std::vector<std::pair<EdgeId, uint32_t>> samples;
};

// An estimate and its 95 % interval: low <= value <= high.
struct EdgeEstimate {
  EdgeId edge{};
  double value = 0;
  double low = 0;
  double high = 0;
  double variance = 0;

  // The estimate times a number that is known, such as a share times all calls.
  EdgeEstimate Times(double factor) const;
};

// Each sampled edge's share of all calls, 0 to 1, in the order of edge ids. With x_ew the samples
// of edge e in window w, n_w all of the window's samples and a_w its weight, and u the W units:
//
//   p_e    = sum_w a_w x_ew / sum_w a_w n_w                                       (ratio estimator)
//   var(p) = W / (W - 1) * sum_u (sum_(w in u) a_w (x_ew - p_e n_w))^2
//                        / (sum_w a_w n_w)^2                                           (linearised)
//
// (Cochran, "Sampling Techniques", 3rd edition, 1977, section 6.4). The interval is that of Korn
// and Graubard (Survey Methodology 24, 1998) for small counts in clustered samples: the exact
// binomial interval of Clopper and Pearson for n* samples of which p n* are the edge's, with
//
//   n* = min(p (1 - p) / var, n) * (t(n - 1) / t(W - 1))^2
//
// n is the number of samples, less what unequal weights cost (Kish, "Survey Sampling", 1965,
// chapter 11): (sum a_w n_w)^2 / sum a_w^2 n_w. The variance is never taken below that of n
// independent samples, so that an edge that was seen everywhere alike is not falsely certain; an
// edge seen in one unit counts as about one observation, however many samples the unit took of it.
// From fewer than two units nothing is known of the variation between them, and the interval is [0,
// 1].
//
// The interval is about the chance of sampling, not about bias, and its level is nominal: in 1,000
// simulated runs of 30 and of 200 windows of a program with phases, rare edges and bursts, 94 % to
// 99 % of the intervals held the true share (confidence_unittest.cc). An edge that was never
// sampled is not listed.
std::vector<EdgeEstimate> EstimateShares(std::span<const WindowSamples> windows);

// The same by the percentile bootstrap over units (Efron and Tibshirani, "An Introduction to the
// Bootstrap", 1993, chapter 13), which assumes no distribution but needs many units with the
// edge: a check of the above. Takes 2 * replicates * units bytes.
std::vector<EdgeEstimate> BootstrapShares(std::span<const WindowSamples> windows, size_t replicates,
                                          RandomSource& random);

// Of Student's t distribution, to each side: so many standard deviations, as estimated with those
// degrees of freedom, hold 95 %. From 12.7 for one on down to 1.96 for many; infinite where it is
// too large for a number, with hardly any.
double DeviationsHolding95(double degrees_of_freedom);

// Every call was counted: nothing is uncertain.
EdgeEstimate ExactCount(EdgeId edge, double calls);

}  // namespace yp

#endif  // YP_CORE_GRAPH_CONFIDENCE_H_
