#include "format/profile/estimate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <vector>

namespace yp {
namespace {

constexpr double kDensityCapQuantile = 0.95;
constexpr double kZ95 = 1.959963984540054;

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
  const double cap = DensityCap(windows);
  const double stride = StrideOf(profile);
  std::vector<double> calls;
  calls.reserve(windows.size());
  for (const spool::Window& window : windows) {
    const double seen = std::max(static_cast<double>(window.calls), SamplesIn(window));
    if (!by_density) {
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

}  // namespace

void EstimateCalls(Profile* profile) {
  struct Sums {
    double samples = 0;
    double corrected = 0;
    double square = 0;  // Sum of s(w,e)^2.
    double cross = 0;   // Sum of s(w,e) S(w).
  };
  std::vector<Sums> sums(profile->edges.size());
  const std::vector<double> calls_behind = CallsBehind(*profile);
  double all_calls = 0;
  double all_samples = 0;
  double all_square = 0;  // Sum of S(w)^2.
  size_t sampled_windows = 0;
  for (size_t w = 0; w < profile->windows.size(); ++w) {
    const spool::Window& window = profile->windows[w];
    const double in_window = SamplesIn(window);
    all_calls += calls_behind[w];
    if (in_window == 0) continue;
    ++sampled_windows;
    all_samples += in_window;
    all_square += in_window * in_window;
    for (const auto& [edge, count] : window.samples) {
      Sums& sum = sums[ToIndex(edge)];
      sum.samples += count;
      sum.corrected += calls_behind[w] * count / in_window;
      sum.square += static_cast<double>(count) * count;
      sum.cross += count * in_window;
    }
  }
  const auto n = static_cast<double>(sampled_windows);
  for (size_t e = 0; e < sums.size(); ++e) {
    const Sums& sum = sums[e];
    EdgeStats& edge = profile->edges[e];
    edge.samples = static_cast<uint64_t>(sum.samples);
    if ((edge.flags & kEdgeExact) != 0 || sum.samples == 0) continue;
    const double share = sum.samples / all_samples;
    edge.flags |= kEdgeSampled;
    edge.calls = share * all_calls;
    edge.corrected = sum.corrected;
    edge.low = sum.samples;
    edge.high = all_calls;
    if (sampled_windows < 2) {
      edge.flags |= kEdgeNoInterval;
      continue;
    }
    // The square in var(p), multiplied out, so that windows without the edge need no visit.
    const double residual =
        std::max(0.0, sum.square - 2 * share * sum.cross + share * share * all_square);
    const double scale = all_calls / all_samples;
    edge.variance = n / (n - 1) * residual * scale * scale;
    const double half_width = kZ95 * std::sqrt(edge.variance);
    edge.low = std::max(edge.low, edge.calls - half_width);
    edge.high = std::min(edge.high, edge.calls + half_width);
  }
}

}  // namespace yp
