#include "core/graph/overlap.h"

#include <algorithm>

namespace yp {
namespace {

size_t CountPresent(const DynamicCallGraph& graph) {
  return static_cast<size_t>(std::count_if(graph.edges().begin(), graph.edges().end(),
                                           [](const auto& entry) { return entry.second > 0; }));
}

}  // namespace

double Comparison::CommonPresence() const {
  const size_t all = common_edges + only_a + only_b;
  return all == 0 ? 0 : 100.0 * static_cast<double>(common_edges) / static_cast<double>(all);
}

Comparison Compare(const DynamicCallGraph& a, const DynamicCallGraph& b) {
  Comparison result;
  double common_share = 0;
  for (const auto& [edge, weight_in_a] : a.edges()) {
    const double weight_in_b = b.WeightOf(edge);
    if (weight_in_a <= 0 || weight_in_b <= 0) continue;
    ++result.common_edges;
    common_share += std::min(weight_in_a / a.total(), weight_in_b / b.total());
  }
  result.only_a = CountPresent(a) - result.common_edges;
  result.only_b = CountPresent(b) - result.common_edges;
  result.overlap = std::min(100 * common_share, 100.0);
  return result;
}

double Overlap(const DynamicCallGraph& a, const DynamicCallGraph& b) {
  return Compare(a, b).overlap;
}

}  // namespace yp
