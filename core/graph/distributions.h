#ifndef YP_CORE_GRAPH_DISTRIBUTIONS_H_
#define YP_CORE_GRAPH_DISTRIBUTIONS_H_

// Probability distributions. Boost.Math computes them, and distributions.cc alone knows of it: its
// headers take the compiler longer than most of our files.
namespace yp {

// On each side of a 95 % interval.
inline constexpr double kTail = 0.025;

// Student's t of so many degrees of freedom, above 0: the probability of more than t, and what is
// exceeded with the probability `tail` (infinite where a double does not hold it).
double StudentsTAbove(double t, double degrees);
double StudentsTExceeded(double tail, double degrees);

// The beta distribution's x below which `tail` lies, and the one above which it does.
double BetaLower(double a, double b, double tail);
double BetaUpper(double a, double b, double tail);

// Of `trials` that succeed with probability p each: P(successes <= k), with whole numbers.
double BinomialAtMost(double k, double trials, double p);
// P(successes > k).
double BinomialAbove(double k, double trials, double p);

}  // namespace yp

#endif  // YP_CORE_GRAPH_DISTRIBUTIONS_H_
