#ifndef YP_HOTSPOT_DISCOVERY_EDGE_SET_H_
#define YP_HOTSPOT_DISCOVERY_EDGE_SET_H_

#include <atomic>
#include <cstdint>

#include "base/ids.h"
#include "hotspot/graph/edge_array.h"

namespace yp::hotspot {

// A growing set of edges; any thread. Lock-free.
class EdgeSet {
 public:
  // True for the first that inserts it; always for an edge that is out of range.
  bool Insert(EdgeId edge) {
    std::atomic<uint8_t>* known = known_.Find(edge);
    return known == nullptr || (known->load(std::memory_order_relaxed) == 0 &&
                                known->exchange(1, std::memory_order_relaxed) == 0);
  }

 private:
  EdgeArray<uint8_t> known_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_EDGE_SET_H_
