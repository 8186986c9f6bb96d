#include "core/amortize/partial_context_tree.h"

namespace yp {

size_t PartialContextTree::ChildHash::operator()(
    const std::pair<uint32_t, MethodVersion>& child) const {
  const auto& [parent, label] = child;
  uint64_t h = (uint64_t{parent} << 32 | ToIndex(label.method)) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ ToIndex(label.compilation)) * 0xbf58476d1ce4e5b9u;
  return static_cast<size_t>(h ^ (h >> 32));
}

void PartialContextTree::Add(std::span<const MethodVersion> stack, uint64_t times) {
  uint32_t node = 0;
  nodes_[node].sigma += times;
  for (const MethodVersion& frame : stack) {
    const auto [child, is_new] =
        children_.try_emplace({node, frame}, static_cast<uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({node, frame, 0});
    node = child->second;
    nodes_[node].sigma += times;
  }
}

std::vector<uint64_t> PartialContextTree::OwnSamples() const {
  std::vector<uint64_t> own(nodes_.size());
  for (size_t v = nodes_.size(); v-- > 0;) {
    own[v] += nodes_[v].sigma;
    if (v > 0) own[nodes_[v].parent] -= nodes_[v].sigma;
  }
  return own;
}

double UnitTime(double total, double instrumentation, uint64_t samples) {
  return samples == 0 ? 0 : (total - instrumentation) / static_cast<double>(samples);
}

std::map<MethodVersion, double> TimeOfVersions(const PartialContextTree& tree, double unit_time) {
  const std::vector<uint64_t> own = tree.OwnSamples();
  std::map<MethodVersion, double> times;
  for (size_t v = 1; v < own.size(); ++v) {
    times[tree.nodes()[v].label] += static_cast<double>(own[v]) * unit_time;
  }
  return times;
}

double TimePerCall(double time, double calls) { return calls > 0 ? time / calls : 0; }

}  // namespace yp
