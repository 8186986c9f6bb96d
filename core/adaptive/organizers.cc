#include "core/adaptive/organizers.h"

#include <algorithm>
#include <set>

namespace yp {

std::vector<HotMethod> MethodOrganizer::Summarize(std::span<const MethodSample> samples,
                                                  double now_ms) {
  std::set<MethodId> sampled;
  for (const MethodSample& sample : samples) {
    if (sample.method == kNoMethod) continue;
    samples_.Add(sample.method, sample.weight, now_ms);
    sampled.insert(sample.method);
  }
  std::vector<HotMethod> hot;
  for (const MethodId method : sampled) hot.push_back(Of(method, now_ms));
  std::ranges::stable_sort(hot, std::ranges::greater(), &HotMethod::past_ms);
  return hot;
}

HotMethod MethodOrganizer::Of(MethodId method, double now_ms) const {
  const double samples = samples_.WeightOf(method, now_ms);
  return {method, samples, samples * sample_ms_};
}

void CallGraphOrganizer::Summarize(std::span<const CallSample> samples, double now_ms) {
  for (const CallSample& sample : samples) {
    calls_.Add(sample.edge, sample.weight, now_ms);
    std::vector<MethodId>& callees = sites_[sample.edge.caller][sample.edge.bci];
    const auto place = std::ranges::lower_bound(callees, sample.edge.callee);
    if (place == callees.end() || *place != sample.edge.callee) {
      callees.insert(place, sample.edge.callee);
    }
  }
}

double CallGraphOrganizer::WeightOf(const Edge& edge, double now_ms) const {
  const double total = calls_.Total(now_ms);
  return total > 0 ? calls_.WeightOf(edge, now_ms) / total : 0;
}

DynamicCallGraph CallGraphOrganizer::Graph(double now_ms) const {
  DynamicCallGraph graph;
  calls_.ForEach(now_ms, [&](const Edge& edge, double weight) { graph.Add(edge, weight); });
  return graph;
}

CallsOfMethod CallGraphOrganizer::CallsOf(MethodId caller, const MethodSizes& sizes,
                                          double now_ms) const {
  CallsOfMethod calls;
  const auto sites = sites_.find(caller);
  if (sites == sites_.end() || caller == kNoMethod) return calls;
  for (const auto& [bci, callees] : sites->second) {
    double site_weight = 0;
    for (const MethodId callee : callees) site_weight += WeightOf({caller, bci, callee}, now_ms);
    calls.weight += site_weight;
    if (bci == kNoBci || site_weight <= 0) continue;
    for (const MethodId callee : callees) {
      InlinableCall call{.edge = {caller, bci, callee}};
      call.weight = WeightOf(call.edge, now_ms);
      call.part_of_site = call.weight / site_weight;
      const std::optional<int32_t> bytes = sizes.BytesOf(callee);
      call.bytes = bytes.value_or(0);
      call.decision = Decide(policy_.inlining, {.weight = call.weight,
                                                .part = call.part_of_site,
                                                .is_only_target = callees.size() == 1,
                                                .bytes = bytes});
      if (call.decision.is_inlined) calls.inlinable.push_back(call);
    }
  }
  return calls;
}

}  // namespace yp
