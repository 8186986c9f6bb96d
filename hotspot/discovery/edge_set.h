#ifndef YP_HOTSPOT_DISCOVERY_EDGE_SET_H_
#define YP_HOTSPOT_DISCOVERY_EDGE_SET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

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

  void Erase(EdgeId edge) {
    if (std::atomic<uint8_t>* known = known_.Find(edge)) known->store(0, std::memory_order_relaxed);
  }
  bool IsInRange(EdgeId edge) const { return known_.Find(edge) != nullptr; }

 private:
  EdgeArray<uint8_t> known_;
};

// The edges that were found, ever and in a period. Any thread.
class FoundEdges {
 public:
  // As EdgeSet's Insert, of what was ever found.
  bool IsFirst(EdgeId edge) { return ever_.Insert(edge); }
  // The same of this period. Lock-free. Who gets true tells it by List.
  bool IsNew(EdgeId edge) { return in_period_.Insert(edge); }
  // One that a period ends before this is one of the next.
  void List(EdgeId edge) {
    if (!in_period_.IsInRange(edge)) return;
    const std::lock_guard lock(mutex_);
    edges_.push_back(edge);
  }
  // Those of this period that were listed since the last time.
  std::vector<EdgeId> Take() {
    const std::lock_guard lock(mutex_);
    std::vector<EdgeId> untold(edges_.begin() + static_cast<std::ptrdiff_t>(taken_), edges_.end());
    taken_ = edges_.size();
    return untold;
  }
  void BeginPeriod() {
    const std::lock_guard lock(mutex_);
    for (const EdgeId edge : edges_) in_period_.Erase(edge);
    edges_.clear();
    taken_ = 0;
  }

 private:
  EdgeSet ever_;
  EdgeSet in_period_;
  std::mutex mutex_;
  std::vector<EdgeId> edges_;  // Of the period.
  size_t taken_ = 0;           // Of them.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_EDGE_SET_H_
