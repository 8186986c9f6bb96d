#include "hotspot/probes/bytecode/counted_contexts.h"

namespace yp::hotspot {
namespace {

ContextId ToId(int32_t node) { return ContextId{static_cast<uint32_t>(node)}; }

}  // namespace

CountedContexts::Updates CountedContexts::Take() {
  Updates updates;
  const int32_t end = counts_.end();
  for (auto node = static_cast<int32_t>(told_.size()); node < end; ++node) {
    const ContextCounts::Node& made = counts_[node];
    const MethodId method{static_cast<uint32_t>(made.method)};
    const int32_t bci = made.site == 0 ? kNoBci : registry_.SiteAt(made.site).bci;
    registry_.MarkUsed(method);
    updates.contexts.push_back({ToId(node), ToId(made.parent), bci, method});
  }
  told_.resize(static_cast<size_t>(end));
  for (int32_t node = ContextCounts::kFirst; node < end; ++node) {
    const int64_t calls = counts_[node].calls.load(std::memory_order_relaxed);
    int64_t& told = told_[static_cast<size_t>(node)];
    if (calls == told) continue;
    updates.counts.calls.emplace_back(ToId(node), static_cast<uint64_t>(calls - told));
    told = calls;
  }
  return updates;
}

}  // namespace yp::hotspot
