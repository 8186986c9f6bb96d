#include "hotspot/probes/bytecode/context_counts.h"

namespace yp::hotspot {

int32_t ContextCounts::Find(int32_t parent, int32_t site, int32_t method) {
  const std::lock_guard lock(adding_);
  size_t place = FirstPlace(parent, site, method);
  while (const int32_t known = index_[place].load(std::memory_order_relaxed)) {
    const Node& node = nodes_[known];
    if (node.parent == parent && node.site == site && node.method == method) return known;
    place = (place + 1) % (size_t{1} << kLog2Index);
  }
  const int32_t next = end();
  if (next == int32_t{1} << kLog2Nodes) return kLost;
  nodes_[next].parent = parent;
  nodes_[next].site = site;
  nodes_[next].method = method;
  added_.fetch_add(1, std::memory_order_release);        // Partner: end's acquire.
  index_[place].store(next, std::memory_order_release);  // Partner: YieldpointProbe's acquire.
  return next;
}

void ContextCounts::Clear() {
  const std::lock_guard lock(adding_);
  ZeroPages(index_, sizeof(index_));
  ZeroPages(nodes_, sizeof(nodes_));
  added_.store(0, std::memory_order_relaxed);
  nodes_[kLost].parent = kLost;
}

}  // namespace yp::hotspot
