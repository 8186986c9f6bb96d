#include "core/graph/accuracy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/graph/overlap.h"
#include "core/graph/transform.h"

namespace yp {

Presence TopPresence(const DynamicCallGraph& reference, const DynamicCallGraph& sampled,
                     double top_percent) {
  std::vector<double> weights;
  for (const auto& [edge, weight] : reference.edges()) {
    if (weight > 0) weights.push_back(weight);
  }
  if (weights.empty()) return {};
  // The small term keeps 20 % of 5 edges at 1, whatever the division rounds to.
  const double exact = top_percent / 100 * static_cast<double>(weights.size());
  const size_t top =
      std::clamp<size_t>(static_cast<size_t>(std::ceil(exact - 1e-9)), 1, weights.size());
  std::nth_element(weights.begin(), weights.begin() + static_cast<ptrdiff_t>(top - 1),
                   weights.end(), std::greater<>());
  const double last = weights[top - 1];

  double above = 0, above_found = 0, above_weight = 0, above_found_weight = 0;
  double tied = 0, tied_found = 0;
  for (const auto& [edge, weight] : reference.edges()) {
    if (weight < last || weight <= 0) continue;
    const bool found = sampled.WeightOf(edge) > 0;
    if (weight > last) {
      ++above;
      above_weight += weight;
      above_found += found;
      above_found_weight += found ? weight : 0;
    } else {
      ++tied;
      tied_found += found;
    }
  }
  const double places = static_cast<double>(top) - above;
  const double places_found = places * tied_found / tied;
  return {.edges = top,
          .unweighted = 100 * (above_found + places_found) / static_cast<double>(top),
          .weighted =
              100 * (above_found_weight + places_found * last) / (above_weight + places * last)};
}

std::optional<double> Stability(std::span<const DynamicCallGraph> runs) {
  if (runs.size() < 2) return std::nullopt;
  double sum = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (size_t j = i + 1; j < runs.size(); ++j) sum += Overlap(runs[i], runs[j]);
  }
  return sum / (static_cast<double>(runs.size() * (runs.size() - 1)) / 2);
}

HotEdges HotEdgeCoverage(const DynamicCallGraph& reference, const DynamicCallGraph& sampled,
                         double hot_share) {
  HotEdges result;
  for (const auto& [edge, weight] : reference.edges()) {
    if (weight <= hot_share * reference.total()) continue;
    ++result.in_reference;
    if (sampled.WeightOf(edge) > hot_share * sampled.total()) ++result.in_both;
  }
  return result;
}

Estimate CollapseCallSites(const Estimate& estimate) {
  DynamicCallGraph below, above;  // Squared distances.
  for (const auto& [edge, value] : estimate.value.edges()) {
    const Edge pair{edge.caller, kNoBci, edge.callee};
    const double to_low = value - estimate.low.WeightOf(edge);
    const double to_high = estimate.high.WeightOf(edge) - value;
    below.Add(pair, to_low * to_low);
    above.Add(pair, to_high * to_high);
  }
  Estimate collapsed;
  collapsed.value = CollapseCallSites(estimate.value);
  for (const auto& [pair, value] : collapsed.value.edges()) {
    collapsed.low.Add(pair, value - std::sqrt(below.WeightOf(pair)));
    collapsed.high.Add(pair, value + std::sqrt(above.WeightOf(pair)));
  }
  return collapsed;
}

Coverage IntervalCoverage(const DynamicCallGraph& reference, const Estimate& estimate,
                          double min_share) {
  Coverage result;
  const double total = estimate.value.total();
  for (const auto& [edge, weight] : reference.edges()) {
    if (weight <= 0 || weight < min_share * reference.total()) continue;
    ++result.edges;
    const double calls = weight / reference.total() * total;
    if (estimate.value.WeightOf(edge) <= 0) {
      ++result.missing;
    } else if (calls > estimate.high.WeightOf(edge)) {
      ++result.too_small;
    } else if (calls < estimate.low.WeightOf(edge)) {
      ++result.too_large;
    } else {
      ++result.held;
    }
  }
  const double percent = 100 / std::max(1.0, static_cast<double>(result.edges));
  for (double* part : {&result.held, &result.missing, &result.too_small, &result.too_large}) {
    *part *= percent;
  }
  return result;
}

}  // namespace yp
