#include "core/inference/counted_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/inference/call_ratio.h"

namespace yp {
namespace {

using EdgeMap = std::map<Edge, CountedCalls>;

CountedCalls& At(EdgeMap& edges, const Edge& edge) {
  CountedCalls& calls = edges[edge];
  calls.edge = edge;
  return calls;
}

// The recorded callees of a site, each once.
std::map<MethodId, double> RecordedAt(const SiteProfile& site) {
  std::map<MethodId, double> recorded;
  for (const SiteProfile::Callee& callee : site.callees) recorded[callee.method] += callee.calls;
  return recorded;
}

// Of the part that some calls are of all.
double ShareDeviation(const SampledCalls& calls, const SampledCalls& all) {
  const double one_sample = all.variance / all.calls;
  const double variance = calls.calls > 0 ? calls.variance : one_sample * one_sample;
  const double part = calls.calls / all.calls;
  const double others = std::max(0.0, all.variance - calls.variance);
  return std::sqrt((1 - part) * (1 - part) * variance + part * part * others) / all.calls;
}

// The unrecorded calls of a site.
void Split(MethodId caller, const SiteProfile& site, const std::map<MethodId, double>& recorded,
           const CountOptions& options, EdgeMap& edges) {
  const double unrecorded = site.UnrecordedCalls();
  if (unrecorded <= 0) return;
  std::map<MethodId, SampledCalls> estimates;
  for (const auto& [callee, calls] : recorded) {
    if (callee != kNoMethod) estimates.emplace(callee, SampledCalls());
  }
  SampledCalls all;
  for (const MethodId callee : options.callees(caller, site.bci)) {
    const SampledCalls estimate = options.estimate({caller, site.bci, callee});
    if (estimate.calls > 0) all += estimates[callee] = estimate;
  }
  std::map<MethodId, double> missing;
  double all_missing = 0;
  for (const auto& [callee, estimate] : estimates) {
    const auto known = recorded.find(callee);
    const double calls = estimate.calls <= 0 ? 0 : site.calls * estimate.calls / all.calls;
    all_missing += missing[callee] =
        std::max(0.0, calls - (known == recorded.end() ? 0 : known->second));
  }
  if (all_missing > 0) {
    for (const auto& [callee, estimate] : estimates) {
      const Edge edge{caller, site.bci, callee};
      const double calls = missing[callee];
      if (calls > 0) At(edges, edge).split += unrecorded * calls / all_missing;
      if (!options.is_wanted(edge)) continue;
      At(edges, edge).split_deviation =
          std::min(unrecorded, site.calls * ShareDeviation(estimate, all));
    }
  } else if (recorded.size() == 1 && recorded.begin()->first != kNoMethod) {
    At(edges, {caller, site.bci, recorded.begin()->first}).split += unrecorded;
  }
}

// M(c) r(c, s, m) of each edge.
EdgeMap ExpectedInterpreted(std::span<const MethodCounts> methods,
                            const std::set<MethodId>& limited) {
  EdgeMap expected;
  for (const MethodCounts& caller : methods) {
    if (caller.interpreted <= 0 || limited.contains(caller.method)) continue;
    for (const SiteProfile& site : caller.profile.sites) {
      for (const auto& [callee, calls] : RecordedAt(site)) {
        if (!IsExpectedOfInterpreter(caller, site.bci, callee)) continue;
        const Ratio ratio = RatioOfCallee(&caller.profile, site.bci, callee, kContextDeviation);
        At(expected, {caller.method, site.bci, callee}).interpreted =
            caller.interpreted * ratio.value;
      }
    }
  }
  return expected;
}

// R(m).
CallsByMethod MostInterpreted(std::span<const MethodCounts> methods, const CountOptions& options,
                              const EdgeMap& edges) {
  CallsByMethod most, counted;
  for (const auto& [edge, calls] : edges) counted[edge.callee] += calls.counted + calls.split;
  for (const MethodCounts& callee : methods) {
    const bool is_all_counted = !options.uncounted.contains(callee.method);
    const double executed = callee.interpreted + callee.profile.invocations;
    most[callee.method] =
        is_all_counted ? std::max(0.0, executed - counted[callee.method]) : callee.interpreted;
  }
  return most;
}

void AddInterpreted(std::span<const MethodCounts> methods, const CountOptions& options,
                    const CallsByMethod& most, EdgeMap& edges) {
  CallsByMethod expected_of;
  const EdgeMap expected = ExpectedInterpreted(methods, options.limited);
  for (const auto& [edge, calls] : expected) expected_of[edge.callee] += calls.interpreted;
  for (const auto& [edge, calls] : expected) {
    if (!options.is_wanted(edge)) continue;
    const double all = expected_of[edge.callee];
    const auto of_callee = most.find(edge.callee);
    if (all <= 0 || of_callee == most.end()) continue;
    const double taken = std::min(1.0, std::max(0.0, of_callee->second) / all);
    if (taken > 0) At(edges, edge).interpreted = calls.interpreted * taken;
  }
}

// The only method that it can have called has such code, and calls of it were sampled there.
bool IsSampled(const InterpretedCode& code, const InterpretedCode::Site& site,
               const CountOptions& options) {
  const std::vector<MethodId>& targets = code.targets[site.target];
  if (targets.size() != 1) return false;
  const auto executed = code.methods.find(targets.front());
  if (executed == code.methods.end() || !executed->second.has_uncounted) return false;
  const std::vector<MethodId> sampled = options.callees(site.caller, site.bci);
  return std::ranges::find(sampled, targets.front()) != sampled.end() &&
         options.estimate({site.caller, site.bci, targets.front()}).calls > 0;
}

// Without sites that a profile has counted, callers whose compiled code counts as the interpreter
// does, and sites whose calls samples stand for: of code that counts nothing.
InterpretedCode WithoutProfiledSites(const InterpretedCode& code,
                                     std::span<const MethodCounts> methods,
                                     const CountOptions& options) {
  std::unordered_map<MethodId, const MethodProfile*> profiles;
  for (const MethodCounts& method : methods) profiles[method.method] = &method.profile;
  InterpretedCode rest = code;
  std::erase_if(rest.sites, [&](const InterpretedCode::Site& site) {
    const auto profile = profiles.find(site.caller);
    const SiteProfile* counted =
        profile == profiles.end() ? nullptr : profile->second->Site(site.bci);
    return options.limited.contains(site.caller) || (counted != nullptr && counted->calls > 0) ||
           IsSampled(code, site, options);
  });
  return rest;
}

// R(m), but no more than M(m), of all methods that the interpreter has executed.
CallsByMethod ToShare(const InterpretedCode& code, const CallsByMethod& most,
                      const EdgeMap& edges) {
  CallsByMethod counted, to_share;
  for (const auto& [edge, calls] : edges) counted[edge.callee] += calls.counted + calls.split;
  for (const auto& [method, executed] : code.methods) {
    const auto known = most.find(method);
    const double uncounted =
        known != most.end() ? known->second : executed.invocations - counted[method];
    to_share[method] = std::min(executed.invocations, uncounted);
  }
  return to_share;
}

void AddShared(std::span<const SharedCalls> all, const CountOptions& options, EdgeMap& edges) {
  for (const SharedCalls& shared : all) {
    if (!options.is_wanted(shared.edge)) continue;
    CountedCalls& calls = At(edges, shared.edge);
    calls.shared += shared.calls;
    calls.shared_low = std::max(calls.shared_low, shared.low);
    calls.shared_high = std::max({calls.shared_high, shared.high, calls.shared});
  }
}

// What interpreted methods have called that no profile has counted.
void AddInterpretedCalls(std::span<const MethodCounts> methods, const CountOptions& options,
                         EdgeMap& edges) {
  CallsByMethod most = MostInterpreted(methods, options, edges);
  const InterpretedCode code = WithoutProfiledSites(options.interpreted, methods, options);
  CallsByMethod to_share = ToShare(code, most, edges);
  const std::vector<SharedCalls> certain = ShareCertain(code, to_share);
  for (const SharedCalls& shared : certain) {
    to_share[shared.edge.callee] -= shared.calls;
    most[shared.edge.callee] -= shared.calls;
  }
  AddShared(ShareInitializations(code, to_share), options, edges);
  AddInterpreted(methods, options, most, edges);
  for (const auto& [edge, calls] : edges) to_share[edge.callee] -= calls.interpreted;
  AddShared(certain, options, edges);
  AddShared(ShareRest(code, certain, to_share), options, edges);
}

// A method that calls itself does so less than once per invocation, over all of them.
constexpr double kMostRecursion = 0.95;
// Counts are approximate: so much more of what calls a method than of its invocations is none.
constexpr double kCountError = 0.02;
constexpr int kMaxSweeps = 50;

struct Flow {
  Edge edge;
  double ratio = 0;  // Calls per invocation of the caller.
};

std::vector<Flow> FlowsOf(std::span<const MethodCounts> methods, const EdgeMap& edges) {
  std::unordered_map<MethodId, double> invocations;
  for (const MethodCounts& method : methods)
    invocations[method.method] = method.profile.invocations;
  std::vector<Flow> flows;
  for (const auto& [edge, calls] : edges) {
    double ratio = (calls.counted + calls.split) / std::max(1.0, invocations[edge.caller]);
    if (edge.caller == edge.callee) ratio = std::min(ratio, kMostRecursion);
    if (ratio > 0) flows.push_back({edge, ratio});
  }
  return flows;
}

void AddUncounted(std::span<const MethodCounts> methods, EdgeMap& edges) {
  std::unordered_map<MethodId, double> known, entered;
  for (const auto& [edge, calls] : edges) {
    known[edge.callee] += calls.counted + calls.split + calls.interpreted;
  }
  for (const MethodCounts& method : methods) {
    const double executed = method.profile.invocations + method.interpreted;
    const double calls = known[method.method];
    if (calls * (1 - kCountError) > executed) entered[method.method] = calls - executed;
  }
  const std::vector<Flow> flows = FlowsOf(methods, edges);
  std::unordered_map<MethodId, double> uncounted = entered;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    std::unordered_map<MethodId, double> next = entered;
    for (const Flow& flow : flows) {
      const auto caller = uncounted.find(flow.edge.caller);
      if (caller != uncounted.end()) next[flow.edge.callee] += caller->second * flow.ratio;
    }
    bool is_stable = true;
    for (const auto& [method, calls] : next) {
      const auto before = uncounted.find(method);
      is_stable = is_stable && before != uncounted.end() &&
                  std::abs(calls - before->second) <= 1e-3 * calls;
    }
    uncounted = std::move(next);
    if (is_stable) break;
  }
  for (const Flow& flow : flows) {
    const auto caller = uncounted.find(flow.edge.caller);
    if (caller != uncounted.end()) edges[flow.edge].uncounted = caller->second * flow.ratio;
  }
}

}  // namespace

bool IsCountedCall(const MethodProfile& profile, int32_t bci, MethodId callee) {
  const SiteProfile* site = profile.Site(bci);
  if (site == nullptr) return false;
  const bool names_any = std::ranges::any_of(
      site->callees, [](const auto& named) { return named.method != kNoMethod; });
  return site->CallsOf(callee) > 0 || (names_any && site->UnrecordedCalls() > 0);
}

bool IsExpectedOfInterpreter(const MethodCounts& caller, int32_t bci, MethodId callee) {
  if (caller.interpreted <= 0 || callee == kNoMethod) return false;
  const SiteProfile* site = caller.profile.Site(bci);
  return site != nullptr && site->CallsOf(callee) > 0;
}

std::vector<CountedCalls> CountCalls(std::span<const MethodCounts> methods,
                                     const CountOptions& options) {
  EdgeMap edges;
  for (const MethodCounts& caller : methods) {
    for (const SiteProfile& site : caller.profile.sites) {
      const std::map<MethodId, double> recorded = RecordedAt(site);
      bool is_wanted = false;
      for (const auto& [callee, calls] : recorded) {
        const Edge edge{caller.method, site.bci, callee};
        if (callee == kNoMethod || calls <= 0 || !options.is_wanted(edge)) continue;
        At(edges, edge).counted += calls;
        is_wanted = true;
      }
      if (is_wanted) Split(caller.method, site, recorded, options, edges);
    }
  }
  AddInterpretedCalls(methods, options, edges);
  AddUncounted(methods, edges);
  std::vector<CountedCalls> counted;
  for (const auto& [edge, calls] : edges) {
    const double all =
        calls.counted + calls.split + calls.interpreted + calls.shared + calls.uncounted;
    if (all > 0) counted.push_back(calls);
  }
  return counted;
}

SampledCalls WithConservation(const SampledCalls& sampled, double expected,
                              double calls_per_sample) {
  if (expected <= sampled.calls) return sampled;
  const SampledCalls both =
      WithExpectation(sampled, calls_per_sample, expected, kConservationWeight);
  return both.calls > sampled.calls ? both : sampled;
}

namespace {

// L.
double ChanceUnseen(double expected, double calls_per_sample) {
  return std::pow(1 + expected / (kConservationWeight * calls_per_sample), -kConservationWeight);
}

double ChanceConserved(double share, double unseen) {
  return share * unseen / (share * unseen + 1 - share);
}

}  // namespace

double ShareConserved(std::span<const ExpectedEdge> edges, double calls_per_sample) {
  constexpr int kHalvings = 40;
  double found = kConservedBefore;
  std::vector<double> seen;  // The chance to be seen, of those that were not.
  for (const auto& [expected, is_found] : edges) {
    if (is_found) {
      ++found;
    } else {
      seen.push_back(1 - ChanceUnseen(expected, calls_per_sample));
    }
  }
  // The derivative of the logarithm falls all the way: from infinity at 0.
  double low = 0, high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double share = (low + high) / 2;
    double slope = found / share;
    for (const double chance : seen) slope -= chance / (1 - share * chance);
    (slope > 0 ? low : high) = share;
  }
  return high;
}

SampledCalls UnseenButExpected(double expected, double calls_per_sample, double share_conserved) {
  const SampledCalls conserved = WithConservation({}, expected, calls_per_sample);
  const double unseen = ChanceUnseen(expected, calls_per_sample);
  const double chance = share_conserved >= 1 ? 1 : ChanceConserved(share_conserved, unseen);
  const double calls = chance * conserved.calls;
  const double squares = conserved.variance + conserved.calls * conserved.calls;
  return {calls, chance * squares - calls * calls};
}

double CombinedTotal(double sampled, double deviation, double with_expectations) {
  if (sampled <= 0 || with_expectations <= 0) return with_expectations;
  const double of_samples = 1 / std::max(1e-9, std::log1p(deviation * deviation));
  const double of_both = 1 / std::log1p(kConservationDeviation * kConservationDeviation);
  return std::exp((of_samples * std::log(sampled) + of_both * std::log(with_expectations)) /
                  (of_samples + of_both));
}

double UnexplainedCalls(std::span<const MethodCounts> methods, const InterpretedCode& code,
                        const std::vector<CountedCalls>& counted,
                        const std::function<bool(MethodId)>& is_observed) {
  std::unordered_map<MethodId, double> explained, interpreted;
  for (const CountedCalls& calls : counted) {
    explained[calls.edge.callee] += calls.interpreted + calls.shared;
  }
  for (const MethodCounts& method : methods) interpreted[method.method] = method.interpreted;
  for (const auto& [method, executed] : code.methods) {
    interpreted[method] = std::max(interpreted[method], executed.invocations);
  }
  double unexplained = 0;
  for (const auto& [method, calls] : interpreted) {
    if (is_observed(method)) unexplained += std::max(0.0, calls - explained[method]);
  }
  return unexplained;
}

}  // namespace yp
