#ifndef YP_HOTSPOT_GRAPH_EDGE_ARRAY_H_
#define YP_HOTSPOT_GRAPH_EDGE_ARRAY_H_

#include <atomic>
#include <cstddef>

#include "base/ids.h"
#include "base/zeroed_pages.h"

namespace yp::hotspot {

// A number for each edge, 0 at first; any thread. Takes memory only where it is touched.
template <typename T>
class EdgeArray {
 public:
  EdgeArray() : numbers_(static_cast<std::atomic<T>*>(MapZeroedPages(kBytes))) {}
  EdgeArray(const EdgeArray&) = delete;
  EdgeArray& operator=(const EdgeArray&) = delete;
  ~EdgeArray() {
    if (numbers_ != nullptr) UnmapPages(numbers_, kBytes);
  }

  // All are 0 again.
  void Clear() {
    if (numbers_ != nullptr) ZeroPages(numbers_, kBytes);
  }

  // Null for an edge that is out of range, and for all when the kernel gives no memory.
  std::atomic<T>* Find(EdgeId edge) const {
    return numbers_ == nullptr || ToIndex(edge) >= kEdges ? nullptr : &numbers_[ToIndex(edge)];
  }

 private:
  static constexpr size_t kEdges = size_t{1} << 22;
  static constexpr size_t kBytes = kEdges * sizeof(std::atomic<T>);
  std::atomic<T>* const numbers_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_GRAPH_EDGE_ARRAY_H_
