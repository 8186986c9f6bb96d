#include "core/graph/shrinkage.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace yp {
namespace {

// Of an edge, or of all: by the corrected weights, and by the plain ones.
struct Both {
  double corrected = 0, plain = 0;
};

struct Unit {
  Both all;
  std::map<EdgeId, Both> of_edge;
};

// Weighted samples as shares of all of them.
class SharesByUnit {
 public:
  SharesByUnit(std::span<const WindowSamples> corrected, std::span<const WindowSamples> plain) {
    Both total;
    for (size_t w = 0; w < corrected.size(); ++w) {
      for (const auto& [edge, count] : corrected[w].samples) {
        total.corrected += corrected[w].weight * count;
        total.plain += plain[w].weight * count;
      }
    }
    if (total.corrected <= 0 || total.plain <= 0) return;
    std::map<int64_t, size_t> known_units;
    for (size_t w = 0; w < corrected.size(); ++w) {
      if (corrected[w].samples.empty()) continue;
      const size_t next = units.size();
      const size_t unit = corrected[w].unit
                              ? known_units.try_emplace(*corrected[w].unit, next).first->second
                              : next;
      if (unit == next) units.emplace_back();
      for (const auto& [edge, count] : corrected[w].samples) {
        const Both share{corrected[w].weight * count / total.corrected,
                         plain[w].weight * count / total.plain};
        for (Both* sum : {&units[unit].all, &units[unit].of_edge[edge], &of_edge[edge]}) {
          sum->corrected += share.corrected;
          sum->plain += share.plain;
        }
      }
    }
  }

  std::vector<Unit> units;
  std::map<EdgeId, Both> of_edge;
};

// Sums over the edges.
struct Moments {
  double corrected = 0;   // Variance.
  double plain = 0;       // Variance.
  double covariance = 0;  // Of the two.
};

// The residual of an edge in a unit is x - p n, as in EstimateShares. Of edges that the unit has
// not seen it is -p n: the sum over all edges is that of these, and what the seen ones differ by.
Moments MomentsOf(const SharesByUnit& shares) {
  Moments unseen;
  for (const auto& [edge, p] : shares.of_edge) {
    unseen.corrected += p.corrected * p.corrected;
    unseen.plain += p.plain * p.plain;
    unseen.covariance += p.corrected * p.plain;
  }
  Moments moments;
  for (const Unit& unit : shares.units) {
    moments.corrected += unit.all.corrected * unit.all.corrected * unseen.corrected;
    moments.plain += unit.all.plain * unit.all.plain * unseen.plain;
    moments.covariance += unit.all.corrected * unit.all.plain * unseen.covariance;
    for (const auto& [edge, x] : unit.of_edge) {
      const Both& p = shares.of_edge.at(edge);
      const Both expected{p.corrected * unit.all.corrected, p.plain * unit.all.plain};
      moments.corrected += x.corrected * (x.corrected - 2 * expected.corrected);
      moments.plain += x.plain * (x.plain - 2 * expected.plain);
      moments.covariance +=
          x.corrected * x.plain - x.corrected * expected.plain - x.plain * expected.corrected;
    }
  }
  const auto units = static_cast<double>(shares.units.size());
  for (double* sum : {&moments.corrected, &moments.plain, &moments.covariance}) {
    *sum *= units / (units - 1);
  }
  return moments;
}

}  // namespace

double CorrectionShare(std::span<const WindowSamples> corrected,
                       std::span<const WindowSamples> plain) {
  assert(corrected.size() == plain.size());
  const SharesByUnit shares(corrected, plain);
  if (shares.units.size() < 2) return 1;
  const Moments moments = MomentsOf(shares);
  double squared_difference = 0;
  for (const auto& [edge, p] : shares.of_edge) {
    squared_difference += (p.corrected - p.plain) * (p.corrected - p.plain);
  }
  const double by_chance = moments.corrected + moments.plain - 2 * moments.covariance;
  const double squared_bias = std::max(0.0, squared_difference - by_chance);
  if (squared_bias + by_chance <= 0) return 1;
  return std::clamp(
      (squared_bias + moments.plain - moments.covariance) / (squared_bias + by_chance), 0.0, 1.0);
}

}  // namespace yp
