#include "core/amortize/sampled_calls.h"

#include <algorithm>

namespace yp {

std::optional<Calls> CallsOfAll(std::span<const ObservedUnit> units, double stacks,
                                double samples) {
  double calls = 0, observed = 0, counted = 0, squares = 0;
  for (const ObservedUnit& unit : units) {
    calls += unit.calls;
    observed += unit.stacks;
    counted += unit.counted;
    squares += unit.stacks * unit.stacks;
  }
  constexpr double kPriorVariance = kPriorDeviation * kPriorDeviation;
  if (observed <= 0) return std::nullopt;
  double residuals = 0;
  for (const ObservedUnit& unit : units) {
    const double residual = unit.calls / calls - unit.stacks / observed;
    residuals += residual * residual;
  }
  const double n = observed * observed / squares;
  // V n = n^2 residuals / (n - 1) is the variance of one unit, by n - 1 that may differ.
  const double of_one = (n * n * residuals + kPriorUnits * kPriorVariance) / (n - 1 + kPriorUnits);
  const double of_counts = 1 / samples + (counted > 0 ? 1 / counted : 0);
  return Calls::Sampled(stacks * calls / observed, std::max(of_one / n, of_counts));
}

}  // namespace yp
