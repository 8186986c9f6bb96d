#include "core/amortize/uncertain.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>

namespace yp {

Uncertain OfCount(double count) {
  using boost::math::chi_squared;
  using boost::math::quantile;
  const double low = count > 0 ? quantile(chi_squared(2 * count), 0.025) / 2 : 0;
  return {count, low, quantile(chi_squared(2 * count + 2), 0.975) / 2};
}

Uncertain Times(const Uncertain& a, double factor) {
  return {a.value * factor, a.low * factor, a.high * factor};
}

Uncertain Product(const Uncertain& a, const Uncertain& b) {
  const double value = a.value * b.value;
  if (value <= 0) return {0, 0, a.high > 0 && b.high > 0 ? a.high * b.high : 0};
  const double up = std::hypot(std::log(a.high / a.value), std::log(b.high / b.value));
  const bool is_bounded = a.low > 0 && b.low > 0;
  const double down =
      is_bounded ? std::hypot(std::log(a.value / a.low), std::log(b.value / b.low)) : 0;
  return {value, is_bounded ? value * std::exp(-down) : 0, value * std::exp(up)};
}

Uncertain Ratio(const Uncertain& a, const Uncertain& b) {
  if (b.low <= 0) {
    const double value = b.value > 0 ? a.value / b.value : 0;
    return {value, 0, std::numeric_limits<double>::infinity()};
  }
  return Product(a, {1 / b.value, 1 / b.high, 1 / b.low});
}

Uncertain Difference(const Uncertain& a, const Uncertain& b) {
  const double value = a.value - b.value;
  return {value, value - std::hypot(a.value - a.low, b.high - b.value),
          value + std::hypot(a.high - a.value, b.value - b.low)};
}

Uncertain Sum(const Uncertain& a, const Uncertain& b) {
  const double value = a.value + b.value;
  return {value, value - std::hypot(a.value - a.low, b.value - b.low),
          value + std::hypot(a.high - a.value, b.high - b.value)};
}

}  // namespace yp
