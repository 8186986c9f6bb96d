#include "hotspot/probes/bytecode/context_counts.h"

namespace yp::hotspot {

int32_t ContextCounts::Find(int32_t parent, int32_t site, int32_t method) {
  const std::lock_guard lock(adding_);
  size_t place = FirstPlace(parent, site, method);
  while (const int32_t known = tables_->index[place].load(std::memory_order_relaxed)) {
    const Node& node = tables_->nodes[known];
    if (node.parent == parent && node.site == site && node.method == method) return known;
    place = (place + 1) % (size_t{1} << kLog2Index);
  }
  const int32_t next = end();
  if (next == int32_t{1} << kLog2Nodes) return kLost;
  tables_->nodes[next].parent = parent;
  tables_->nodes[next].site = site;
  tables_->nodes[next].method = method;
  added_.fetch_add(1, std::memory_order_release);  // Partner: end's acquire.
  tables_->index[place].store(next,
                              std::memory_order_release);  // Partner: YieldpointProbe's acquire.
  return next;
}

void ContextCounts::Clear() {
  const std::lock_guard lock(adding_);
  tables_.Clear();
  added_.store(0, std::memory_order_relaxed);
  tables_->nodes[kLost].parent = kLost;
}

}  // namespace yp::hotspot
