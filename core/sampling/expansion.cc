#include "core/sampling/expansion.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

bool Ran(const TickActivity& tick) { return tick.cpu_ns > 0 || tick.calls > 0; }

// (sum w a)^2 / sum (w a)^2.
double EffectiveUnits(std::span<const double> weights, const GroupActivity& group) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const double weighted = weights[i] * group.ticks[i].cpu_ns;
    sum += weighted;
    squares += weighted * weighted;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

void Add(const GroupActivity& more, GroupActivity* sum) {
  for (size_t i = 0; i < more.ticks.size(); ++i) {
    sum->ticks[i].calls += more.ticks[i].calls;
    sum->ticks[i].cpu_ns += more.ticks[i].cpu_ns;
  }
  sum->program_cpu_ns += more.program_cpu_ns;
}

// Adds the group's calls to the expansion, and to each tick what it has more calls, or fewer, than
// the group's CPU time lets expect there, and what that is. Returns the group's g.
double AddGroup(std::span<const double> weights, const GroupActivity& group, Expansion* expansion,
                std::vector<double>* rest, std::vector<double>* expected) {
  double calls = 0, cpu_ns = 0;
  size_t units = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    calls += weights[i] * group.ticks[i].calls;
    cpu_ns += weights[i] * group.ticks[i].cpu_ns;
    if (Ran(group.ticks[i])) ++units;
  }
  const bool is_known = group.program_cpu_ns > 0 && cpu_ns > 0;
  const double g = is_known ? group.program_cpu_ns / cpu_ns : 1;
  expansion->calls += g * calls;
  if (units < 2) return g;
  // Without the CPU time, all ticks are taken to be alike.
  const auto n = static_cast<double>(units);
  const double ratio = is_known ? calls / cpu_ns : calls / n;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!Ran(group.ticks[i])) continue;
    const double alike = ratio * (is_known ? weights[i] * group.ticks[i].cpu_ns : 1);
    (*rest)[i] += g * std::sqrt(n / (n - 1)) * (weights[i] * group.ticks[i].calls - alike);
    (*expected)[i] += g * alike;
  }
  return g;
}

}  // namespace

Expansion Expand(std::span<const double> weights, std::span<const GroupActivity> groups) {
  Expansion expansion;
  std::vector<double> rest(weights.size(), 0), expected(weights.size(), 0);
  GroupActivity others;
  others.ticks.resize(weights.size());
  std::vector<bool> is_other;
  for (const GroupActivity& group : groups) {
    is_other.push_back(EffectiveUnits(weights, group) < kLeastUnits);
    if (is_other.back()) Add(group, &others);
  }
  const double g_of_others = AddGroup(weights, others, &expansion, &rest, &expected);
  for (size_t h = 0; h < groups.size(); ++h) {
    expansion.calibrations.push_back(
        is_other[h] ? g_of_others : AddGroup(weights, groups[h], &expansion, &rest, &expected));
  }
  double sum = 0, squares = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const bool ran = std::ranges::any_of(
        groups, [i](const GroupActivity& group) { return Ran(group.ticks[i]); });
    if (ran) ++expansion.units;
    expansion.variance += rest[i] * rest[i];
    sum += expected[i];
    squares += expected[i] * expected[i];
  }
  expansion.effective_units =
      squares > 0 ? sum * sum / squares : static_cast<double>(expansion.units);
  return expansion;
}

}  // namespace yp
