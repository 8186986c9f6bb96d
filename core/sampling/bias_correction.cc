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

constexpr std::array<std::pair<BiasCorrection, std::string_view>, 3> kNames{{
    {BiasCorrection::kNone, "none"},
    {BiasCorrection::kDensity, "density"},
    {BiasCorrection::kDensityAndLatency, "density+latency"},
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

// Whether the windows that have a density hold at least half of the samples.
bool HaveDensities(const std::vector<WindowMeasures>& windows) {
  double samples = 0;
  double with_density = 0;
  for (const WindowMeasures& window : windows) {
    samples += window.samples;
    if (window.HasDensity()) with_density += window.samples;
  }
  return with_density * 2 >= samples;
}

// The CPU time that each window tells of: half of that before it and half of that behind it. What
// lies before a thread's first window is all its own.
std::vector<double> IntervalsAround(const std::vector<WindowMeasures>& windows) {
  std::vector<double> intervals(windows.size());
  std::map<ThreadId, size_t> previous;
  for (size_t w = 0; w < windows.size(); ++w) {
    const auto since_previous = static_cast<double>(std::max<int64_t>(0, windows[w].interval_ns));
    const auto [last, is_first] = previous.try_emplace(windows[w].thread, w);
    intervals[last->second] += since_previous / 2;
    intervals[w] += since_previous / 2;
    last->second = w;
  }
  return intervals;
}

std::vector<double> ByDensity(const std::vector<WindowMeasures>& windows, bool caps_density) {
  const double cap = caps_density ? DensityCap(windows) : std::numeric_limits<double>::infinity();
  const std::vector<double> intervals = IntervalsAround(windows);
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

// Before any correction of bias by latency.
std::vector<double> CallsMeanwhile(const std::vector<WindowMeasures>& windows,
                                   const BiasCorrectionOptions& options) {
  if (!options.is_continuous && HaveDensities(windows)) {
    return ByDensity(windows, options.caps_density);
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
  if (options.correction == BiasCorrection::kNone) ShareBySamples(windows, calls);
  if (options.correction == BiasCorrection::kDensityAndLatency) ShareByLatency(windows, calls);
  return calls;
}

}  // namespace yp
