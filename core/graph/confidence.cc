#include "core/graph/confidence.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "core/graph/distributions.h"

namespace yp {
namespace {

// The weighted samples of an edge, by the unit that saw it.
using Sightings = std::map<size_t, double>;

struct SeenEdges {
  std::map<EdgeId, Sightings> by_edge;
  std::vector<double> unit_weights;  // Sum of a_w n_w of each unit with samples.
  double total = 0;                  // Sum of the above.
  double sum_of_squares = 0;         // Of the same.
  double effective_samples = 0;      // Kish's.

  explicit SeenEdges(std::span<const WindowSamples> windows) {
    std::map<int64_t, size_t> known_units;
    double squared_weights = 0;  // Sum of a_w^2 n_w.
    for (const WindowSamples& window : windows) {
      double samples = 0;
      for (const auto& [edge, count] : window.samples) samples += count;
      if (samples == 0) continue;
      const size_t next = unit_weights.size();
      const size_t unit =
          window.unit ? known_units.try_emplace(*window.unit, next).first->second : next;
      if (unit == next) unit_weights.push_back(0);
      for (const auto& [edge, count] : window.samples) {
        if (count > 0) by_edge[edge][unit] += window.weight * count;
      }
      const double weight = window.weight * samples;
      unit_weights[unit] += weight;
      total += weight;
      squared_weights += window.weight * weight;
    }
    for (const double weight : unit_weights) sum_of_squares += weight * weight;
    if (total > 0) effective_samples = total * total / squared_weights;
  }
  size_t units() const { return unit_weights.size(); }
};

// sum_u (x_u - p n_u)^2 = sum of p^2 n_u^2 over all units + sum over those that saw the edge of
// (x_u - p n_u)^2 - p^2 n_u^2, all weighted.
double LinearisedVariance(const Sightings& seen, double share, const SeenEdges& all) {
  double sum = share * share * all.sum_of_squares;
  for (const auto& [unit, weight] : seen) {
    sum += weight * (weight - 2 * share * all.unit_weights[unit]);
  }
  const double units = static_cast<double>(all.units());
  return std::max(sum, 0.0) * units / (units - 1) / (all.total * all.total);
}

double ShareOf(const Sightings& seen, double total) {
  double sum = 0;
  for (const auto& [unit, weight] : seen) sum += weight;
  return std::min(sum / total, 1.0);
}

}  // namespace

EdgeEstimate EdgeEstimate::Times(double factor) const {
  return {edge, value * factor, low * factor, high * factor, variance * factor * factor};
}

double DeviationsHolding95(double degrees_of_freedom) {
  return StudentsTExceeded(kTail, degrees_of_freedom);
}

EdgeEstimate ExactCount(EdgeId edge, double calls) { return {edge, calls, calls, calls, 0}; }

std::vector<EdgeEstimate> EstimateShares(std::span<const WindowSamples> windows) {
  const SeenEdges all(windows);
  std::vector<EdgeEstimate> estimates;
  estimates.reserve(all.by_edge.size());
  // One sample per window and fewer than two units leave no degree of freedom.
  const bool known = all.units() >= 2 && all.effective_samples > 1;
  double students_ratio = 0;
  if (known) {
    const double ratio = DeviationsHolding95(all.effective_samples - 1) /
                         DeviationsHolding95(static_cast<double>(all.units() - 1));
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
    const double low = BetaLower(p * n, n - p * n + 1, kTail);
    const double high = p < 1 ? BetaUpper(p * n + 1, n - p * n, kTail) : 1;
    estimates.push_back({edge, p, std::min(low, p), std::max(high, p), variance});
  }
  return estimates;
}

std::vector<EdgeEstimate> BootstrapShares(std::span<const WindowSamples> windows, size_t replicates,
                                          RandomSource& random) {
  assert(replicates >= 2);
  const SeenEdges all(windows);
  // How often each replicate drew each unit.
  std::vector<uint16_t> drawn(replicates * all.units());
  std::vector<double> totals(replicates);
  for (size_t r = 0; r < replicates; ++r) {
    for (size_t i = 0; i < all.units(); ++i) {
      const size_t unit = random.UniformFromOneTo(all.units()) - 1;
      ++drawn[r * all.units() + unit];
      totals[r] += all.unit_weights[unit];
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
      for (const auto& [unit, in_unit] : seen) weight += drawn[r * all.units() + unit] * in_unit;
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
