#ifndef YP_CORE_AMORTIZE_SAMPLED_CALLS_H_
#define YP_CORE_AMORTIZE_SAMPLED_CALLS_H_

#include <optional>
#include <span>

#include "core/amortize/pay_off.h"

namespace yp {

// A part of a run in which calls of a version were sampled for some of the time.
struct ObservedUnit {
  double calls = 0;  // That there were meanwhile, by their samples.
  // Stacks that ended in the version's code meanwhile, in the mean: those of the whole unit, by the
  // part of the program's CPU time in which calls were sampled.
  double stacks = 0;
  // Those of the whole unit, as they were counted; 0 where `stacks` is known without counting.
  double counted = 0;
};

// How often a version was called, all in all: as often for each of its `stacks` as in the units,
// of which one at least has calls. `samples` of calls, above 0. Nothing where no stack of the units
// ended in its code: what was seen is then a part of all calls, and nobody knows how large a part.
// For units u:
//
//   N = S sum y(u) / sum x(u)          S: stacks, y: calls, x: stacks of the units
//   V = n / (n - 1) sum (y(u) - R x(u))^2 / (sum y(u))^2,   R = sum y / sum x
//
// The ratio estimator (Cochran, "Sampling Techniques", 3rd edition, 1977, sections 6.1 and 6.3): it
// does not matter how much of a tick a thread was descheduled. V, of the logarithm of N, has both
// the chance of which calls were sampled and that of which times lay in ticks. Few units say little
// of how much they differ, one says nothing: as many as kPriorUnits that differ by kPriorDeviation
// are added to them. n: as many units of equal weight would tell as much (Kish). V is at least what
// chance makes of so few samples and of so few stacks in the units: 1 / samples + 1 / counted.
inline constexpr double kPriorUnits = 2;
inline constexpr double kPriorDeviation = 0.5;
std::optional<Calls> CallsOfAll(std::span<const ObservedUnit> units, double stacks, double samples);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_SAMPLED_CALLS_H_
