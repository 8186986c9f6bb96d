#include "format/profile/estimate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/graph/confidence.h"
#include "core/graph/shrinkage.h"
#include "core/sampling/bias_correction.h"

namespace yp {
namespace {

// About as long as a tick at compiled entries.
constexpr int64_t kUnitNs = 50'000'000;

double SamplesIn(const spool::Window& window) {
  double samples = 0;
  for (const auto& [edge, count] : window.samples) samples += count;
  return samples;
}

double StrideOf(const Profile& profile) {
  const std::string_view text = profile.ConfigOr("stride", "1");
  uint32_t stride = 1;
  std::from_chars(text.data(), text.data() + text.size(), stride);
  return std::max(1u, stride);
}

int64_t TickOf(const Profile& profile) {
  const std::string_view text = profile.ConfigOr("tick_ns", "0");
  int64_t tick_ns = 0;
  std::from_chars(text.data(), text.data() + text.size(), tick_ns);
  return tick_ns;
}

bool IsCountdown(const Profile& profile) { return profile.ConfigOr("policy", "") == "countdown"; }

bool HasListeners(const Profile& profile) { return profile.ConfigOr("mode", "") == "patching"; }

BiasCorrection CorrectionOf(const Profile& profile) {
  if (IsCountdown(profile)) return BiasCorrection::kNone;
  // Each has as many samples, however often its method is called.
  if (HasListeners(profile)) return BiasCorrection::kDensity;
  return BiasCorrectionFrom(profile.ConfigOr("correct", "")).value_or(kDefaultBiasCorrection);
}

std::vector<WindowMeasures> MeasuresOf(const std::vector<spool::Window>& windows) {
  std::vector<WindowMeasures> measures;
  measures.reserve(windows.size());
  for (const spool::Window& window : windows) {
    measures.push_back({.thread = window.thread,
                        .samples = SamplesIn(window),
                        .calls = static_cast<double>(window.calls),
                        .duration_ns = window.duration_ns,
                        .interval_ns = window.interval_ns,
                        .near_calls = static_cast<double>(window.near_calls),
                        .latency_ns = window.latency_ns});
  }
  return measures;
}

// N(w) of every window.
std::vector<double> CallsBehindWindowsOf(const Profile& profile, BiasCorrection correction) {
  return CallsBehind(MeasuresOf(profile.windows),
                     {.correction = correction,
                      .stride = StrideOf(profile),
                      // A listener's window is that of one method: how often it is called differs
                      // from method to method by orders of magnitude.
                      .caps_density = !HasListeners(profile),
                      .tick_ns = TickOf(profile),
                      .is_continuous = profile.ConfigOr("continuous", "no") == "yes"});
}

// What a sample is counted in, as if no call had been sampled yet.
void Forget(EdgeStats* edge) {
  edge->samples = 0;
  if ((edge->flags & kEdgeSampled) == 0) return;
  edge->flags &= ~uint32_t{kEdgeSampled | kEdgeNoInterval};
  edge->calls = edge->low = edge->high = edge->variance = edge->uncorrected = 0;
}

// What was sampled at one time, in whatever thread, is of one phase of the program: a unit.
std::vector<WindowSamples> WeightedWindows(const Profile& profile,
                                           const std::vector<double>& calls_behind) {
  std::vector<WindowSamples> windows;
  for (size_t w = 0; w < profile.windows.size(); ++w) {
    const spool::Window& window = profile.windows[w];
    const double samples = SamplesIn(window);
    if (samples == 0) continue;
    windows.push_back({.weight = calls_behind[w] / samples,
                       .unit = window.start_ns / kUnitNs,
                       .samples = window.samples});
  }
  return windows;
}

// As far as the correction is to be believed, and that of no correction for the rest.
std::vector<double> CallsBehindWindowsOf(const Profile& profile) {
  const BiasCorrection correction = CorrectionOf(profile);
  std::vector<double> calls_behind = CallsBehindWindowsOf(profile, correction);
  if (correction != BiasCorrection::kShrunkDensity) return calls_behind;
  const std::vector<double> plain = CallsBehindWindowsOf(profile, BiasCorrection::kNone);
  const double share =
      CorrectionShare(WeightedWindows(profile, calls_behind), WeightedWindows(profile, plain));
  for (size_t w = 0; w < calls_behind.size(); ++w) {
    calls_behind[w] = share * calls_behind[w] + (1 - share) * plain[w];
  }
  return calls_behind;
}

}  // namespace

void EstimateCalls(Profile* profile) {
  for (EdgeStats& edge : profile->edges) Forget(&edge);
  const std::vector<double> calls_behind = CallsBehindWindowsOf(*profile);
  const double all_calls = std::accumulate(calls_behind.begin(), calls_behind.end(), 0.0);
  const std::vector<WindowSamples> windows = WeightedWindows(*profile, calls_behind);
  double all_samples = 0;
  for (const spool::Window& window : profile->windows) {
    all_samples += SamplesIn(window);
    for (const auto& [edge, count] : window.samples) {
      profile->edges[ToIndex(edge)].samples += count;
    }
  }
  const bool is_one_unit = std::ranges::all_of(
      windows, [&](const WindowSamples& window) { return window.unit == windows.front().unit; });
  for (const EdgeEstimate& share : EstimateShares(windows)) {
    EdgeStats& edge = profile->edges[ToIndex(share.edge)];
    if ((edge.flags & (kEdgeExact | kEdgeOnce)) != 0) continue;
    const EdgeEstimate calls = share.Times(all_calls);
    edge.flags |= kEdgeSampled | (is_one_unit ? kEdgeNoInterval : 0u);
    edge.calls = calls.value;
    edge.uncorrected = all_calls * static_cast<double>(edge.samples) / all_samples;
    edge.low = std::max(calls.low, std::min(static_cast<double>(edge.samples), calls.value));
    edge.high = calls.high;
    edge.variance = calls.variance;
  }
}

void WidenIntervals(Profile* profile) {
  const std::string_view policy = profile->ConfigOr("policy", "");
  if (policy.empty()) return;
  const double factor = IsCountdown(*profile) ? kIntervalFactor : kIntervalFactorOfWindows;
  const double total = profile->total_calls();
  for (EdgeStats& edge : profile->edges) {
    const bool is_estimated = (edge.flags & (kEdgeSampled | kEdgeInferred)) != 0;
    if (!is_estimated || (edge.flags & kEdgeNoInterval) != 0 || edge.calls <= 0) continue;
    const auto seen = std::min(static_cast<double>(edge.samples), edge.calls);
    edge.low = std::max(seen, edge.calls * std::pow(edge.low / edge.calls, factor));
    edge.high =
        std::min(std::max(total, edge.high), edge.calls * std::pow(edge.high / edge.calls, factor));
    edge.variance *= factor * factor;
  }
}

Status Recorrect(BiasCorrection correction, Profile* profile) {
  if (profile->windows.empty()) {
    return Status::Error("nothing in it was sampled: there is no bias of windows to correct");
  }
  if (IsCountdown(*profile)) {
    return Status::Error(
        "its samples come after equal numbers of calls: there is no bias of windows to correct");
  }
  const auto is_inferred = [](const EdgeStats& edge) { return (edge.flags & kEdgeInferred) != 0; };
  if (std::ranges::any_of(profile->edges, is_inferred)) {
    return Status::Error(
        "its inlined calls were inferred under the correction that it was recorded with: record it "
        "with another one (yp run --correct)");
  }
  profile->config["correct"] = ToString(correction);
  EstimateCalls(profile);
  WidenIntervals(profile);
  return Status::Ok();
}

}  // namespace yp
