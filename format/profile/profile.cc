#include "format/profile/profile.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/amortize/partial_context_tree.h"
#include "core/graph/transform.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

DynamicCallGraph GraphOf(const std::vector<EdgeStats>& edges, double EdgeStats::*weight) {
  DynamicCallGraph graph;
  for (const EdgeStats& edge : edges) graph.Add(edge.edge, edge.*weight);
  return graph;
}

}  // namespace

std::vector<std::string_view> EdgeFlagNames(uint32_t flags) {
  constexpr std::array<std::pair<EdgeFlag, std::string_view>, 7> kNames = {{
      {kEdgeExact, "exact"},
      {kEdgeSampled, "sampled"},
      {kEdgeNoInterval, "no-interval"},
      {kEdgeOnce, "once"},
      {kEdgeInferred, "inferred"},
      {kEdgeCounted, "counted"},
      {kEdgeExpected, "expected"},
  }};
  std::vector<std::string_view> names;
  for (const auto& [flag, name] : kNames) {
    if ((flags & flag) != 0) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> FlagNamesOf(const EdgeStats& edge) {
  std::vector<std::string_view> names = EdgeFlagNames(edge.flags);
  if (IsBelowOneCall(edge.calls)) names.push_back("below-one");
  return names;
}

std::string_view InlinedShare(const EdgeStats& edge) {
  if ((edge.flags & kEdgeInferred) == 0) return "";
  return edge.samples > 0 || (edge.flags & kEdgeCounted) != 0 ? "in part" : "yes";
}

std::string_view Profile::ConfigOr(std::string_view key, std::string_view fallback) const {
  return ConfigText(config, key, fallback);
}

Profile::ContextWeights Profile::context_weights() const {
  const std::string_view weights = ConfigOr(config_key::kContexts, "");
  if (weights == "calls") return ContextWeights::kCalls;
  return weights == "sampled_calls" ? ContextWeights::kEstimatedCalls : ContextWeights::kTime;
}

std::string_view UnitOfContexts(const Profile& profile) {
  switch (profile.context_weights()) {
    case Profile::ContextWeights::kCalls:
      return "calls";
    case Profile::ContextWeights::kEstimatedCalls:
      return "estimated calls";
    case Profile::ContextWeights::kTime:
      break;
  }
  return "samples";
}

double NumberOfStacks(const Profile& profile) {
  const bool is_time = profile.context_weights() == Profile::ContextWeights::kTime;
  return std::max(is_time ? profile.contexts.total() : 0, profile.jit.contexts.total());
}

double StackSampleNs(const Profile& profile) {
  const std::string_view event = profile.ConfigOr(config_key::kStacksEvent, "setitimer");
  if (event.find("clock") == std::string_view::npos && event != "setitimer") return 0;
  const double period_ns = ConfigNumber<double>(profile.config, config_key::kStacksPeriod);
  const double samples = NumberOfStacks(profile);
  if (samples <= 0) return period_ns;
  const double total_ns = period_ns * samples;
  const double cost_ns = ConfigNumber<double>(profile.config, config_key::kCostStacksNs);
  return UnitTime(total_ns, std::min(cost_ns, total_ns), static_cast<uint64_t>(samples));
}

std::string NameOf(const MethodTable& methods, MethodId id) {
  return id == kNoMethod ? std::string(kRootName) : methods[id].FullName();
}

int LineOf(const MethodTable& methods, const Edge& edge) {
  return edge.caller == kNoMethod || edge.bci == kNoBci ? 0 : methods[edge.caller].LineOf(edge.bci);
}

bool HasInterval(const EdgeStats& edge) { return (edge.flags & kEdgeNoInterval) == 0; }

bool Profile::is_lower_bound() const {
  constexpr uint32_t kRestUnknown = kEdgeCounted | kEdgeNoInterval;
  double counted = 0;
  for (const EdgeStats& edge : edges) {
    if ((edge.flags & kRestUnknown) == kRestUnknown) counted += edge.counted;
  }
  return counted > 0 && counted >= total_calls() / 2;
}

double Profile::total_calls() const {
  double total = 0;
  for (const EdgeStats& edge : edges) total += edge.calls;
  return total;
}

double Profile::total_intervals() const {
  double total = 0;
  for (const EdgeStats& edge : edges) total += edge.intervals;
  return total;
}

uint64_t Profile::total_samples() const {
  uint64_t total = 0;
  for (const EdgeStats& edge : edges) total += edge.samples;
  return total;
}

DynamicCallGraph Profile::Graph() const { return GraphOf(edges, &EdgeStats::calls); }
DynamicCallGraph Profile::LowGraph() const { return GraphOf(edges, &EdgeStats::low); }
DynamicCallGraph Profile::HighGraph() const { return GraphOf(edges, &EdgeStats::high); }
DynamicCallGraph Profile::LowShareGraph() const {
  return Scale(GraphOf(edges, &EdgeStats::share_low), total_calls());
}
DynamicCallGraph Profile::HighShareGraph() const {
  return Scale(GraphOf(edges, &EdgeStats::share_high), total_calls());
}
DynamicCallGraph Profile::UncorrectedGraph() const {
  return GraphOf(edges, &EdgeStats::uncorrected);
}

void SetSharesByNumbers(Profile* profile) {
  const double total = profile->total_calls();
  if (total <= 0) return;
  for (EdgeStats& edge : profile->edges) {
    edge.share_low = std::min(1.0, edge.low / total);
    edge.share_high = std::min(1.0, edge.high / total);
  }
}

std::vector<std::string> DifferentFilters(const Profile& a, const Profile& b) {
  std::vector<std::string> keys;
  for (const char* key :
       {config_key::kScope, config_key::kInclude, config_key::kExclude, config_key::kTrivial}) {
    if (a.ConfigOr(key, "") != b.ConfigOr(key, "")) keys.emplace_back(key);
  }
  return keys;
}

}  // namespace yp
