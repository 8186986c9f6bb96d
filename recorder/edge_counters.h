#ifndef YP_RECORDER_EDGE_COUNTERS_H_
#define YP_RECORDER_EDGE_COUNTERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace yp {

// Exact counts by edge, of calls that took the slow path: one writer, any number of readers. Grows
// in chunks that never move.
class EdgeCounters {
 public:
  EdgeCounters() = default;
  ~EdgeCounters();
  EdgeCounters(const EdgeCounters&) = delete;
  EdgeCounters& operator=(const EdgeCounters&) = delete;

  // The owning thread. False when the edge is out of range or there is no memory.
  bool Increment(EdgeId edge);
  // Any thread: calls visit(EdgeId, count) for every edge with a count.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t c = 0; c < kChunks; ++c) {
      const Chunk* chunk =
          chunks_[c].load(std::memory_order_acquire);  // Partner: Increment's release.
      if (chunk == nullptr) continue;
      for (size_t i = 0; i < kChunkSize; ++i) {
        const uint64_t n = chunk->counts[i].load(std::memory_order_relaxed);
        if (n != 0) visit(EdgeId{static_cast<uint32_t>(c * kChunkSize + i)}, n);
      }
    }
  }

 private:
  static constexpr size_t kChunkSize = 1024;
  static constexpr size_t kChunks = 4096;  // 4 M edges.
  struct Chunk {
    std::atomic<uint64_t> counts[kChunkSize];
  };
  std::atomic<Chunk*> chunks_[kChunks] = {};
};

}  // namespace yp

#endif  // YP_RECORDER_EDGE_COUNTERS_H_
