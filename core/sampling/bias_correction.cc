#include "core/sampling/bias_correction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace yp {
namespace {

constexpr std::array<std::pair<BiasCorrection, std::string_view>, 4> kNames{{
    {BiasCorrection::kNone, "none"},
    {BiasCorrection::kDensity, "density"},
    {BiasCorrection::kDensityAndLatency, "density+latency"},
    {BiasCorrection::kShrunkDensity, "shrunk"},
}};

// Calls per ns.
double DensityOf(const WindowMeasures& window) {
  return (window.calls - 1) / static_cast<double>(window.duration_ns);
}

// The density that only one window in twenty exceeds.
double DensityCap(const std::vector<WindowMeasures>& windows) {
  std::vector<double> densities;
  for (const WindowMeasures& window : windows) {
    if (window.HasDensity()) densities.push_back(DensityOf(window));
  }
  if (densities.empty()) return 0;
  const auto rank = static_cast<size_t>(
      std::ceil(kDensityCapQuantile * static_cast<double>(densities.size())) - 1);
  const auto cap = densities.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(densities.begin(), cap, densities.end());
  return *cap;
}

// Whether the windows of which `has` is true hold at least half of the samples.
template <typename Has>
bool HoldHalf(const std::vector<WindowMeasures>& windows, Has has) {
  double all = 0;
  double held = 0;
  for (const WindowMeasures& window : windows) {
    all += window.samples;
    if (has(window)) held += window.samples;
  }
  return held * 2 >= all;
}

// What each window tells of, of something that was measured from the thread's previous window to
// it: half of that before it and half of that behind it. What lies before a thread's first window
// is all its own.
template <typename SincePrevious>
std::vector<double> ShareAround(const std::vector<WindowMeasures>& windows,
                                SincePrevious since_previous) {
  std::vector<double> around(windows.size());
  std::map<ThreadId, size_t> previous;
  for (size_t w = 0; w < windows.size(); ++w) {
    const double measured = std::max(0.0, static_cast<double>(since_previous(windows[w])));
    const auto [last, is_first] = previous.try_emplace(windows[w].thread, w);
    around[last->second] += measured / 2;
    around[w] += measured / 2;
    last->second = w;
  }
  return around;
}

std::vector<double> ByDensity(const std::vector<WindowMeasures>& windows,
                              const BiasCorrectionOptions& options) {
  const double cap =
      options.caps_density ? DensityCap(windows) : std::numeric_limits<double>::infinity();
  const int64_t most_ns =
      options.tick_ns > 0 ? options.tick_ns : std::numeric_limits<int64_t>::max();
  const std::vector<double> intervals = ShareAround(
      windows,
      [most_ns](const WindowMeasures& window) { return std::min(window.interval_ns, most_ns); });
  double measured_ns = 0;
  double measured_calls = 0;
  std::vector<double> calls(windows.size());
  for (size_t w = 0; w < windows.size(); ++w) {
    if (!windows[w].HasDensity()) continue;
    calls[w] = std::min(DensityOf(windows[w]), cap) * intervals[w];
    measured_ns += intervals[w];
    measured_calls += calls[w];
  }
  for (size_t w = 0; w < windows.size(); ++w) {
    const bool is_unknown = !windows[w].HasDensity() && windows[w].calls >= 2;
    if (is_unknown && measured_ns > 0) calls[w] = measured_calls / measured_ns * intervals[w];
    calls[w] = std::max(calls[w], windows[w].Seen());
  }
  return calls;
}

// The calls of the windows of which the processor counted the calls, shared by its counts.
void ShareByCounter(const std::vector<WindowMeasures>& windows, std::vector<double>& calls) {
  const auto has_count = [](const WindowMeasures& window) { return window.near_calls > 0; };
  if (windows.empty() || !HoldHalf(windows, has_count)) return;
  const std::vector<double> counted =
      ShareAround(windows, [](const WindowMeasures& window) { return window.near_calls; });
  double all_calls = 0;
  double all_counted = 0;
  for (size_t w = 0; w < windows.size(); ++w) {
    if (!has_count(windows[w])) continue;
    all_calls += calls[w];
    all_counted += counted[w];
  }
  for (size_t w = 0; w < windows.size(); ++w) {
    if (has_count(windows[w])) calls[w] = all_calls / all_counted * counted[w];
  }
}

// Before any correction of bias by latency.
std::vector<double> CallsMeanwhile(const std::vector<WindowMeasures>& windows,
                                   const BiasCorrectionOptions& options) {
  const auto has_density = [](const WindowMeasures& window) { return window.HasDensity(); };
  if (!options.is_continuous && HoldHalf(windows, has_density)) {
    return ByDensity(windows, options);
  }
  std::vector<double> calls;
  calls.reserve(windows.size());
  for (const WindowMeasures& window : windows) {
    calls.push_back(options.is_continuous ? window.Seen() : window.samples * options.stride);
  }
  return calls;
}

void ShareBySamples(const std::vector<WindowMeasures>& windows, std::vector<double>& calls) {
  const double all_calls = std::accumulate(calls.begin(), calls.end(), 0.0);
  double samples = 0;
  for (const WindowMeasures& window : windows) samples += window.samples;
  for (size_t w = 0; w < windows.size(); ++w) {
    calls[w] = samples > 0 ? all_calls * windows[w].samples / samples : 0;
  }
}

void ShareByLatency(const std::vector<WindowMeasures>& windows, std::vector<double>& calls) {
  struct Sums {
    double calls = 0, weighted = 0;
  };
  std::map<ThreadId, Sums> threads;
  std::vector<double> weights;
  weights.reserve(windows.size());
  for (size_t w = 0; w < windows.size(); ++w) {
    const auto latency = static_cast<double>(std::max<int64_t>(0, windows[w].latency_ns));
    weights.push_back(1 / (1 + latency / kHalfWeightLatencyNs));
    Sums& sums = threads[windows[w].thread];
    sums.calls += calls[w];
    sums.weighted += calls[w] * weights[w];
  }
  for (size_t w = 0; w < windows.size(); ++w) {
    const Sums& sums = threads[windows[w].thread];
    if (sums.weighted > 0) calls[w] *= weights[w] * sums.calls / sums.weighted;
  }
}

}  // namespace

std::string_view ToString(BiasCorrection correction) {
  for (const auto& [known, name] : kNames) {
    if (known == correction) return name;
  }
  return "";
}

std::optional<BiasCorrection> BiasCorrectionFrom(std::string_view name) {
  for (const auto& [correction, known] : kNames) {
    if (known == name) return correction;
  }
  return std::nullopt;
}

std::vector<double> CallsBehind(const std::vector<WindowMeasures>& windows,
                                const BiasCorrectionOptions& options) {
  std::vector<double> calls = CallsMeanwhile(windows, options);
  if (options.correction == BiasCorrection::kNone) {
    ShareBySamples(windows, calls);
  } else if (!options.is_continuous) {
    ShareByCounter(windows, calls);
  }
  if (options.correction == BiasCorrection::kDensityAndLatency) ShareByLatency(windows, calls);
  return calls;
}

}  // namespace yp
