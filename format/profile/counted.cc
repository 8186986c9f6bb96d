#include "format/profile/counted.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/graph/code_level.h"
#include "core/options/config_keys.h"
#include "format/profile/estimate.h"
#include "format/profile/known_edges.h"

namespace yp {
namespace {

// Threads count without a lock, so that some counts are lost, and some of what is counted is not
// called: a part of them.
constexpr double kCountDeviation = 0.005;
// Of calls whose callee the VM has not recorded, and of those before a profile: how far the share
// of an edge may be off.
constexpr double kSplitDeviation = 0.5, kInterpretedDeviation = 0.5;

// With fewer samples of code that counts nothing, little is known of it: one sample may stand for
// thousands of inlined calls.
constexpr uint64_t kLeastSamples = 10;
// Of a total that one tick tells of.
constexpr double kUnknownDeviation = 1;

double DeviationOf(const CountedCalls& calls) {
  return std::hypot(kCountDeviation * calls.counted,
                    std::hypot(kSplitDeviation * calls.split, calls.split_deviation),
                    kInterpretedDeviation * calls.interpreted);
}

double AtSites(const CountedCalls& calls) {
  return calls.counted + calls.split + calls.interpreted;
}
double AllOf(const CountedCalls& calls) { return AtSites(calls) + calls.shared; }

// As if the interval were that of a normal distribution.
double VarianceOfShared(const CountedCalls& calls) {
  const double deviation = (calls.shared_high - calls.shared_low) / (2 * kDeviationsOf95);
  return deviation * deviation;
}

// Moves so many of the call's samples to another edge, or as many as there are. How many it were.
uint64_t MoveSamples(const InlineEvidence::Call& call, EdgeId to, uint64_t samples, size_t first,
                     size_t end, Profile* profile) {
  uint64_t moved = 0;
  for (size_t w = first; w < end && moved < samples; ++w) {
    if (profile->windows[w].steps != call.steps) continue;
    auto& in_window = profile->windows[w].samples;
    uint32_t taken = 0;
    for (auto& [edge, count] : in_window) {
      if (edge != call.edge) continue;
      taken = static_cast<uint32_t>(std::min<uint64_t>(count, samples - moved));
      count -= taken;
    }
    if (taken == 0) continue;
    moved += taken;
    const auto known = std::ranges::find(in_window, to, &std::pair<EdgeId, uint32_t>::first);
    if (known == in_window.end()) {
      in_window.emplace_back(to, taken);
    } else {
      known->second += taken;
    }
  }
  return moved;
}

// The methods that code of some level executes.
std::set<MethodId> MethodsAt(const InlineEvidence& evidence,
                             const std::function<bool(int level)>& is_wanted) {
  std::set<MethodId> methods;
  for (const auto& [id, compilation] : evidence.compilations) {
    if (!is_wanted(compilation.level)) continue;
    for (const spool::Compilation::Node& node : compilation.nodes) methods.insert(node.method);
  }
  return methods;
}

// All edges err alike with the estimate of all calls: how one's interval of its share is widened.
struct Totals {
  double estimated = 0, counted = 0;
  double deviation = 0;  // Of `estimated`, relative to it.
  // What an edge without a sample may have at most; 0 where nothing was sampled at all.
  double most_unseen = 0;
  double most = 0;  // No program makes so many.
  // Whether there were samples enough to tell what was not counted.
  bool knows_rest = false;

  double all() const { return estimated + counted; }
  double ShareDeviation(double estimated_calls, double counted_calls) const {
    if (estimated <= 0) return 0;
    const double balance = estimated_calls / estimated * counted - counted_calls;
    return deviation * std::abs(balance / all()) * (estimated / all());
  }
};

// An edge while counts are added to it. Its interval is that of its uncounted calls, and its
// shares' are in calls.
class EdgeSum {
 public:
  explicit EdgeSum(EdgeStats* edge) : edge_(*edge) {}

  // By conservation. Its intervals are those of what is expected, where that decides; what was not
  // seen need not be there.
  void Expect(double expected, double calls_per_sample, double share_conserved) {
    const SampledCalls sampled{edge_.calls, edge_.variance};
    SampledCalls estimate = WithConservation(sampled, expected, calls_per_sample);
    if (estimate.calls == sampled.calls) return;
    const Interval interval = Interval95({edge_.edge, estimate.calls, estimate.variance});
    const bool is_new = sampled.calls <= 0;
    if (is_new) estimate = UnseenButExpected(expected, calls_per_sample, share_conserved);
    edge_.calls = estimate.calls;
    edge_.variance = estimate.variance;
    edge_.low = is_new ? 0 : std::min(edge_.low, interval.low);
    edge_.share_low = is_new ? 0 : std::min(edge_.share_low, interval.low);
    edge_.high = std::max(edge_.high, interval.high);
    edge_.share_high = std::max(edge_.share_high, interval.high);
    edge_.flags |= kEdgeExpected;
  }
  void Scale(double factor) {
    for (double* calls : {&edge_.calls, &edge_.low, &edge_.high, &edge_.share_low,
                          &edge_.share_high, &edge_.uncorrected}) {
      *calls *= factor;
    }
    edge_.variance *= factor * factor;
  }
  void Finish(const CountedCalls& counted, const Totals& totals) {
    const double more = AllOf(counted);
    const double deviation = DeviationOf(counted);
    const double calls = edge_.calls + more;
    const double of_counts = kDeviationsOf95 * deviation;
    const double of_total =
        kDeviationsOf95 * totals.ShareDeviation(edge_.calls, more) * totals.all();
    const double unseen = edge_.samples == 0 ? totals.most_unseen : 0;
    const auto away = [&](double of_estimate) {
      return std::hypot(of_estimate, of_total, of_counts);
    };
    const double share_low =
        calls - away(edge_.calls - edge_.share_low) - (counted.shared - counted.shared_low);
    const double share_high = calls + std::max(away(edge_.share_high - edge_.calls), unseen) +
                              (counted.shared_high - counted.shared);
    edge_.share_low = std::clamp(share_low / totals.all(), 0.0, 1.0);
    edge_.share_high = std::clamp(share_high / totals.all(), 0.0, 1.0);
    const double certain = std::max(0.0, counted.counted * (1 - kDeviationsOf95 * kCountDeviation));
    edge_.low = std::max(certain + std::min(edge_.low, static_cast<double>(edge_.samples)),
                         calls - counted.shared - std::hypot(edge_.calls - edge_.low, of_counts)) +
                counted.shared_low;
    edge_.high = calls + std::max(std::hypot(edge_.high - edge_.calls, of_counts), unseen) +
                 counted.shared_high - counted.shared;
    edge_.uncorrected += more;
    edge_.variance += deviation * deviation + VarianceOfShared(counted);
    edge_.calls = calls;
    edge_.counted = more;
    if (AtSites(counted) > 0) edge_.flags |= kEdgeCounted;
    if (counted.shared > 0) edge_.flags |= kEdgeExpected;
    if (more <= 0 || totals.knows_rest) return;
    // What cannot be exceeded.
    edge_.flags |= kEdgeNoInterval;
    edge_.low = std::min(edge_.low, certain + counted.shared_low);
    edge_.high = std::max(edge_.high, totals.most);
    edge_.share_low = 0;
    edge_.share_high = 1;
  }

 private:
  EdgeStats& edge_;
};

}  // namespace

bool VmCounts::AreComplete(const Profile& profile) {
  return profile.complete && profile.damage.empty() &&
         profile.ConfigOr(config_key::kVmCounts, "") == "all" &&
         profile.ConfigOr(config_key::kPolicy, "") == "countdown";
}

bool VmCounts::IsCounted(const Profile& profile, const InlineEvidence& evidence,
                         const InlineEvidence::Call& call) const {
  const Edge& edge = profile.edges[ToIndex(call.edge)].edge;
  const auto caller = methods_.find(edge.caller);
  if (caller == methods_.end()) return false;
  if (!profile.IsObserved(edge.callee)) return false;
  const auto is_profiled = [&](CompilationId id) {
    const auto code = evidence.compilations.find(id);
    return code != evidence.compilations.end() && code->second.level == code_level::kProfiled;
  };
  if (call.is_caller_profiled || is_profiled(call.caller)) {
    return IsCountedCall(caller->second.profile, edge.bci, edge.callee);
  }
  return call.caller == kNoCompilation && is_profiled(call.callee) &&
         !uncounted_.contains(edge.callee) && !limited_.contains(edge.caller) &&
         IsExpectedOfInterpreter(caller->second, edge.bci, edge.callee);
}

void VmCounts::SetAside(const std::vector<SampledRound>& rounds, InlineEvidence* evidence,
                        Profile* profile) {
  uncounted_ = MethodsAt(*evidence, [](int level) { return level != code_level::kProfiled; });
  limited_ = MethodsAt(*evidence, [](int level) { return level == code_level::kLimited; });
  std::map<EdgeId, EdgeId> aside;  // By the edge that it is of.
  std::map<CompiledCallId, EdgeId> counted;
  for (const auto& [id, call] : evidence->calls) {
    if (!IsCounted(*profile, *evidence, call)) continue;
    const EdgeId next{static_cast<uint32_t>(profile->edges.size())};
    const auto [it, is_new] = aside.try_emplace(call.edge, next);
    if (is_new) {
      // Of no caller, and at a place of its own.
      const MethodId callee = profile->edges[ToIndex(call.edge)].edge.callee;
      profile->edges.push_back(
          {.edge = {kNoMethod, kNoBci - static_cast<int32_t>(aside.size()), callee}});
    }
    counted.emplace(id, it->second);
  }
  uint64_t left_out = 0;
  for (const SampledRound& round : rounds) {
    for (const auto& [id, samples] : round.samples) {
      const auto known = counted.find(id);
      if (known == counted.end()) continue;
      left_out += MoveSamples(evidence->calls.at(id), known->second, samples, round.first_window,
                              round.end_window, profile);
    }
  }
  for (spool::Window& window : profile->windows) {
    std::erase_if(window.samples, [](const auto& sample) { return sample.second == 0; });
  }
  for (const auto& [id, edge] : counted) evidence->calls.at(id).edge = edge;
  std::erase_if(evidence->compilations, [&](const auto& compilation) {
    return compilation.second.level == code_level::kProfiled &&
           methods_.contains(compilation.second.nodes.front().method);
  });
  profile->config[config_key::kSamplesOfCountedCalls] = std::to_string(left_out);
}

void VmCounts::LeaveOutAside(Profile* profile) {
  KeepEdges(profile, [](const EdgeStats& edge) { return edge.edge.bci >= kNoBci; });
}

void VmCounts::AddTo(Profile* profile) const {
  std::unordered_map<Edge, size_t, EdgeHash> index;
  std::map<std::pair<MethodId, int32_t>, std::vector<MethodId>> callees;
  for (size_t i = 0; i < profile->edges.size(); ++i) {
    const Edge& edge = profile->edges[i].edge;
    index.emplace(edge, i);
    callees[{edge.caller, edge.bci}].push_back(edge.callee);
  }
  std::vector<MethodCounts> methods;
  for (const auto& [id, counts] : methods_) methods.push_back(counts);
  const CountOptions options{
      .estimate =
          [&](const Edge& edge) {
            const EdgeStats& stats = profile->edges[index.at(edge)];
            return SampledCalls{stats.calls, stats.variance};
          },
      .callees =
          [&](MethodId caller, int32_t bci) {
            const auto known = callees.find({caller, bci});
            return known == callees.end() ? std::vector<MethodId>() : known->second;
          },
      .uncounted = uncounted_,
      .limited = limited_,
      .interpreted = interpreted_,
      .is_wanted = [&](const Edge& edge) { return profile->IsObserved(edge.callee); }};
  const std::vector<CountedCalls> counted = CountCalls(methods, options);
  const double unexplained = UnexplainedCalls(
      methods, interpreted_, counted, [&](MethodId method) { return profile->IsObserved(method); });
  profile->config[config_key::kInterpretedCallsWithoutCaller] =
      std::to_string(std::llround(unexplained));
  std::vector<CountedCalls> of_edge(profile->edges.size());
  for (const CountedCalls& calls : counted) {
    const auto [known, is_new] = index.try_emplace(calls.edge, profile->edges.size());
    if (is_new) {
      profile->edges.push_back({.edge = calls.edge});
      of_edge.emplace_back();
    }
    of_edge[known->second] = calls;
  }
  AddToEdges(of_edge, profile);
}

void VmCounts::AddToEdges(const std::vector<CountedCalls>& counted, Profile* profile) {
  const double intervals = profile->total_intervals();
  const double sampled = profile->total_calls();
  const double calls_per_sample = intervals > 0 ? sampled / intervals : 0;
  Totals totals;
  totals.most = MostCalls(*profile);
  totals.knows_rest =
      profile->total_deviation.has_value() && profile->total_samples() >= kLeastSamples;
  std::vector<ExpectedEdge> expected;
  for (size_t i = 0; i < counted.size(); ++i) {
    if (counted[i].uncounted <= 0) continue;
    expected.push_back({counted[i].uncounted, profile->edges[i].calls > 0});
  }
  const double conserved = intervals > 0 ? ShareConserved(expected, calls_per_sample) : 1;
  for (EdgeStats& edge : profile->edges) {
    edge.share_low *= sampled;
    edge.share_high *= sampled;
  }
  if (sampled > 0) {
    totals.deviation = std::hypot(profile->total_deviation.value_or(kUnknownDeviation),
                                  std::sqrt(profile->inferred_variance) / sampled);
  }
  double with_expectations = 0;
  for (size_t i = 0; i < counted.size(); ++i) {
    EdgeStats& edge = profile->edges[i];
    if (intervals > 0) EdgeSum(&edge).Expect(counted[i].uncounted, calls_per_sample, conserved);
    with_expectations += edge.calls;
    totals.counted += AllOf(counted[i]);
  }
  totals.estimated = CombinedTotal(sampled, totals.deviation, with_expectations);
  if (intervals > 0) totals.most_unseen = kMostUnseenSamples * calls_per_sample;
  if (totals.all() <= 0) return;
  for (size_t i = 0; i < counted.size(); ++i) {
    EdgeSum sum(&profile->edges[i]);
    if (with_expectations > 0) sum.Scale(totals.estimated / with_expectations);
    sum.Finish(counted[i], totals);
  }
  if (profile->total_deviation) *profile->total_deviation *= totals.estimated / totals.all();
}

}  // namespace yp
