#include "format/profile/entry_counts.h"

#include <algorithm>
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

// In which part of the gap after each tick the entries of a compilation were counted.
class CountedTimes {
 public:
  explicit CountedTimes(const TickTimes& times) : times_(&times), parts_(times.ticks(), 0) {}

  void Add(size_t tick, double part) { parts_[tick] += part; }
  // r(k).
  double UncountedPart(size_t tick) const {
    const double before_ns = times_->UnitBeforeNs(tick), after_ns = times_->UnitNs(tick);
    if (before_ns + after_ns <= 0) return 1;
    const double counted_ns = (tick > 0 ? Part(tick - 1) * before_ns : 0) + Part(tick) * after_ns;
    return 1 - counted_ns / (before_ns + after_ns);
  }

 private:
  double Part(size_t tick) const { return std::min(1.0, parts_[tick]); }

  const TickTimes* times_;
  std::vector<double> parts_;
};

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
}

void EntryCountsBuilder::Finish(const Profile& profile, const std::vector<SampledRound>& rounds,
                                InlineEvidence* evidence) const {
  if (runs_.empty() || profile.ticks.empty()) return;
  const TickTimes times(profile, gaps_);
  std::map<CompilationId, CountedTimes> counted;
  for (const auto& [id, runs] : runs_) {
    if (!evidence->compilations.contains(id)) continue;
    for (const Run& run : runs) {
      // The whole time, and that of it in which entries were counted.
      double time_ns = 0, counted_ns = 0;
      const size_t end = run.end_gap + (run.part_ns > 0 ? 1 : 0);
      for (size_t gap = run.first_gap; gap < end; ++gap) {
        const std::optional<size_t> tick = times.TickBefore(gap);
        if (!tick) continue;
        const double gap_ns = LengthOf(gaps_[gap]);
        const double wall_ns = gap < run.end_gap ? gap_ns : std::min(gap_ns, run.part_ns);
        const double part = wall_ns / times.GapWallNs(*tick);
        counted.try_emplace(id, times).first->second.Add(*tick, part);
        counted_ns += part * times.GapNs(*tick);
        time_ns += part * std::max(times.GapNs(*tick), times.UnitNs(*tick));
      }
      if (counted_ns > 0) evidence->entry_counts[id] += run.calls * time_ns / counted_ns;
    }
  }

  struct Samples {
    double all = 0, uncounted = 0;
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
          in_round.all += number;
          in_round.uncounted += number * ticks->second.UncountedPart(*tick);
        }
      }
      const double part = in_round.all > 0 ? in_round.uncounted / in_round.all : 1;
      samples[id].all += told;
      samples[id].uncounted += told * part;
    }
  }
  for (const auto& [id, number] : samples) {
    if (number.all > 0) evidence->calls.at(id).uncounted_part = number.uncounted / number.all;
  }
}

}  // namespace yp
