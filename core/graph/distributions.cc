#include "core/graph/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace yp {
namespace {

using boost::math::policies::ignore_error;
using Policy = boost::math::policies::policy<boost::math::policies::overflow_error<ignore_error>>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;

}  // namespace

double StudentsTAbove(double t, double degrees) { return cdf(complement(StudentsT(degrees), t)); }

double StudentsTExceeded(double tail, double degrees) {
  return quantile(complement(StudentsT(degrees), tail));
}

double BetaLower(double a, double b, double tail) { return boost::math::ibeta_inv(a, b, tail); }

double BetaUpper(double a, double b, double tail) { return boost::math::ibetac_inv(a, b, tail); }

double BinomialAtMost(double k, double trials, double p) {
  return cdf(boost::math::binomial(trials, p), k);
}

double BinomialAbove(double k, double trials, double p) {
  return cdf(complement(boost::math::binomial(trials, p), k));
}

}  // namespace yp
