#include "format/profile/estimate.h"

#include <algorithm>
#include <array>
#include <charconv>
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
#include "core/sampling/countdown.h"
#include "core/sampling/expansion.h"
#include "format/profile/thread_groups.h"

namespace yp {
namespace {

// About as long as a tick at compiled entries.
constexpr int64_t kUnitNs = 50'000'000;

// The drops (hotspot/support/drops.h) that are samples.
constexpr std::array<const char*, 5> kReasonsOfLostSamples{
    "ring_full", "walk_failed", "callee_unknown", "caller_unknown", "no_debug_info"};

double SamplesIn(const spool::Window& window) {
  double samples = 0;
  for (const auto& [edge, count] : window.samples) samples += count;
  return samples;
}

// 0 when it is missing.
int64_t NumberOf(const Profile& profile, std::string_view key) {
  const std::string_view text = profile.ConfigOr(key, "0");
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max<int64_t>(0, number);
}

double StrideOf(const Profile& profile) {
  return static_cast<double>(std::max<int64_t>(1, NumberOf(profile, config_key::kStride)));
}

// Calls from one sample to the next.
double IntervalOf(const Profile& profile) {
  return static_cast<double>(std::max<int64_t>(1, NumberOf(profile, config_key::kInterval)));
}

double IntervalsIn(const Profile& profile, const spool::Window& window) {
  return SamplesIn(window) * IntervalsPerSample(profile, window.steps);
}

bool IsContinuous(const Profile& profile) {
  return profile.ConfigOr(config_key::kContinuous, "no") == "yes";
}

bool IsCountdown(const Profile& profile) {
  return profile.ConfigOr(config_key::kPolicy, "") == "countdown";
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

// Which tick a window belongs to.
class TickIndex {
 public:
  // `profile` must live as long.
  explicit TickIndex(const Profile& profile) : ticks_(profile.ticks) {
    if (!IsCountdown(profile)) return;  // Windows have times of their own.
    for (size_t i = 0; i < ticks_.size(); ++i) index_.emplace(Key(ticks_[i]), i);
  }
  // Of the parts of a tick that goes on, that in which the window began. Nothing when it was lost.
  std::optional<size_t> Find(const spool::Window& window) const {
    auto after = index_.upper_bound({window.tick, window.start_ns});
    const auto is_of_tick = [&](auto it) {
      return it != index_.end() && it->first.first == window.tick;
    };
    // Its first call may be known to begin earlier than the account of its tick.
    if (after != index_.begin() && is_of_tick(std::prev(after))) return std::prev(after)->second;
    return is_of_tick(after) ? std::optional(after->second) : std::nullopt;
  }

 private:
  static std::pair<uint64_t, int64_t> Key(const spool::Tick& tick) {
    return {tick.tick, tick.begin_ns};
  }
  const std::vector<spool::Tick>& ticks_;
  std::map<std::pair<uint64_t, int64_t>, size_t> index_;
};

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
  for (const char* reason : kReasonsOfLostSamples) {
    const auto drop = profile.drops.find(reason);
    if (drop != profile.drops.end()) unknown += static_cast<double>(drop->second);
  }
  return known > 0 ? 1 + unknown / known : 1;
}

// A call that is counted down in rewritten code costs that many times as much as was measured, at
// most: that was in a loop, but a tick of some milliseconds finds the code cold. By the exact
// number of calls it was 1.7 times as much in sunflow and 5.4 in h2 (JDK 17, 2026-11; ./yp eval
// numbers h2 sunflow --jdk 17 --iterations 20).
constexpr double kDearestArmedCall = 6;

// What was sampled in a tick, or in all.
struct Sampled {
  double samples = 0;
  double first = 0;      // Of them those of edges that had no sample before.
  double intervals = 0;  // That they stand for: as many as samples where calls count down one step.

  Sampled& operator+=(const Sampled& more) {
    samples += more.samples;
    first += more.first;
    intervals += more.intervals;
    return *this;
  }
};

// What observing costs the program's threads, in ns. The first sample of an edge finds out what the
// next ones look up: a tick with many samples has no more of those than others.
class ObservingCost {
 public:
  // Each call that is counted down as if it cost `dearer` times as much as it does.
  ObservingCost(const Profile& profile, const Sampled& all, double dearer = 1) {
    if (all.samples <= 0 || all.intervals <= 0) return;
    const auto calls_ns = static_cast<double>(NumberOf(profile, config_key::kCostObservedCallsNs));
    const auto samples_ns = static_cast<double>(NumberOf(profile, config_key::kCostSlowPathNs));
    const double known_ns = std::min(kKnownSampleNs, samples_ns / all.samples);
    interval_ns_ = dearer * calls_ns / all.intervals;
    sample_ns_ = known_ns;
    if (all.first > 0) first_ns_ = (samples_ns - known_ns * all.samples) / all.first;
  }
  double Of(const Sampled& sampled) const {
    return interval_ns_ * sampled.intervals + sample_ns_ * sampled.samples +
           first_ns_ * sampled.first;
  }

 private:
  // 0.65 to 0.9 us in runs with a hundred times as many samples as edges (fop, jython, 2026-11).
  static constexpr double kKnownSampleNs = 700;

  double interval_ns_ = 0;  // Of the calls that were counted down for it.
  double sample_ns_ = 0;
  double first_ns_ = 0;  // More.
};

// Without what observing costs, but for a part that the program must have used.
double OwnCpu(double cpu_ns, double observing_ns) {
  constexpr double kLeastShare = 0.1;
  return std::max(cpu_ns - observing_ns, kLeastShare * cpu_ns);
}

double ProgramCpuOf(const Profile& profile) {
  const auto told = static_cast<double>(NumberOf(profile, config_key::kActivityCpuNs));
  const auto seen = profile.ticks.empty() ? 0 : profile.ticks.back().program_cpu_ns;
  return std::max(told, static_cast<double>(seen));
}

// What samples cost in the mean, a tick of little CPU time may not have had: it stands for no more
// than twice what it stands for by its length.
constexpr double kLeastOwnShare = 0.5;

// What it stands for by its length, `sampled` in it.
double WeightOf(const spool::Tick& tick, const Sampled& sampled, const ObservingCost& cost) {
  const auto open_ns = static_cast<double>(std::max<int64_t>(1, tick.open_ns));
  const auto cpu_ns = static_cast<double>(tick.open_cpu_ns);
  const double own_ns = OwnCpu(cpu_ns, cost.Of(sampled));
  const double own_share = cpu_ns > 0 ? std::max(own_ns / cpu_ns, kLeastOwnShare) : 1;
  return std::max(1.0, static_cast<double>(tick.period_ns) / (own_share * open_ns));
}

// What was sampled in ticks, by groups of threads.
class SampledInTicks {
 public:
  // `profile` must live as long.
  explicit SampledInTicks(const Profile& profile)
      : profile_(profile), groups_(profile, ProgramCpuOf(profile)) {
    by_group_.assign(groups_.size(), std::vector<Sampled>(profile.ticks.size()));
    const TickIndex index(profile);
    std::vector<bool> is_known(profile.edges.size(), false);
    for (const spool::Window& window : profile.windows) {
      Sampled sampled{.samples = SamplesIn(window), .intervals = IntervalsIn(profile, window)};
      for (const auto& [edge, samples] : window.samples) {
        if (samples == 0 || is_known[ToIndex(edge)]) continue;
        is_known[ToIndex(edge)] = true;
        ++sampled.first;
      }
      all_ += sampled;
      std::optional<Place>& place = places_.emplace_back();
      if (const std::optional<size_t> tick = index.Find(window)) {
        place = Place{*tick, groups_.Of(profile.ticks[*tick], window.thread)};
        by_group_[place->group][place->tick] += sampled;
      }
    }
  }

  struct Place {
    size_t tick = 0;  // An index of the profile's.
    size_t group = 0;
  };
  // Of each window; nothing when its tick was lost.
  const std::vector<std::optional<Place>>& places() const { return places_; }
  const Sampled& all() const { return all_; }

  // The program's calls from those in ticks, each interval of so many, were observing as dear as
  // `cost` says.
  struct Expanded {
    std::vector<double> weights;  // Of the ticks.
    Expansion expansion;
  };
  Expanded Expand(double calls_per_interval, const ObservingCost& cost) const {
    Expanded expanded;
    std::vector<GroupActivity> activity(groups_.size());
    for (size_t i = 0; i < profile_.ticks.size(); ++i) {
      const std::vector<double> cpu_ns = groups_.CpuNsIn(profile_.ticks[i]);
      Sampled of_all;
      for (size_t group = 0; group < groups_.size(); ++group) {
        const Sampled& sampled = by_group_[group][i];
        of_all += sampled;
        activity[group].ticks.push_back({.calls = sampled.intervals * calls_per_interval,
                                         .cpu_ns = OwnCpu(cpu_ns[group], cost.Of(sampled))});
      }
      expanded.weights.push_back(WeightOf(profile_.ticks[i], of_all, cost));
    }
    for (size_t group = 0; group < groups_.size(); ++group) {
      Sampled of_group;
      for (const Sampled& sampled : by_group_[group]) of_group += sampled;
      activity[group].program_cpu_ns = OwnCpu(groups_.ProgramCpuNs(group), cost.Of(of_group));
    }
    expanded.expansion = yp::Expand(expanded.weights, activity);
    return expanded;
  }

 private:
  const Profile& profile_;
  const ThreadGroups groups_;
  std::vector<std::optional<Place>> places_;
  std::vector<std::vector<Sampled>> by_group_;  // By tick.
  Sampled all_;
};

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

double IntervalsPerSample(const Profile& profile, uint32_t steps) {
  if (steps <= 1) return 1;
  const double interval = IntervalOf(profile);
  return CallsPerSample(interval, steps) / interval;
}

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
      const bool has_interval = (edge.flags & kEdgeNoInterval) == 0;
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
