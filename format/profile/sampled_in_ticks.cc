#include "format/profile/sampled_in_ticks.h"

#include <algorithm>

#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "core/sampling/countdown.h"
#include "format/profile/estimate.h"

namespace yp {
namespace {

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

}  // namespace

int64_t NumberOf(const Profile& profile, std::string_view key) {
  return std::max<int64_t>(0, ConfigNumber<int64_t>(profile.config, key));
}

bool IsCountdown(const Profile& profile) {
  return profile.ConfigOr(config_key::kPolicy, "") == "countdown";
}

double IntervalOf(const Profile& profile) {
  return static_cast<double>(std::max<int64_t>(1, NumberOf(profile, config_key::kInterval)));
}

double SamplesIn(const spool::Window& window) {
  double samples = 0;
  for (const auto& [edge, count] : window.samples) samples += count;
  return samples;
}

double IntervalsPerSample(const Profile& profile, uint32_t steps) {
  if (steps <= 1) return 1;
  const double interval = IntervalOf(profile);
  return CallsPerSample(interval, steps) / interval;
}

double IntervalsIn(const Profile& profile, const spool::Window& window) {
  return SamplesIn(window) * IntervalsPerSample(profile, window.steps);
}

Sampled& Sampled::operator+=(const Sampled& more) {
  samples += more.samples;
  first += more.first;
  intervals += more.intervals;
  return *this;
}

ObservingCost::ObservingCost(const Profile& profile, const Sampled& all, double dearer) {
  // 0.65 to 0.9 us in runs with a hundred times as many samples as edges (fop, jython, 2026-11).
  constexpr double kKnownSampleNs = 700;
  if (all.samples <= 0 || all.intervals <= 0) return;
  const auto calls_ns = static_cast<double>(NumberOf(profile, config_key::kCostObservedCallsNs));
  const auto samples_ns = static_cast<double>(NumberOf(profile, config_key::kCostSlowPathNs));
  const double known_ns = std::min(kKnownSampleNs, samples_ns / all.samples);
  interval_ns_ = dearer * calls_ns / all.intervals;
  sample_ns_ = known_ns;
  if (all.first > 0) first_ns_ = (samples_ns - known_ns * all.samples) / all.first;
}

double ObservingCost::Of(const Sampled& sampled) const {
  return interval_ns_ * sampled.intervals + sample_ns_ * sampled.samples +
         first_ns_ * sampled.first;
}

SampledInTicks::SampledInTicks(const Profile& profile)
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

SampledInTicks::Expanded SampledInTicks::Expand(double calls_per_interval,
                                                const ObservingCost& cost) const {
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

}  // namespace yp
