#include "format/profile/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/confidence.h"
#include "core/graph/shrinkage.h"
#include "core/inference/infer.h"
#include "core/options/config_keys.h"
#include "core/sampling/bias_correction.h"
#include "core/sampling/expansion.h"
#include "format/profile/drop_reasons.h"
#include "format/profile/sampled_in_ticks.h"

namespace yp {
namespace {

// About as long as a tick at compiled entries.
constexpr int64_t kUnitNs = 50'000'000;

double StrideOf(const Profile& profile) {
  return static_cast<double>(std::max<int64_t>(1, NumberOf(profile, config_key::kStride)));
}

bool IsContinuous(const Profile& profile) {
  return profile.ConfigOr(config_key::kContinuous, "no") == "yes";
}

bool HasListeners(const Profile& profile) {
  return profile.ConfigOr(config_key::kMode, "") == "patching";
}

BiasCorrection CorrectionOf(const Profile& profile) {
  if (IsCountdown(profile)) return BiasCorrection::kNone;
  // Each has as many samples, however often its method is called.
  if (HasListeners(profile)) return BiasCorrection::kDensity;
  return BiasCorrectionFrom(profile.ConfigOr(config_key::kCorrect, ""))
      .value_or(kDefaultBiasCorrection);
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
                      .tick_ns = NumberOf(profile, config_key::kTickNs),
                      .is_continuous = IsContinuous(profile)});
}

// What a sample is counted in, as if no call had been sampled yet.
void Forget(EdgeStats* edge) {
  edge->samples = 0;
  edge->intervals = 0;
  if ((edge->flags & kEdgeSampled) == 0) return;
  edge->flags &= ~uint32_t{kEdgeSampled | kEdgeNoInterval};
  edge->calls = edge->low = edge->high = edge->variance = edge->uncorrected = 0;
}

// What was sampled at one time, in whatever thread, is of one phase of the program: a unit.
int64_t UnitOf(const spool::Window& window, const TickIndex& ticks) {
  if (const std::optional<size_t> tick = ticks.Find(window)) return static_cast<int64_t>(*tick);
  return -1 - window.start_ns / kUnitNs;
}

std::vector<WindowSamples> WeightedWindows(const Profile& profile,
                                           const std::vector<double>& calls_behind) {
  const TickIndex ticks(profile);
  std::vector<WindowSamples> windows;
  for (size_t w = 0; w < profile.windows.size(); ++w) {
    const spool::Window& window = profile.windows[w];
    const double samples = SamplesIn(window);
    if (samples == 0) continue;
    windows.push_back({.weight = calls_behind[w] / samples,
                       .unit = UnitOf(window, ticks),
                       .samples = window.samples});
  }
  return windows;
}

// What windows stand for, and the variance of what they stand for together.
struct CallScale {
  std::vector<double> calls_behind;  // N(w).
  std::optional<double> relative_variance;
  double may_be_more = 1;  // There may be so many times as many, beyond what the variance says.
};

// Of few ticks it is larger, so that kDeviationsOf95 deviations hold 95 %.
std::optional<double> RelativeVariance(const Expansion& expansion) {
  if (expansion.units < 2 || expansion.calls <= 0) return std::nullopt;
  const double few =
      DeviationsHolding95(std::max(1.0, expansion.effective_units - 1)) / kDeviationsOf95;
  return few * few * expansion.variance / (expansion.calls * expansion.calls);
}

// For one sample whose edge is known, so many were taken.
double SamplesPerKnown(const Profile& profile) {
  double known = 0, unknown = 0;
  for (const spool::Window& window : profile.windows) known += SamplesIn(window);
  for (const Dropped& drop : DropsOf(profile)) {
    if (drop.is_sample) unknown += static_cast<double>(drop.count);
  }
  return known > 0 ? 1 + unknown / known : 1;
}

// A call that is counted down in rewritten code costs that many times as much as was measured, at
// most: that was in a loop, but a tick of some milliseconds finds the code cold. By the exact
// number of calls it was 1.7 times as much in sunflow and 5.4 in h2 (JDK 17, 2026-11; ./yp eval
// numbers h2 sunflow --jdk 17 --iterations 20).
constexpr double kDearestArmedCall = 6;

// Calls are counted down in ticks.
CallScale ScaleByTicks(const Profile& profile) {
  const double calls_per_interval = IntervalOf(profile) * SamplesPerKnown(profile);
  const SampledInTicks sampled(profile);
  const auto [weights, expansion] =
      sampled.Expand(calls_per_interval, ObservingCost(profile, sampled.all()));
  CallScale scale;
  if (profile.ConfigOr(config_key::kProbe, "") == "bytecode" && expansion.calls > 0) {
    const ObservingCost dear(profile, sampled.all(), kDearestArmedCall);
    const double most = sampled.Expand(calls_per_interval, dear).expansion.calls;
    scale.may_be_more = std::max(1.0, most / expansion.calls);
  }
  scale.relative_variance = RelativeVariance(expansion);
  for (size_t w = 0; w < profile.windows.size(); ++w) {
    const std::optional<SampledInTicks::Place>& place = sampled.places()[w];
    // A window whose tick was lost with a part of the spool stands for itself.
    const double each =
        place ? std::max(1.0, expansion.calibrations[place->group] * weights[place->tick]) : 1;
    scale.calls_behind.push_back(IntervalsIn(profile, profile.windows[w]) * calls_per_interval *
                                 each);
  }
  return scale;
}

// Calls are counted down all the time.
CallScale ScaleByCounting(const Profile& profile) {
  const double calls_per_interval = IntervalOf(profile) * SamplesPerKnown(profile);
  CallScale scale;
  double samples = 0;
  for (const spool::Window& window : profile.windows) {
    samples += SamplesIn(window);
    scale.calls_behind.push_back(IntervalsIn(profile, window) * calls_per_interval);
  }
  if (samples > 0) scale.relative_variance = 1 / samples;
  return scale;
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

// Windows come at equal times.
CallScale ScaleByDensity(const Profile& profile) {
  CallScale scale;
  scale.calls_behind = CallsBehindWindowsOf(profile);
  const TickIndex index(profile);
  std::map<int64_t, TickActivity> units;
  GroupActivity all;
  for (size_t w = 0; w < profile.windows.size(); ++w) {
    const auto interval_ns =
        static_cast<double>(std::max<int64_t>(0, profile.windows[w].interval_ns));
    TickActivity& unit = units[UnitOf(profile.windows[w], index)];
    unit.calls += scale.calls_behind[w];
    unit.cpu_ns += interval_ns;
    all.program_cpu_ns += interval_ns;
  }
  for (const auto& [number, unit] : units) all.ticks.push_back(unit);
  const std::vector<double> weights(all.ticks.size(), 1);
  scale.relative_variance = RelativeVariance(Expand(weights, std::span(&all, 1)));
  return scale;
}

CallScale ScaleOf(const Profile& profile) {
  const bool is_counted_down = IsCountdown(profile) && !HasListeners(profile);
  if (is_counted_down && IsContinuous(profile)) return ScaleByCounting(profile);
  // Windows of older versions have their calls, and no ticks. Where there are neither, the ticks
  // were lost, as when the JVM was killed in its first.
  const bool has_calls = std::ranges::any_of(
      profile.windows, [](const spool::Window& window) { return window.calls > 0; });
  const bool is_in_ticks = !profile.ticks.empty() || !has_calls;
  if (is_counted_down && is_in_ticks) return ScaleByTicks(profile);
  return ScaleByDensity(profile);
}

}  // namespace

void EstimateCalls(Profile* profile) {
  for (EdgeStats& edge : profile->edges) Forget(&edge);
  for (const spool::Window& window : profile->windows) {
    const double each = IntervalsPerSample(*profile, window.steps);
    for (const auto& [edge, count] : window.samples) {
      profile->edges[ToIndex(edge)].samples += count;
      profile->edges[ToIndex(edge)].intervals += count * each;
    }
  }
  const CallScale scale = ScaleOf(*profile);
  const std::vector<double>& calls_behind = scale.calls_behind;
  profile->total_deviation.reset();
  if (scale.relative_variance) profile->total_deviation = std::sqrt(*scale.relative_variance);
  profile->total_may_be_more = scale.may_be_more;
  const double all_calls = std::accumulate(calls_behind.begin(), calls_behind.end(), 0.0);
  const std::vector<WindowSamples> windows = WeightedWindows(*profile, calls_behind);
  const double all_intervals = profile->total_intervals();
  const bool is_one_unit = std::ranges::all_of(
      windows, [&](const WindowSamples& window) { return window.unit == windows.front().unit; });
  for (size_t w = 0; w < profile->windows.size(); ++w) {
    const double samples = SamplesIn(profile->windows[w]);
    profile->windows[w].weight = samples > 0 ? calls_behind[w] / samples : 0;
  }
  for (const EdgeEstimate& share : EstimateShares(windows)) {
    EdgeStats& edge = profile->edges[ToIndex(share.edge)];
    if ((edge.flags & (kEdgeExact | kEdgeOnce)) != 0) continue;
    const EdgeEstimate calls = share.Times(all_calls);
    edge.flags |= kEdgeSampled | (is_one_unit ? kEdgeNoInterval : 0u);
    edge.calls = calls.value;
    edge.uncorrected = all_calls * edge.intervals / all_intervals;
    edge.low = std::max(calls.low, std::min(static_cast<double>(edge.samples), calls.value));
    edge.high = calls.high;
    edge.share_low = calls.low;
    edge.share_high = calls.high;
    edge.variance = calls.variance;
  }
}

double IntervalFactorOf(const Profile& profile) {
  if (profile.ConfigOr(config_key::kPolicy, "").empty()) return 1;
  return IsCountdown(profile) ? kIntervalFactor : kIntervalFactorOfWindows;
}

double MostCalls(const Profile& profile) {
  const auto cpu_ns = static_cast<double>(NumberOf(profile, config_key::kCostProgramCpuNs));
  return cpu_ns > 0 ? cpu_ns * kMostCallsPerNs : std::numeric_limits<double>::max();
}

void FinishIntervals(Profile* profile) {
  const double factor = IntervalFactorOf(*profile);
  const double total = profile->total_calls();
  const double total_log_deviation =
      kDeviationsOf95 * std::sqrt(std::log1p(std::pow(profile->total_deviation.value_or(0), 2)));
  const double most = MostCalls(*profile);
  for (EdgeStats& edge : profile->edges) {
    const bool is_estimated = (edge.flags & (kEdgeSampled | kEdgeInferred)) != 0;
    if (is_estimated && edge.calls > 0) {
      const bool has_interval = HasInterval(edge);
      const auto seen = std::min(static_cast<double>(edge.samples), edge.calls);
      // How far an end that is `part` of the value is away from it, wider, in the logarithm.
      const auto away = [&](double part, double more) {
        return has_interval ? std::hypot(std::log(part) * factor, more) : std::abs(std::log(part));
      };
      // An end may be the value itself, or beyond it where that was changed since.
      const auto lower = [&](double end, double more) {
        return edge.calls * std::exp(-away(std::min(end / edge.calls, 1.0), more));
      };
      const auto higher = [&](double end, double more) {
        return edge.calls * std::exp(away(std::max(end / edge.calls, 1.0), more));
      };
      edge.share_low = lower(edge.share_low, 0);
      edge.share_high = higher(edge.share_high, 0);
      edge.low = std::max(seen, lower(edge.low, total_log_deviation));
      edge.high = std::min(std::max(edge.calls, most),
                           higher(edge.high, total_log_deviation) * profile->total_may_be_more);
      edge.variance *= factor * factor;
    }
    if (total <= 0) continue;
    edge.share_low = std::min(1.0, edge.share_low / total);
    edge.share_high = std::min(1.0, edge.share_high / total);
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
  const auto is_inferred = [](const EdgeStats& edge) {
    return (edge.flags & (kEdgeInferred | kEdgeCounted | kEdgeExpected)) != 0;
  };
  if (std::ranges::any_of(profile->edges, is_inferred)) {
    return Status::Error(
        "its inlined calls were inferred, and the VM's own counts added, under the correction that "
        "it was recorded with: record it with another one (yp run --correct)");
  }
  profile->config[config_key::kCorrect] = ToString(correction);
  EstimateCalls(profile);
  FinishIntervals(profile);
  return Status::Ok();
}

}  // namespace yp
