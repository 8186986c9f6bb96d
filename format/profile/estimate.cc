#include "format/profile/estimate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "core/graph/confidence.h"

namespace yp {
namespace {

constexpr double kDensityCapQuantile = 0.95;
// About as long as a tick at compiled entries.
constexpr int64_t kUnitNs = 50'000'000;

double SamplesIn(const spool::Window& window) {
  double samples = 0;
  for (const auto& [edge, count] : window.samples) samples += count;
  return samples;
}

bool HasDensity(const spool::Window& window) {
  return window.calls >= 2 && window.duration_ns > 0 && window.interval_ns > 0;
}

// Calls per ns.
double DensityOf(const spool::Window& window) {
  return static_cast<double>(window.calls - 1) / static_cast<double>(window.duration_ns);
}

double StrideOf(const Profile& profile) {
  const std::string_view text = profile.ConfigOr("stride", "1");
  uint32_t stride = 1;
  std::from_chars(text.data(), text.data() + text.size(), stride);
  return std::max(1u, stride);
}

// The density that only one window in twenty exceeds.
double DensityCap(const std::vector<spool::Window>& windows) {
  std::vector<double> densities;
  for (const spool::Window& window : windows) {
    if (HasDensity(window)) densities.push_back(DensityOf(window));
  }
  if (densities.empty()) return 0;
  const auto rank = static_cast<size_t>(
      std::ceil(kDensityCapQuantile * static_cast<double>(densities.size())) - 1);
  const auto cap = densities.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(densities.begin(), cap, densities.end());
  return *cap;
}

// N(w) of every window.
std::vector<double> CallsBehind(const Profile& profile) {
  const std::vector<spool::Window>& windows = profile.windows;
  double samples = 0;
  double samples_with_density = 0;
  for (const spool::Window& window : windows) {
    const double here = SamplesIn(window);
    samples += here;
    if (HasDensity(window)) samples_with_density += here;
  }
  const bool by_density = samples_with_density * 2 >= samples;
  const bool sees_all = profile.ConfigOr("continuous", "no") == "yes";
  // A listener's window is that of one method: how often it is called differs from method to method
  // by orders of magnitude.
  const bool of_methods = profile.ConfigOr("mode", "") == "patching";
  const double cap = of_methods ? std::numeric_limits<double>::infinity() : DensityCap(windows);
  const double stride = StrideOf(profile);
  std::vector<double> calls;
  calls.reserve(windows.size());
  for (const spool::Window& window : windows) {
    const double seen = std::max(static_cast<double>(window.calls), SamplesIn(window));
    if (sees_all) {
      calls.push_back(seen);
    } else if (!by_density) {
      calls.push_back(SamplesIn(window) * stride);
    } else if (!HasDensity(window)) {
      calls.push_back(seen);
    } else {
      const double density = std::min(DensityOf(window), cap);
      calls.push_back(std::max(seen, density * static_cast<double>(window.interval_ns)));
    }
  }
  return calls;
}

// So that every sample stands for as many calls.
void ShareEqually(const Profile& profile, double all_calls, std::vector<double>& calls_behind) {
  double samples = 0;
  for (const spool::Window& window : profile.windows) samples += SamplesIn(window);
  for (size_t w = 0; w < calls_behind.size(); ++w) {
    calls_behind[w] = all_calls * SamplesIn(profile.windows[w]) / std::max(1.0, samples);
  }
}

// What was sampled together: a window, or where calls are counted down all along what came at one
// time, in whatever thread: of one phase of the program.
std::vector<WindowSamples> UnitsOf(const Profile& profile,
                                   const std::vector<double>& calls_behind) {
  const bool is_countdown = profile.ConfigOr("policy", "") == "countdown";
  std::vector<WindowSamples> units;
  std::map<int64_t, std::map<EdgeId, uint32_t>> by_time;
  double weight = 1;
  for (size_t w = 0; w < profile.windows.size(); ++w) {
    const spool::Window& window = profile.windows[w];
    const double in_window = SamplesIn(window);
    if (in_window == 0) continue;
    weight = calls_behind[w] / in_window;
    if (!is_countdown) {
      units.push_back({.weight = weight, .samples = window.samples});
      continue;
    }
    std::map<EdgeId, uint32_t>& unit = by_time[window.start_ns / kUnitNs];
    for (const auto& [edge, count] : window.samples) unit[edge] += count;
  }
  for (const auto& [time, samples] : by_time) {
    units.push_back({.weight = weight, .samples = {samples.begin(), samples.end()}});
  }
  return units;
}

}  // namespace

void EstimateCalls(Profile* profile) {
  std::vector<double> calls_behind = CallsBehind(*profile);
  const double all_calls = std::accumulate(calls_behind.begin(), calls_behind.end(), 0.0);
  if (profile->ConfigOr("policy", "") == "countdown")
    ShareEqually(*profile, all_calls, calls_behind);
  const std::vector<WindowSamples> units = UnitsOf(*profile, calls_behind);
  double all_samples = 0;
  for (const spool::Window& window : profile->windows) {
    all_samples += SamplesIn(window);
    for (const auto& [edge, count] : window.samples) {
      profile->edges[ToIndex(edge)].samples += count;
    }
  }
  for (const EdgeEstimate& share : EstimateShares(units)) {
    EdgeStats& edge = profile->edges[ToIndex(share.edge)];
    if ((edge.flags & (kEdgeExact | kEdgeOnce)) != 0) continue;
    const EdgeEstimate calls = share.Times(all_calls);
    edge.flags |= kEdgeSampled | (units.size() < 2 ? kEdgeNoInterval : 0u);
    edge.calls = calls.value;
    edge.uncorrected = all_calls * static_cast<double>(edge.samples) / all_samples;
    edge.low = std::max(calls.low, std::min(static_cast<double>(edge.samples), calls.value));
    edge.high = calls.high;
    edge.variance = calls.variance;
  }
}

}  // namespace yp
