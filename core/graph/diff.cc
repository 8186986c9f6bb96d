#include "core/graph/diff.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

double Share(double weight, double total) { return total > 0 ? weight / total : 0; }

}  // namespace

std::vector<EdgeChange> Diff(const DynamicCallGraph& before, const DynamicCallGraph& after) {
  std::vector<EdgeChange> changes;
  for (const auto& [edge, weight] : before.edges()) {
    changes.push_back(
        {edge, Share(weight, before.total()), Share(after.WeightOf(edge), after.total())});
  }
  for (const auto& [edge, weight] : after.edges()) {
    if (!before.edges().contains(edge)) changes.push_back({edge, 0, Share(weight, after.total())});
  }
  std::sort(changes.begin(), changes.end(), [](const EdgeChange& a, const EdgeChange& b) {
    const double change_a = std::abs(a.Change()), change_b = std::abs(b.Change());
    return change_a != change_b ? change_a > change_b : a.edge < b.edge;
  });
  return changes;
}

}  // namespace yp
