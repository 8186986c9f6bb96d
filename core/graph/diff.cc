#include "core/graph/diff.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace yp {
namespace {

constexpr double kNormalQuantile = 1.959964;  // 97.5 %.
// The upper end of the exact 95 % interval of none out of n, times n: -ln(0.025).
constexpr double kUpperOfNone = 3.688879;

// A share of all calls, or calls, with its interval.
struct Share {
  double low = 0;
  double value = 0;
  double high = 0;
  Share Over(double total) const { return {low / total, value / total, high / total}; }
};

// What one independent sample of the edge stands for, by the lower end of its interval: of n
// samples with the share p, sqrt(p) has the variance (1 - p) / 4 n. Where all were the edge's, none
// was another's.
double UnitOf(const Share& share) {
  if (share.value >= 1) return (1 - share.low) / kUpperOfNone;
  const double deviation = (std::sqrt(share.value) - std::sqrt(share.low)) / kNormalQuantile;
  return 4 * deviation * deviation / (1 - share.value);
}

// The shares of a graph.
class Shares {
 public:
  explicit Shares(const Estimate& estimate) : estimate_(estimate) {
    std::vector<double> units;
    for (const auto& [edge, weight] : estimate.value.edges()) {
      const Share share = Known(edge);
      if (weight > 0 && share.low > 0 && share.low < share.value) units.push_back(UnitOf(share));
    }
    if (units.empty()) return;
    const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
    std::nth_element(units.begin(), middle, units.end());
    unit_ = *middle;
  }

  bool Has(const Edge& edge) const { return estimate_.value.WeightOf(edge) > 0; }
  // In calls.
  Share Calls(const Edge& edge) const {
    const double value = estimate_.value.WeightOf(edge);
    return {.low = std::min(value, estimate_.low.WeightOf(edge)),
            .value = value,
            .high = std::max(value, estimate_.high.WeightOf(edge))};
  }
  Share Known(const Edge& edge) const { return OfAll(Calls(edge)); }
  Share OfAll(const Share& calls) const {
    const double total = estimate_.value.total();
    return total > 0 ? calls.Over(total) : Share{};
  }
  // Where it is absent, with what the other graph knows of it.
  Share Of(const Edge& edge, const Shares& other) const {
    if (Has(edge)) return Known(edge);
    double unit = unit_;
    if (other.unit_ > 0 && other.Has(edge)) {
      unit = std::max(unit, UnitOf(other.Known(edge)) * unit_ / other.unit_);
    }
    return {.high = std::min(1.0, kUpperOfNone * unit)};
  }

 private:
  const Estimate& estimate_;
  double unit_ = 0;  // What a sample of an ordinary edge stands for; 0 where all was counted.
};

// Of a difference that is not negative, between estimates that may be too large, or too small, by
// so much. At the 95 % level.
double TwoSidedP(double difference, double may_be_less, double may_be_more) {
  const double deviation = std::hypot(may_be_less, may_be_more) / kNormalQuantile;
  if (difference <= 0) return 1;
  if (deviation <= 0) return 0;
  return std::erfc(difference / deviation / std::sqrt(2.0));
}

EdgeChange Compared(const Edge& edge, const Share& a, const Share& b) {
  const Share& larger = b.value >= a.value ? b : a;
  const Share& smaller = b.value >= a.value ? a : b;
  return {.edge = edge,
          .before = a.value,
          .after = b.value,
          .low = b.value - a.value - std::hypot(b.value - b.low, a.high - a.value),
          .high = b.value - a.value + std::hypot(b.high - b.value, a.value - a.low),
          .p_value = TwoSidedP(std::sqrt(larger.value) - std::sqrt(smaller.value),
                               std::sqrt(larger.value) - std::sqrt(larger.low),
                               std::sqrt(smaller.high) - std::sqrt(smaller.value))};
}

// Every edge of either graph, once.
template <typename Action>
void ForEachEdge(const Estimate& before, const Estimate& after, const Action& action) {
  for (const auto& [edge, weight] : before.value.edges()) {
    if (weight > 0) action(edge);
  }
  for (const auto& [edge, weight] : after.value.edges()) {
    if (weight > 0 && before.value.WeightOf(edge) <= 0) action(edge);
  }
}

// A method's calls in one graph. Those that were counted are added up before they are divided, so
// that equal ones stay equal.
struct MethodSum {
  Share calls;
  double unseen = 0;  // The share that edges may have that the graph has not.

  void Add(const Edge& edge, const Shares& own, const Shares& other) {
    if (!own.Has(edge)) {
      unseen += own.Of(edge, other).high;
      return;
    }
    const Share more = own.Calls(edge);
    calls.low += more.low;
    calls.value += more.value;
    calls.high += more.high;
  }
  Share Of(const Shares& own) const {
    Share share = own.OfAll(calls);
    share.high = std::max(share.value, std::min(1.0, share.high + unseen));
    return share;
  }
};

// Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995): with p-values in ascending order,
// q(i) = min over j >= i of p(j) m / j.
void SetQValues(std::vector<EdgeChange>& changes) {
  std::vector<size_t> order(changes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return changes[i].p_value; });
  double q = 1;
  for (size_t rank = order.size(); rank > 0; --rank) {
    EdgeChange& change = changes[order[rank - 1]];
    q = std::min(q, change.p_value * static_cast<double>(order.size()) / static_cast<double>(rank));
    change.q_value = q;
  }
}

std::vector<EdgeChange> Tested(std::vector<EdgeChange> changes) {
  SetQValues(changes);
  std::sort(changes.begin(), changes.end(), [](const EdgeChange& x, const EdgeChange& y) {
    const double change_x = std::abs(x.Change()), change_y = std::abs(y.Change());
    return change_x != change_y ? change_x > change_y : x.edge < y.edge;
  });
  return changes;
}

}  // namespace

std::vector<EdgeChange> Diff(const Estimate& before, const Estimate& after) {
  const Shares a(before), b(after);
  std::vector<EdgeChange> changes;
  ForEachEdge(before, after, [&](const Edge& edge) {
    changes.push_back(Compared(edge, a.Of(edge, b), b.Of(edge, a)));
  });
  return Tested(std::move(changes));
}

std::vector<EdgeChange> DiffByCallee(const Estimate& before, const Estimate& after) {
  const Shares a(before), b(after);
  std::map<MethodId, std::pair<MethodSum, MethodSum>> methods;
  ForEachEdge(before, after, [&](const Edge& edge) {
    auto& [in_a, in_b] = methods[edge.callee];
    in_a.Add(edge, a, b);
    in_b.Add(edge, b, a);
  });
  std::vector<EdgeChange> changes;
  changes.reserve(methods.size());
  for (const auto& [method, sums] : methods) {
    changes.push_back(Compared({kNoMethod, kNoBci, method}, sums.first.Of(a), sums.second.Of(b)));
  }
  return Tested(std::move(changes));
}

size_t CountSignificant(const std::vector<EdgeChange>& changes, double rate) {
  return static_cast<size_t>(std::ranges::count_if(
      changes, [rate](const EdgeChange& change) { return change.q_value <= rate; }));
}

}  // namespace yp
