#include "format/profile/entry_counts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace yp {
namespace {

double LengthOf(const spool::EntryCounts::Gap& gap) {
  return static_cast<double>(std::max<int64_t>(1, gap.end_ns - gap.begin_ns));
}

// The recording's time: u(k) of each tick, by index, and before the first.
class TickTimes {
 public:
  TickTimes(const Profile& profile, std::span<const spool::EntryCounts::Gap> gaps) {
    for (const spool::Tick& tick : profile.ticks) begins_.push_back(tick.begin_ns);
    std::ranges::sort(begins_);
    for (const spool::Tick& tick : profile.ticks) by_number_[tick.tick] = *At(tick.begin_ns);
    for (size_t i = 0; i < begins_.size(); ++i) {
      const int64_t end_ns =
          i + 1 < begins_.size() ? begins_[i + 1] : std::max(profile.duration_ns, begins_[i]);
      lengths_ns_.push_back(static_cast<double>(end_ns - begins_[i]));
    }
    counted_ns_.resize(begins_.size(), 0);
    for (const spool::EntryCounts::Gap& gap : gaps) {
      gaps_.push_back(At(gap.begin_ns));
      if (gaps_.back()) counted_ns_[*gaps_.back()] += LengthOf(gap);
    }
  }

  size_t ticks() const { return begins_.size(); }
  // Which tick a gap follows; nothing where it is not known.
  std::optional<size_t> TickBefore(size_t gap) const { return gaps_[gap]; }
  std::optional<size_t> IndexOf(uint64_t tick) const {
    const auto known = by_number_.find(tick);
    return known == by_number_.end() ? std::nullopt : std::optional(known->second);
  }
  double LengthNs(size_t tick) const { return lengths_ns_[tick]; }
  double LengthBeforeNs(size_t tick) const {
    return tick > 0 ? lengths_ns_[tick - 1] : static_cast<double>(begins_[0]);
  }
  // In all gaps that follow the tick.
  double GapsNs(size_t tick) const { return counted_ns_[tick]; }

 private:
  std::optional<size_t> At(int64_t time_ns) const {
    const auto after = std::ranges::upper_bound(begins_, time_ns);
    if (after == begins_.begin()) return std::nullopt;
    return static_cast<size_t>(after - begins_.begin()) - 1;
  }

  std::vector<int64_t> begins_;  // Ascending.
  std::unordered_map<uint64_t, size_t> by_number_;
  std::vector<double> lengths_ns_, counted_ns_;
  std::vector<std::optional<size_t>> gaps_;
};

// For how much of the time after each tick the entries of a compilation were counted.
class CountedTimes {
 public:
  explicit CountedTimes(const TickTimes& times) : times_(&times), parts_(times.ticks(), 0) {}

  void Add(size_t tick, double ns) { parts_[tick] += ns / times_->GapsNs(tick); }
  // r(k).
  double UncountedPart(size_t tick) const {
    const double before_ns = times_->LengthBeforeNs(tick), after_ns = times_->LengthNs(tick);
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
        const double ns = gap < run.end_gap ? gap_ns : std::min(gap_ns, run.part_ns);
        counted.try_emplace(id, times).first->second.Add(*tick, ns);
        counted_ns += ns;
        time_ns += ns * std::max(1.0, times.LengthNs(*tick) / times.GapsNs(*tick));
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
