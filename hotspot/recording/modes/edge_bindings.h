#ifndef YP_HOTSPOT_RECORDING_MODES_EDGE_BINDINGS_H_
#define YP_HOTSPOT_RECORDING_MODES_EDGE_BINDINGS_H_

#include <atomic>
#include <cstdint>

#include "base/ids.h"
#include "hotspot/graph/edge_array.h"

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

  // Everything is undecided again.
  void Clear() { sites_.Clear(); }

  // The call site whose counters may count the edge, or kUndecided, or kNever.
  int32_t Get(EdgeId edge) const {
    const std::atomic<int32_t>* site = sites_.Find(edge);
    return site == nullptr ? kNever : site->load(std::memory_order_relaxed);
  }
  void Set(EdgeId edge, int32_t site) {
    std::atomic<int32_t>* bound = sites_.Find(edge);
    if (bound != nullptr) bound->store(site, std::memory_order_relaxed);
  }

 private:
  EdgeArray<int32_t> sites_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_EDGE_BINDINGS_H_
