#ifndef YP_HOTSPOT_AGENT_EDGE_BINDINGS_H_
#define YP_HOTSPOT_AGENT_EDGE_BINDINGS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "hotspot/threads/zeroed_pages.h"

namespace yp::hotspot {

// Which edges may be counted by the call site's counters, without a walk (exact mode).
//
// A call site announces itself and the next probed method takes the announcement. That proves the
// edge only if no method without a probe can lie between the two. It cannot where the site names
// its callee (static, special), and where the callee overrides nothing of the JDK's; else the edge
// is kNever and every call of it is walked.
class EdgeBindings {
 public:
  static constexpr int32_t kUndecided = 0;
  static constexpr int32_t kNever = -1;

  EdgeBindings() : sites_(static_cast<std::atomic<int32_t>*>(MapZeroedPages(kBytes))) {}
  EdgeBindings(const EdgeBindings&) = delete;
  EdgeBindings& operator=(const EdgeBindings&) = delete;
  ~EdgeBindings() {
    if (sites_ != nullptr) UnmapPages(sites_, kBytes);
  }

  // Everything is undecided again.
  void Clear() {
    if (sites_ != nullptr) ZeroPages(sites_, kBytes);
  }

  // The call site whose counters may count the edge, or kUndecided, or kNever.
  int32_t Get(EdgeId edge) const {
    if (sites_ == nullptr || ToIndex(edge) >= kEdges) return kNever;
    return sites_[ToIndex(edge)].load(std::memory_order_relaxed);
  }
  void Set(EdgeId edge, int32_t site) {
    if (sites_ == nullptr || ToIndex(edge) >= kEdges) return;
    sites_[ToIndex(edge)].store(site, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kEdges = size_t{1} << 22;
  static constexpr size_t kBytes = kEdges * sizeof(std::atomic<int32_t>);
  std::atomic<int32_t>* const sites_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_EDGE_BINDINGS_H_
