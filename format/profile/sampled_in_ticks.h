#ifndef YP_FORMAT_PROFILE_SAMPLED_IN_TICKS_H_
#define YP_FORMAT_PROFILE_SAMPLED_IN_TICKS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sampling/expansion.h"
#include "format/profile/profile.h"
#include "format/profile/thread_groups.h"

// What was sampled where calls are counted down in ticks, and what observing that cost: from these
// follows how many calls a sample stands for (format/profile/estimate.h).
namespace yp {

// A number of the profile's configuration, at least 0; 0 when it is missing.
int64_t NumberOf(const Profile& profile, std::string_view key);
bool IsCountdown(const Profile& profile);
// Calls from one sample to the next, at least 1.
double IntervalOf(const Profile& profile);
double SamplesIn(const spool::Window& window);
// As many samples as they would be, if each stood for the calls of one interval.
double IntervalsIn(const Profile& profile, const spool::Window& window);

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

// What was sampled in a tick, or in all.
struct Sampled {
  double samples = 0;
  double first = 0;      // Of them those of edges that had no sample before.
  double intervals = 0;  // That they stand for: as many as samples where calls count down one step.

  Sampled& operator+=(const Sampled& more);
};

// What observing costs the program's threads, in ns. The first sample of an edge finds out what the
// next ones look up: a tick with many samples has no more of those than others.
class ObservingCost {
 public:
  // Each call that is counted down as if it cost `dearer` times as much as it does.
  ObservingCost(const Profile& profile, const Sampled& all, double dearer = 1);
  double Of(const Sampled& sampled) const;

 private:
  double interval_ns_ = 0;  // Of the calls that were counted down for it.
  double sample_ns_ = 0;
  double first_ns_ = 0;  // More.
};

// What was sampled in ticks, by groups of threads.
class SampledInTicks {
 public:
  // `profile` must live as long.
  explicit SampledInTicks(const Profile& profile);

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
  Expanded Expand(double calls_per_interval, const ObservingCost& cost) const;

 private:
  const Profile& profile_;
  const ThreadGroups groups_;
  std::vector<std::optional<Place>> places_;
  std::vector<std::vector<Sampled>> by_group_;  // By tick.
  Sampled all_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SAMPLED_IN_TICKS_H_
