#include "core/graph/chance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/distributions.h"

namespace yp {
namespace {

// Anscombe's, of a sample.
constexpr double kAdded = 3.0 / 8;
// Where nothing was sampled, the upper end of the 95 % interval in samples: -ln(0.025).
constexpr double kUpperOfNone = 3.688879;

double TwoSided(double statistic, double degrees) {
  return std::isfinite(statistic) ? 2 * StudentsTAbove(std::abs(statistic), degrees) : 0;
}

bool AnyInferred(std::span<const Measured> side) {
  return std::ranges::any_of(side, [](const Measured& m) { return m.is_inferred; });
}

bool IsAbsent(std::span<const Measured> side) {
  return std::ranges::all_of(side, [](const Measured& m) { return m.value <= 0; });
}

double MeanOf(std::span<const Measured> side) {
  double sum = 0;
  for (const Measured& m : side) sum += m.value;
  return sum / static_cast<double>(side.size());
}

// Of the values' logarithms, within and between recordings.
double ExcessOf(std::span<const Measured> side, const BetweenRuns& between) {
  double sum = 0;
  for (const Measured& m : side) sum += m.excess + (m.is_counted() ? 0 : between.relative_variance);
  return sum / static_cast<double>(side.size());
}

double ChanceOfAbsence(std::span<const Measured> absent, std::span<const Measured> present,
                       const BetweenRuns& between) {
  const double value = MeanOf(present);
  const double excess = ExcessOf(present, between);
  double expected = 0;
  for (const Measured& m : absent) expected += 1 / std::max(m.unit / value + excess, 1e-9);
  return std::exp(-expected);
}

double ChanceOfPair(const Measured& a, const Measured& b, const BetweenRuns& between) {
  const double unit = a.unit + b.unit;
  const double excess = a.excess + b.excess + (a.is_counted() ? 0 : between.relative_variance) +
                        (b.is_counted() ? 0 : between.relative_variance);
  if (unit <= 0 && excess <= 0) return a.value == b.value ? 1 : 0;
  const double more = std::max(excess, 1e-12);
  const auto stabilised = [&](const Measured& m) {
    const double value = m.value + kAdded * m.unit;
    return unit > 0 ? 2 / std::sqrt(more) * std::asinh(std::sqrt(more * value / unit))
                    : std::log(value) / std::sqrt(more);
  };
  const double p = TwoSided(stabilised(b) - stabilised(a), between.own_degrees);
  if (!a.is_inferred && !b.is_inferred) return p;
  const double c = between.inferred_scale;
  const double exponent = -std::abs(std::log(b.value / a.value)) / c +
                          (a.LogVariance() + b.LogVariance()) / (2 * c * c);
  return std::max(p, std::min(1.0, std::exp(exponent)));
}

double LogOf(const Measured& m) { return std::log(m.value + kAdded * m.unit); }

// Of the logarithm, as far as a recording knows of itself; that of none is that of kAdded samples.
double OwnLogVariance(const Measured& m, const BetweenRuns& between) {
  const double sampled = m.unit > 0 ? m.unit / (m.value + kAdded * m.unit) : 0;
  return sampled + m.excess + (m.is_counted() ? 0 : between.relative_variance);
}

struct LogMeans {
  double before = 0, after = 0;
  double variance = 0;  // Of one recording's logarithm.
  double degrees = 1;
};

LogMeans MeansOf(std::span<const Measured> before, std::span<const Measured> after,
                 const BetweenRuns& between) {
  LogMeans means;
  double squares = 0, own = 0;
  for (const auto& [side, mean] :
       {std::pair(before, &means.before), std::pair(after, &means.after)}) {
    for (const Measured& m : side) {
      *mean += LogOf(m) / static_cast<double>(side.size());
      own += OwnLogVariance(m, between);
    }
    for (const Measured& m : side) squares += (LogOf(m) - *mean) * (LogOf(m) - *mean);
  }
  const auto recordings = static_cast<double>(before.size() + after.size());
  const double sides = (before.empty() ? 0 : 1) + (after.empty() ? 0 : 1);
  const bool is_inferred = AnyInferred(before) || AnyInferred(after);
  const double degrees = is_inferred ? between.inferred_prior_degrees : between.prior_degrees;
  const double prior = own / recordings + (is_inferred ? between.inferred_prior_variance : 0);
  means.degrees = degrees + recordings - sides;
  means.variance = (degrees * prior + squares) / means.degrees;
  return means;
}

}  // namespace

double ChanceOf(std::span<const Measured> before, std::span<const Measured> after,
                const BetweenRuns& between) {
  const bool none_before = IsAbsent(before), none_after = IsAbsent(after);
  if (none_before && none_after) return 1;
  if (none_before) return ChanceOfAbsence(before, after, between);
  if (none_after) return ChanceOfAbsence(after, before, between);
  if (before.size() == 1 && after.size() == 1) {
    return ChanceOfPair(before.front(), after.front(), between);
  }
  const LogMeans means = MeansOf(before, after, between);
  const double factor =
      1.0 / static_cast<double>(before.size()) + 1.0 / static_cast<double>(after.size());
  if (means.variance <= 0) return means.before == means.after ? 1 : 0;
  return TwoSided((means.after - means.before) / std::sqrt(means.variance * factor), means.degrees);
}

std::vector<double> HolmAdjusted(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size(), 1);
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const double p = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, p));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

ValueInterval IntervalOf(std::span<const Measured> recordings, const BetweenRuns& between) {
  if (std::ranges::all_of(recordings, &Measured::is_counted) && recordings.size() == 1) {
    return {recordings.front().value, recordings.front().value};
  }
  const double mean = MeanOf(recordings);
  const auto count = static_cast<double>(recordings.size());
  if (mean <= 0) {
    double unit = 0;
    for (const Measured& m : recordings) unit = std::max(unit, m.unit);
    return {0, kUpperOfNone * unit / count};
  }
  const LogMeans means = MeansOf(recordings, {}, between);
  const double t = StudentsTExceeded(kTail, means.degrees);
  const double factor = std::exp(t * std::sqrt(means.variance / count));
  return {mean / factor, mean * factor};
}

}  // namespace yp
