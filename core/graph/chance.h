#ifndef YP_CORE_GRAPH_CHANCE_H_
#define YP_CORE_GRAPH_CHANCE_H_

#include <cstddef>
#include <span>
#include <vector>

// How likely a difference between recordings is when the program did the same in all of them.
namespace yp {

// What one recording tells of a number that is not negative, such as an edge's share of all calls.
struct Measured {
  double value = 0;
  // What one independent sample stands for, in the unit of `value`; 0 where all was counted.
  // Samples have the variance unit * value.
  double unit = 0;
  // The relative variance within the recording beyond that of independent samples: samples of one
  // time resemble each other, and inferred calls depend on samples of others.
  double excess = 0;
  // Calls that a compiler inlined are among them.
  bool is_inferred = false;

  bool is_counted() const { return unit <= 0 && excess <= 0; }
  // Of the logarithm of the value.
  double LogVariance() const { return value > 0 ? unit / value + excess : 0; }
};

// How the same run differs from recording to recording beyond what a recording can know of itself.
// A compiler decides otherwise in the next run, and what it inlined is then inferred from other
// evidence. Measured on recordings of ten programs (JDK 17 and 25, default options, some 20 s each,
// 2026-11; ./yp eval false_alarms records others):
//
// - Numbers that were sampled themselves differ as their samples do within the recordings (4,255
//   edges in 55 pairs; the largest of 2.5 % was 2.6 deviations), but for one edge of xalan, which
//   one of four runs inlined without a trace.
// - Inferred ones mostly differ by less than their intervals say (median 10 %), but have long
// tails:
//   of some 12,000, 9 % differ by a factor of 2 or more, 1.5 % by 10, and 0.06 % by 150. The
//   distribution of the logarithm has no normal's tail; the exponential one of kInferredScale is
//   above all of it.
// - What one recording has and the other lacks altogether is rarer than Poisson's law with the
//   effective number of samples says (2.3 at most, of 55 pairs).
struct BetweenRuns {
  double relative_variance = 1e-4;  // Of one recording, of every number.
  double inferred_scale = 0.55;     // Of the exponential tail of an inferred number's logarithm.
  // Where each side has several recordings, their variance is estimated from them, and from this
  // prior, which counts as so many degrees of freedom (Smyth, Statistical Applications in Genetics
  // and Molecular Biology 3, 2004, "moderated t").
  double prior_degrees = 10;
  double inferred_prior_degrees = 2;
  double inferred_prior_variance = 0.09;
  // Of the variance that one recording knows of itself.
  double own_degrees = 30;
};

// The two-sided p-value of the difference. Each side has one recording or more.
//
// One recording each, both values positive: with the variance v(x) = u x + e x^2, of a share or a
// number of calls x, the integral of dx / sqrt(v) has the variance 1 whatever x is (Anscombe,
// Biometrika 35, 1948). With U and E the sums over both recordings,
//
//   D = 2 / sqrt(E) * (asinh sqrt(E b / U) - asinh sqrt(E a / U)),   p = P(|t| > |D|)
//
// where 3/8 of a sample is added to a and b, and t has `own_degrees`. For inferred numbers p is not
// below exp(-|log(b / a)| / c + s^2 / 2 c^2), with c = inferred_scale and s^2 the variance of the
// logarithm within both: the tail of a normal plus an exponentially distributed number.
//
// One of them absent: Poisson's probability of none, exp(-k), with k = 1 / (u / x + e) the
// effective samples that the other lets expect.
//
// More recordings: a t-test of the logarithms with the moderated variance.
double ChanceOf(std::span<const Measured> before, std::span<const Measured> after,
                const BetweenRuns& between = {});

// Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): the smallest family-wise
// error rate at which each is rejected. The chance that any true hypothesis has an adjusted p-value
// of a or less is at most a, however they depend on each other.
std::vector<double> HolmAdjusted(std::span<const double> p_values);

// A value's two-sided 95 % interval, at least 0.
struct ValueInterval {
  double low = 0;
  double high = 0;
};
ValueInterval IntervalOf(std::span<const Measured> recordings, const BetweenRuns& between = {});

}  // namespace yp

#endif  // YP_CORE_GRAPH_CHANCE_H_
