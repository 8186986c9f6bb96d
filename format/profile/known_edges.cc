#include "format/profile/known_edges.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace yp {
namespace {

constexpr double kLeastCalls = 0.5;

}  // namespace

void KeepEdges(Profile* profile, const std::function<bool(const EdgeStats&)>& keep) {
  constexpr uint32_t kGone = 0xffffffff;
  std::vector<uint32_t> index;
  std::vector<EdgeStats> kept;
  std::vector<std::array<float, kReplicates>> kept_replicates;
  for (size_t i = 0; i < profile->edges.size(); ++i) {
    const bool stays = keep(profile->edges[i]);
    index.push_back(stays ? static_cast<uint32_t>(kept.size()) : kGone);
    if (!stays) continue;
    kept.push_back(profile->edges[i]);
    if (!profile->replicates.empty()) kept_replicates.push_back(profile->replicates[i]);
  }
  if (kept.size() == profile->edges.size()) return;
  profile->edges = std::move(kept);
  profile->replicates = std::move(kept_replicates);
  for (spool::Window& window : profile->windows) {
    for (auto& [edge, samples] : window.samples) edge = EdgeId{index[ToIndex(edge)]};
    std::erase_if(window.samples,
                  [](const auto& sample) { return ToIndex(sample.first) == kGone; });
  }
}

void KeepKnownEdges(Profile* profile) {
  std::vector<double> sampled(profile->edges.size());
  for (const spool::Window& window : profile->windows) {
    for (const auto& [edge, samples] : window.samples) sampled[ToIndex(edge)] += samples;
  }
  for (size_t i = 0; i < sampled.size(); ++i) {
    EdgeStats& edge = profile->edges[i];
    const double seen = std::max(sampled[i], static_cast<double>(edge.samples));
    if ((edge.flags & (kEdgeExact | kEdgeOnce)) != 0 || edge.calls >= seen) continue;
    edge.calls = seen;
    edge.low = std::max(edge.low, seen);
    edge.high = std::max(edge.high, seen);
  }
  KeepEdges(profile, [](const EdgeStats& edge) { return edge.calls >= kLeastCalls; });
}

}  // namespace yp
