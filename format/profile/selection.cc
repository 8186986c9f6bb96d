#include "format/profile/selection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/graph/selected_calls.h"
#include "core/inference/infer.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/estimate.h"
#include "format/profile/known_edges.h"
#include "format/profile/stack_times.h"

namespace yp {
namespace {

constexpr double kMostUnseenSamples = 3;  // The rule of three.

std::string InPercent(double part) {
  const double percent = 100 * part;
  return std::to_string(static_cast<int>(std::lround(percent))) + " %";
}

// Of which samples an edge's calls were sampled at one time.
using Unit = std::pair<uint64_t, int64_t>;
Unit UnitOf(const spool::Window& window) {
  constexpr int64_t kUnitNs = 50'000'000;
  return {window.tick, window.tick != 0 ? 0 : window.start_ns / kUnitNs};
}

// Profiles of versions that did not keep weights: each sample stands for as many calls as another
// of its edge. 1 will do: only parts are taken.
double WeightOf(const Profile& profile, const spool::Window& window) {
  return window.weight > 0 ? window.weight : IntervalsPerSample(profile, window.steps);
}

class Selector {
 public:
  Selector(const Selection& selection, Profile* profile)
      : selection_(selection), profile_(*profile) {
    for (const spool::ThreadDefinition& thread : profile_.threads) names_[thread.id] = thread.name;
  }

  Result<std::vector<std::string>> Run() {
    if (profile_.exact() || profile_.finds_edges()) {
      return Status::Error(
          "its calls were counted, without their times and threads: only of sampled calls a time "
          "or a thread can be selected");
    }
    if (profile_.windows.empty() && profile_.stack_times.samples.empty()) {
      return Status::Error("it has no samples whose times and threads are known");
    }
    if (Status some = CheckThreads(); !some) return some;
    SelectCalls();
    SelectContexts();
    return std::move(notes_);
  }

 private:
  bool IsWanted(ThreadId thread) {
    if (!selection_.has_thread) return true;
    const auto [known, is_new] = wanted_.try_emplace(thread, false);
    if (is_new) known->second = selection_.has_thread(NameOf(thread));
    return known->second;
  }
  std::string NameOf(ThreadId thread) const {
    const auto name = names_.find(thread);
    return name == names_.end() || name->second.empty()
               ? "thread " + std::to_string(ToIndex(thread))
               : name->second;
  }
  bool IsWanted(const spool::Window& window) {
    return window.start_ns >= selection_.from_ns && window.start_ns < selection_.to_ns &&
           IsWanted(window.thread);
  }

  Status CheckThreads() {
    if (!selection_.has_thread) return Status::Ok();
    std::set<std::string> seen;
    for (const spool::Window& window : profile_.windows) seen.insert(NameOf(window.thread));
    for (const auto& [thread, group] : profile_.stack_times.threads.group) {
      seen.insert(NameOf(thread));
    }
    if (std::ranges::any_of(seen, selection_.has_thread)) return Status::Ok();
    constexpr size_t kNamed = 12;
    std::string names;
    size_t number = 0;
    for (const std::string& name : seen) {
      if (number++ == kNamed) break;
      names += (names.empty() ? "" : ", ") + name;
    }
    if (seen.size() > kNamed) names += ", ...";
    return Status::Error("no sample is of such a thread; those that were sampled: " + names);
  }

  void SelectCalls() {
    if (profile_.windows.empty()) return;
    std::vector<EdgeToSelect> edges(profile_.edges.size());
    const std::vector<CallsByEvidence> evidence = EvidenceOf(profile_);
    std::vector<double> sampled(edges.size()), selected(edges.size()), squares(edges.size());
    std::vector<uint64_t> samples(edges.size());
    std::map<Unit, std::map<size_t, double>> by_unit;
    double selected_calls = 0, selected_samples = 0;
    for (const spool::Window& window : profile_.windows) {
      const bool is_wanted = IsWanted(window);
      const double weight = WeightOf(profile_, window);
      for (const auto& [edge, count] : window.samples) {
        const size_t i = ToIndex(edge);
        sampled[i] += weight * count;
        if (!is_wanted) continue;
        selected[i] += weight * count;
        samples[i] += count;
        by_unit[UnitOf(window)][i] += weight * count;
        selected_calls += weight * count;
        selected_samples += count;
      }
    }
    for (const auto& [unit, in_unit] : by_unit) {
      for (const auto& [i, calls] : in_unit) squares[i] += calls * calls;
    }
    double counted = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      // As the edge's estimate has it.
      const double scale = sampled[i] > 0 ? evidence[i].sampled / sampled[i] : 0;
      edges[i] = {.edge = profile_.edges[i].edge,
                  .sampled = evidence[i].sampled,
                  .inferred = evidence[i].inferred,
                  .selected = selected[i] * scale,
                  .selected_squares = squares[i] * scale * scale};
      counted += profile_.edges[i].calls - evidence[i].sampled - evidence[i].inferred;
    }
    const std::vector<SelectedCalls> calls = CallsOfSelection(edges);
    const double all = profile_.total_calls();
    const double unseen = selected_samples > 0
                              ? kMostUnseenSamples * selected_calls / selected_samples
                              : std::numeric_limits<double>::max();
    double unplaced = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      unplaced += calls[i].unplaced;
      SetCalls(calls[i], samples[i], unseen, &profile_.edges[i]);
    }
    KeepWindows();
    profile_.replicates.clear();
    SetSharesByNumbers(&profile_);
    const auto gone = static_cast<size_t>(std::ranges::count_if(
        profile_.edges, [](const EdgeStats& edge) { return edge.calls <= 0; }));
    KeepEdges(&profile_, [](const EdgeStats& edge) { return edge.calls > 0; });
    if (gone > 0) {
      notes_.push_back(
          std::to_string(gone) + " edges were not seen in the selection" +
          (selected_samples > 0
               ? ": each may have up to " + std::to_string(std::llround(unseen)) + " calls in it"
               : ", in which nothing was sampled"));
    }
    if (all > 0 && counted > 0.005 * all) {
      const double in_this = profile_.total_calls();
      notes_.push_back(InPercent(counted / all) +
                       " of the run's calls were counted by the VM, without times and threads: "
                       "they are in no selection" +
                       (counted <= in_this ? ""
                                           : ": these " + std::to_string(std::llround(counted)) +
                                                 " calls are more than the " +
                                                 std::to_string(std::llround(in_this)) +
                                                 " of this one, which may be a small part"));
    }
    if (all > 0 && unplaced > 0.005 * all) {
      notes_.push_back(InPercent(unplaced / all) +
                       " of the run's calls were inferred for callers of which no call was seen: "
                       "they are in no selection");
    }
  }

  static void SetCalls(const SelectedCalls& selected, uint64_t samples, double unseen,
                       EdgeStats* edge) {
    const double whole = edge->calls, low = edge->low, high = edge->high;
    edge->samples = samples;
    edge->calls = selected.calls;
    edge->uncorrected = whole > 0 ? edge->uncorrected * selected.calls / whole : 0;
    edge->counted = 0;
    edge->flags &= ~uint32_t{kEdgeCounted};
    if (selected.calls <= 0) {
      edge->low = 0;
      edge->high = std::min(high, unseen);
      edge->variance = 0;
      return;
    }
    const double chance =
        kDeviationsOf95 * std::sqrt(std::log1p(selected.relative_variance)) * kIntervalFactor;
    const auto away = [&](double ratio) { return std::hypot(std::log(ratio), chance); };
    edge->low = low > 0 ? selected.calls * std::exp(-away(std::max(1.0, whole / low))) : 0;
    edge->low = std::max(edge->low, std::min(static_cast<double>(samples), selected.calls));
    edge->high = selected.calls * std::exp(away(std::max(1.0, whole > 0 ? high / whole : 1.0)));
    edge->high = std::max(selected.calls, std::min(edge->high, high));
    edge->variance = edge->variance * (whole > 0 ? selected.calls / whole : 0) *
                         (whole > 0 ? selected.calls / whole : 0) +
                     selected.relative_variance * selected.calls * selected.calls;
  }

  void KeepWindows() {
    std::erase_if(profile_.windows,
                  [this](const spool::Window& window) { return !IsWanted(window); });
    std::erase_if(profile_.ticks, [this](const spool::Tick& tick) {
      return tick.begin_ns < selection_.from_ns || tick.begin_ns >= selection_.to_ns;
    });
  }

  void SelectContexts() {
    const StackTimes& times = profile_.stack_times;
    if (times.part_ns <= 0) {
      if (profile_.contexts.total() > 0) {
        notes_.push_back(
            "the times and threads of calling contexts are not known: none are in the selection");
      }
      SetWeights({}, &profile_.contexts);
      SetWeights({}, &profile_.jit.contexts);
      return;
    }
    const bool have_code = profile_.jit.contexts.total() > 0;
    CallingContextTree& tree = have_code ? profile_.jit.contexts : profile_.contexts;
    const std::vector<bool> groups = WantedGroups();
    std::vector<double> weights(tree.size());
    StackTimes kept = times;
    std::erase_if(kept.samples, [&](const StackTimes::Samples& row) {
      const int64_t middle = times.part_ns * row.part + times.part_ns / 2;
      return !groups[row.group] || middle < selection_.from_ns || middle >= selection_.to_ns;
    });
    for (const StackTimes::Samples& row : kept.samples) {
      weights[ToIndex(row.context)] += static_cast<double>(row.samples);
    }
    const double all = NumberOfStacks(profile_);
    SetWeights(weights, &tree);
    if (have_code) profile_.contexts = WithoutCode(tree);
    SelectCostOfStacks(all);
    profile_.stack_times = std::move(kept);
    const bool is_in_time =
        selection_.from_ns > 0 || selection_.to_ns < std::numeric_limits<int64_t>::max();
    if (is_in_time) {
      notes_.push_back("stacks are known by parts of " +
                       std::to_string(profile_.stack_times.part_ns / 1'000'000) +
                       " ms: those that are in the selection by half or more are taken");
    }
  }

  // Of a recording with that many stacks, those of the selection have their part of the cost, so
  // that each stands for the same time as before.
  void SelectCostOfStacks(double all) {
    const auto cost = profile_.config.find(config_key::kCostStacksNs);
    if (cost == profile_.config.end() || all <= 0) return;
    const double part = NumberOfStacks(profile_) / all;
    cost->second = std::to_string(
        std::llround(ConfigNumber<double>(profile_.config, config_key::kCostStacksNs) * part));
  }

  std::vector<bool> WantedGroups() {
    const ThreadGrouping& threads = profile_.stack_times.threads;
    std::vector<size_t> members(threads.names.size()), wanted(threads.names.size());
    for (const auto& [thread, group] : threads.group) {
      ++members[group];
      if (IsWanted(thread)) ++wanted[group];
    }
    std::vector<bool> result;
    size_t left_out = 0;
    for (size_t group = 0; group < members.size(); ++group) {
      result.push_back(wanted[group] == members[group]);
      if (!result.back()) left_out += wanted[group];
    }
    if (left_out > 0) {
      notes_.push_back("the stacks of " + std::to_string(left_out) +
                       " of the threads were kept together with those of others: they are not in "
                       "the selection");
    }
    return result;
  }

  // 0 for those that are not there.
  static void SetWeights(const std::vector<double>& weights, CallingContextTree* tree) {
    CallingContextTree made;
    for (size_t i = 1; i < tree->size(); ++i) {
      const CallingContextTree::Node& node = tree->nodes()[i];
      const ContextId id = made.Child(node.parent, node.bci, node.method, node.code);
      if (i < weights.size()) made.Add(id, weights[i]);
    }
    *tree = std::move(made);
  }

  const Selection& selection_;
  Profile& profile_;
  std::map<ThreadId, std::string> names_;
  std::map<ThreadId, bool> wanted_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<CallsByEvidence> EvidenceOf(const Profile& profile) {
  std::vector<CallsByEvidence> evidence(profile.edges.size());
  for (const spool::Window& window : profile.windows) {
    const double weight = WeightOf(profile, window);
    for (const auto& [edge, count] : window.samples) {
      evidence[ToIndex(edge)].sampled += weight * count;
    }
  }
  for (size_t i = 0; i < evidence.size(); ++i) {
    const EdgeStats& edge = profile.edges[i];
    CallsByEvidence& of = evidence[i];
    const bool is_inferred = (edge.flags & (kEdgeInferred | kEdgeExpected)) != 0;
    const bool is_counted = (edge.flags & kEdgeCounted) != 0;
    if (is_counted && edge.counted <= 0) {
      // Of a version that did not keep how many: all that no sample tells of.
      of.sampled = std::min(of.sampled, edge.calls);
      continue;
    }
    const double estimated = std::max(0.0, edge.calls - edge.counted);
    if (of.sampled > 0 && !is_inferred) of.sampled = estimated;
    of.sampled = std::min(of.sampled, estimated);
    of.inferred = estimated - of.sampled;
  }
  return evidence;
}

Result<std::vector<std::string>> Select(const Selection& selection, Profile* profile) {
  return Selector(selection, profile).Run();
}

}  // namespace yp
