#include "core/sampling/expansion.h"

namespace yp {

Expansion Expand(std::span<const TickMeasures> ticks, double program_cpu_ns) {
  Expansion expansion;
  double calls = 0, cpu_ns = 0, squared_cpu = 0;
  for (const TickMeasures& tick : ticks) {
    calls += tick.weight * tick.calls;
    cpu_ns += tick.weight * tick.cpu_ns;
    squared_cpu += tick.weight * tick.cpu_ns * tick.weight * tick.cpu_ns;
    if (tick.cpu_ns > 0 || tick.calls > 0) ++expansion.units;
  }
  expansion.effective_units =
      squared_cpu > 0 ? cpu_ns * cpu_ns / squared_cpu : static_cast<double>(expansion.units);
  const bool is_known = program_cpu_ns > 0 && cpu_ns > 0;
  if (is_known) expansion.calibration = program_cpu_ns / cpu_ns;
  expansion.calls = expansion.calibration * calls;
  if (expansion.units < 2) return expansion;
  // Without the CPU time, all ticks are taken to be alike.
  const auto units = static_cast<double>(expansion.units);
  const double ratio = is_known ? calls / cpu_ns : calls / units;
  double squares = 0;
  for (const TickMeasures& tick : ticks) {
    if (tick.cpu_ns <= 0 && tick.calls <= 0) continue;
    const double rest =
        tick.weight * tick.calls - ratio * (is_known ? tick.weight * tick.cpu_ns : 1);
    squares += rest * rest;
  }
  expansion.variance =
      expansion.calibration * expansion.calibration * units / (units - 1) * squares;
  return expansion;
}

}  // namespace yp
