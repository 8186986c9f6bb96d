#include "core/amortize/sampled_calls.h"

#include <algorithm>

namespace yp {

Calls CallsOfAll(std::span<const ObservedUnit> units, double stacks, double samples) {
  double calls = 0, observed = 0, squares = 0;
  for (const ObservedUnit& unit : units) {
    calls += unit.calls;
    observed += unit.stacks;
    squares += unit.stacks * unit.stacks;
  }
  constexpr double kPriorVariance = kPriorDeviation * kPriorDeviation;
  // All that is known of the time is that these were seen.
  if (observed <= 0) return Calls::Sampled(calls, 1 / samples + kPriorVariance);
  double residuals = 0;
  for (const ObservedUnit& unit : units) {
    const double residual = unit.calls / calls - unit.stacks / observed;
    residuals += residual * residual;
  }
  const double n = observed * observed / squares;
  // V n = n^2 residuals / (n - 1) is the variance of one unit, by n - 1 that may differ.
  const double of_one = (n * n * residuals + kPriorUnits * kPriorVariance) / (n - 1 + kPriorUnits);
  return Calls::Sampled(stacks * calls / observed, std::max(of_one / n, 1 / samples));
}

}  // namespace yp
