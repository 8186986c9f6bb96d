#include "format/profile/entry_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/options/config_keys.h"

namespace yp {
namespace {

double LengthOf(const spool::EntryCounts::Gap& gap) {
  return static_cast<double>(std::max<int64_t>(1, gap.end_ns - gap.begin_ns));
}

// u(k) of each tick, by index, u of what comes before the first, and gap(k): in CPU time of the
// program's threads, or where that is not known in wall time. A tick lasts until the program has
// run for some time, so that it is longer where the program waits for a processor, and a gap is
// not.
class TickTimes {
 public:
  TickTimes(const Profile& profile, std::span<const spool::EntryCounts::Gap> gaps) {
    std::vector<const spool::Tick*> ticks;
    for (const spool::Tick& tick : profile.ticks) ticks.push_back(&tick);
    std::ranges::sort(ticks, {}, &spool::Tick::begin_ns);
    for (const spool::Tick* tick : ticks) begins_ns_.push_back(tick->begin_ns);
    for (const spool::Tick* tick : ticks) by_number_[tick->tick] = *At(tick->begin_ns);
    gap_wall_ns_.resize(ticks.size(), 0);
    for (const spool::EntryCounts::Gap& gap : gaps) {
      gaps_.push_back(At(gap.begin_ns));
      if (gaps_.back()) gap_wall_ns_[*gaps_.back()] += LengthOf(gap);
    }
    const auto all_cpu_ns = ConfigNumber<double>(profile.config, config_key::kActivityCpuNs);
    for (size_t i = 0; i < ticks.size(); ++i) {
      const spool::Tick& tick = *ticks[i];
      const spool::Tick* const next = i + 1 < ticks.size() ? ticks[i + 1] : nullptr;
      const auto from_ns = static_cast<double>(tick.begin_ns + tick.open_ns);
      const double to_ns = next != nullptr
                               ? static_cast<double>(next->begin_ns)
                               : std::max(from_ns, static_cast<double>(profile.duration_ns));
      const double between_ns = std::max(to_ns - from_ns, gap_wall_ns_[i]);
      const auto cpu_ns = static_cast<double>(tick.program_cpu_ns);
      const double between_cpu_ns =
          (next != nullptr ? static_cast<double>(next->program_cpu_ns - next->open_cpu_ns)
                           : all_cpu_ns) -
          cpu_ns;
      const bool knows_cpu = cpu_ns > 0 && between_cpu_ns > 0;
      const double after_ns = knows_cpu ? between_cpu_ns : between_ns;
      const auto open_ns = static_cast<double>(knows_cpu ? tick.open_cpu_ns : tick.open_ns);
      units_ns_.push_back(open_ns + after_ns);
      gap_ns_.push_back(between_ns > 0 ? after_ns * gap_wall_ns_[i] / between_ns : 0);
      if (i == 0) before_ns_ = knows_cpu ? cpu_ns - open_ns : static_cast<double>(tick.begin_ns);
    }
  }

  size_t ticks() const { return begins_ns_.size(); }
  // Which tick a gap follows; nothing where it is not known.
  std::optional<size_t> TickBefore(size_t gap) const { return gaps_[gap]; }
  std::optional<size_t> IndexOf(uint64_t tick) const {
    const auto known = by_number_.find(tick);
    return known == by_number_.end() ? std::nullopt : std::optional(known->second);
  }
  double UnitNs(size_t tick) const { return units_ns_[tick]; }
  double UnitBeforeNs(size_t tick) const { return tick > 0 ? units_ns_[tick - 1] : before_ns_; }
  double GapNs(size_t tick) const { return gap_ns_[tick]; }
  // Of all gaps that follow the tick, which the recording's parts divide.
  double GapWallNs(size_t tick) const { return gap_wall_ns_[tick]; }

 private:
  std::optional<size_t> At(int64_t time_ns) const {
    const auto after = std::ranges::upper_bound(begins_ns_, time_ns);
    if (after == begins_ns_.begin()) return std::nullopt;
    return static_cast<size_t>(after - begins_ns_.begin()) - 1;
  }

  std::vector<int64_t> begins_ns_;  // Ascending.
  std::unordered_map<uint64_t, size_t> by_number_;
  std::vector<double> units_ns_, gap_ns_, gap_wall_ns_;
  double before_ns_ = 0;
  std::vector<std::optional<size_t>> gaps_;
};

// What samples stand for, as parts of them.
struct SampleParts {
  double uncounted = 0, earlier = 0;
};

// In which part of the gap after each tick the entries of a compilation were counted.
class CountedTimes {
 public:
  explicit CountedTimes(const TickTimes& times) : times_(&times), parts_(times.ticks(), 0) {}

  void Add(size_t tick, double part) {
    parts_[tick] += part;
    first_ = std::min(first_, tick);
    Use(tick);
  }
  // It was in use after the tick.
  void Use(size_t tick) { end_ = std::max(end_, tick + 1); }
  double UncountedNs() const {
    double ns = 0;
    for (size_t tick = first_; tick < end_; ++tick) ns += (1 - Part(tick)) * times_->UnitNs(tick);
    return ns;
  }
  SampleParts PartsAt(size_t tick) const {
    const double before_ns = times_->UnitBeforeNs(tick), after_ns = times_->UnitNs(tick);
    if (before_ns + after_ns <= 0) return {.uncounted = 0, .earlier = 1};
    SampleParts parts;
    const auto add = [&](bool is_in_use, double part, double ns) {
      (is_in_use ? parts.uncounted : parts.earlier) += (1 - part) * ns / (before_ns + after_ns);
    };
    const bool has_before = tick > 0 && IsInUse(tick - 1);
    add(has_before, has_before ? Part(tick - 1) : 0, before_ns);
    add(IsInUse(tick), Part(tick), after_ns);
    return parts;
  }

 private:
  bool IsInUse(size_t tick) const { return first_ <= tick && tick < end_; }
  double Part(size_t tick) const { return std::min(1.0, parts_[tick]); }

  const TickTimes* times_;
  std::vector<double> parts_;
  // Of the ticks that it was in use after.
  size_t first_ = std::numeric_limits<size_t>::max(), end_ = 0;
};

// Calls as of the whole times of which gaps are parts, and these times.
struct TimedCalls {
  double calls = 0, ns = 0;
};
template <typename Run>
TimedCalls CallsOf(const Run& run, std::span<const spool::EntryCounts::Gap> gaps,
                   const TickTimes& times, CountedTimes* entries) {
  double time_ns = 0, counted_ns = 0;
  const size_t end = run.end_gap + (run.part_ns > 0 ? 1 : 0);
  for (size_t gap = run.first_gap; gap < end; ++gap) {
    const std::optional<size_t> tick = times.TickBefore(gap);
    if (!tick) continue;
    const double gap_ns = LengthOf(gaps[gap]);
    const double wall_ns = gap < run.end_gap ? gap_ns : std::min(gap_ns, run.part_ns);
    const double part = wall_ns / times.GapWallNs(*tick);
    entries->Add(*tick, part);
    counted_ns += part * times.GapNs(*tick);
    time_ns += part * std::max(times.GapNs(*tick), times.UnitNs(*tick));
  }
  return counted_ns > 0 ? TimedCalls{run.calls * time_ns / counted_ns, time_ns} : TimedCalls{};
}

// How many samples the mean rate of the runs is worth.
double WeightOf(std::span<const TimedCalls> runs, double calls, double ns) {
  if (calls <= 0) return 1;
  double squares = 0;
  for (const TimedCalls& run : runs) {
    if (run.ns > 0) squares += run.ns * std::pow(run.calls / run.ns / (calls / ns) - 1, 2);
  }
  const auto n = static_cast<double>(runs.size());
  return (n + 1) / (n * squares / ns + 1);
}

}  // namespace

void EntryCountsBuilder::Take(const spool::EntryCounts& record) {
  const size_t base = gaps_.size();
  for (const spool::EntryCounts::Gap& gap : record.gaps) {
    const int64_t begin_ns = std::max<int64_t>(0, gap.begin_ns);
    gaps_.push_back({begin_ns, std::max(begin_ns, gap.end_ns)});
  }
  for (const spool::EntryCounts::Count& count : record.counts) {
    const bool has_part = count.part_ns > 0;
    const size_t end = size_t{count.end_gap} + (has_part ? 1 : 0);
    if (count.first_gap >= end || end > record.gaps.size()) continue;
    runs_[count.compilation].push_back({base + count.first_gap, base + count.end_gap,
                                        has_part ? static_cast<double>(count.part_ns) : 0,
                                        static_cast<double>(count.calls)});
  }
  for (const spool::EntryCounts::Use& use : record.uses) {
    if (use.end_gap == 0 || use.end_gap > record.gaps.size()) continue;
    size_t& end = ends_[use.compilation];
    end = std::max(end, base + use.end_gap);
  }
}

void EntryCountsBuilder::Finish(const Profile& profile, const std::vector<SampledRound>& rounds,
                                InlineEvidence* evidence) const {
  if (runs_.empty() || profile.ticks.empty()) return;
  const TickTimes times(profile, gaps_);
  std::map<CompilationId, CountedTimes> counted;
  for (const auto& [id, runs] : runs_) {
    if (!evidence->compilations.contains(id)) continue;
    CountedTimes entries(times);
    std::vector<TimedCalls> counts;
    TimedCalls all;
    for (const Run& run : runs) {
      counts.push_back(CallsOf(run, gaps_, times, &entries));
      all.calls += counts.back().calls;
      all.ns += counts.back().ns;
    }
    if (all.ns <= 0) continue;
    if (const auto end = ends_.find(id); end != ends_.end()) {
      if (const std::optional<size_t> tick = times.TickBefore(end->second - 1)) entries.Use(*tick);
    }
    evidence->entry_counts[id] = {all.calls, all.calls / all.ns * entries.UncountedNs(),
                                  WeightOf(counts, all.calls, all.ns)};
    counted.emplace(id, std::move(entries));
  }

  struct Samples {
    double all = 0, uncounted = 0, earlier = 0;
    void Add(double number, const SampleParts& parts) {
      all += number;
      uncounted += number * parts.uncounted;
      earlier += number * parts.earlier;
    }
    SampleParts Parts() const { return {uncounted / all, earlier / all}; }
  };
  std::map<CompiledCallId, Samples> samples;
  for (const SampledRound& round : rounds) {
    for (const auto& [id, told] : round.samples) {
      const auto call = evidence->calls.find(id);
      if (call == evidence->calls.end()) continue;
      const auto ticks = counted.find(call->second.callee);
      if (ticks == counted.end()) continue;
      // Of the edge in the round's windows, whatever call it was of.
      Samples in_round;
      for (size_t w = round.first_window; w < round.end_window; ++w) {
        const spool::Window& window = profile.windows[w];
        const std::optional<size_t> tick = times.IndexOf(window.tick);
        if (!tick || window.steps != call->second.steps) continue;
        for (const auto& [edge, number] : window.samples) {
          if (edge != call->second.edge) continue;
          in_round.Add(number, ticks->second.PartsAt(*tick));
        }
      }
      samples[id].Add(told, in_round.all > 0 ? in_round.Parts() : SampleParts{0, 1});
    }
  }
  for (const auto& [id, number] : samples) {
    if (number.all <= 0) continue;
    InlineEvidence::Call& call = evidence->calls.at(id);
    call.uncounted_part = number.Parts().uncounted;
    call.earlier_part = number.Parts().earlier;
  }
}

}  // namespace yp
