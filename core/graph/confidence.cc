#include "core/graph/confidence.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <map>

namespace yp {
namespace {

constexpr double kTail = 0.025;  // On each side of a 95 % interval.

// A window that saw the edge, and its weighted samples of it.
struct Sighting {
  size_t window;
  double weight;
};

struct Sightings {
  std::map<EdgeId, std::vector<Sighting>> by_edge;
  std::vector<double> window_weights;  // a_w n_w.
  double total = 0;                    // Sum of the above.
  double sum_of_squares = 0;           // Sum of (a_w n_w)^2.
  double effective_samples = 0;        // Kish's.
  size_t windows = 0;                  // That have samples.

  explicit Sightings(std::span<const WindowSamples> input) {
    window_weights.reserve(input.size());
    double squared_weights = 0;  // Sum of a_w^2 n_w.
    for (const WindowSamples& window : input) {
      double samples = 0;
      for (const auto& [edge, count] : window.samples) {
        if (count == 0) continue;
        by_edge[edge].push_back({window_weights.size(), window.weight * count});
        samples += count;
      }
      if (samples == 0) continue;
      const double weight = window.weight * samples;
      window_weights.push_back(weight);
      total += weight;
      sum_of_squares += weight * weight;
      squared_weights += window.weight * weight;
    }
    windows = window_weights.size();
    if (total > 0) effective_samples = total * total / squared_weights;
  }
};

// Infinite where it is too large for a number: with hardly any degree of freedom.
double StudentQuantile(double degrees_of_freedom) {
  using boost::math::policies::ignore_error;
  using Policy = boost::math::policies::policy<boost::math::policies::overflow_error<ignore_error>>;
  const boost::math::students_t_distribution<double, Policy> distribution(degrees_of_freedom);
  return quantile(complement(distribution, kTail));
}

// sum_w (x_w - p n_w)^2 = sum of p^2 n_w^2 over all windows + sum over those that saw the edge of
// (x_w - p n_w)^2 - p^2 n_w^2, each with its weight.
double LinearisedVariance(const std::vector<Sighting>& seen, double share, const Sightings& all) {
  double sum = share * share * all.sum_of_squares;
  for (const auto& [window, weight] : seen) {
    sum += weight * (weight - 2 * share * all.window_weights[window]);
  }
  const double windows = static_cast<double>(all.windows);
  return std::max(sum, 0.0) * windows / (windows - 1) / (all.total * all.total);
}

double ShareOf(const std::vector<Sighting>& seen, double total) {
  double sum = 0;
  for (const Sighting& s : seen) sum += s.weight;
  return std::min(sum / total, 1.0);
}

}  // namespace

EdgeEstimate EdgeEstimate::Times(double factor) const {
  return {edge, value * factor, low * factor, high * factor, variance * factor * factor};
}

EdgeEstimate ExactCount(EdgeId edge, double calls) { return {edge, calls, calls, calls, 0}; }

std::vector<EdgeEstimate> EstimateShares(std::span<const WindowSamples> windows) {
  const Sightings all(windows);
  std::vector<EdgeEstimate> estimates;
  estimates.reserve(all.by_edge.size());
  // One sample per window and fewer than two windows leave no degree of freedom.
  const bool known = all.windows >= 2 && all.effective_samples > 1;
  double students_ratio = 0;
  if (known) {
    const double ratio = StudentQuantile(all.effective_samples - 1) /
                         StudentQuantile(static_cast<double>(all.windows - 1));
    students_ratio = std::min(ratio * ratio, 1.0);
  }
  for (const auto& [edge, seen] : all.by_edge) {
    const double p = ShareOf(seen, all.total);
    if (!known) {
      estimates.push_back({edge, p, 0, 1, p * (1 - p)});
      continue;
    }
    const double independent = p * (1 - p) / all.effective_samples;
    const double variance = std::max(LinearisedVariance(seen, p, all), independent);
    const double n = (p < 1 ? p * (1 - p) / variance : all.effective_samples) * students_ratio;
    const double low = boost::math::ibeta_inv(p * n, n - p * n + 1, kTail);
    const double high = p < 1 ? boost::math::ibetac_inv(p * n + 1, n - p * n, kTail) : 1;
    estimates.push_back({edge, p, std::min(low, p), std::max(high, p), variance});
  }
  return estimates;
}

std::vector<EdgeEstimate> BootstrapShares(std::span<const WindowSamples> windows, size_t replicates,
                                          RandomSource& random) {
  assert(replicates >= 2);
  const Sightings all(windows);
  // How often each replicate drew each window.
  std::vector<uint16_t> drawn(replicates * all.windows);
  std::vector<double> totals(replicates);
  for (size_t r = 0; r < replicates; ++r) {
    for (size_t i = 0; i < all.windows; ++i) {
      const size_t window = random.UniformFromOneTo(all.windows) - 1;
      ++drawn[r * all.windows + window];
      totals[r] += all.window_weights[window];
    }
  }
  const auto rank = [&](double tail) {
    return static_cast<size_t>(tail * static_cast<double>(replicates - 1) + 0.5);
  };
  std::vector<EdgeEstimate> estimates;
  std::vector<double> shares(replicates);
  for (const auto& [edge, seen] : all.by_edge) {
    double sum = 0, squares = 0;
    for (size_t r = 0; r < replicates; ++r) {
      double weight = 0;
      for (const Sighting& s : seen) weight += drawn[r * all.windows + s.window] * s.weight;
      shares[r] = weight / totals[r];
      sum += shares[r];
      squares += shares[r] * shares[r];
    }
    std::sort(shares.begin(), shares.end());
    const double p = ShareOf(seen, all.total);
    const double n = static_cast<double>(replicates);
    estimates.push_back({edge, p, std::min(shares[rank(kTail)], p),
                         std::max(shares[rank(1 - kTail)], p),
                         std::max(squares - sum * sum / n, 0.0) / (n - 1)});
  }
  return estimates;
}

}  // namespace yp
