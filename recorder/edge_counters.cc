#include "recorder/edge_counters.h"

#include <new>

namespace yp {

EdgeCounters::~EdgeCounters() {
  for (auto& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);
}

bool EdgeCounters::Increment(EdgeId edge) {
  const size_t index = ToIndex(edge);
  if (index >= kChunkSize * kChunks) return false;
  std::atomic<Chunk*>& slot = chunks_[index / kChunkSize];
  Chunk* chunk = slot.load(std::memory_order_relaxed);
  if (chunk == nullptr) {
    chunk = new (std::nothrow) Chunk{};
    if (chunk == nullptr) return false;
    slot.store(chunk, std::memory_order_release);  // Partner: ForEach's acquire.
  }
  std::atomic<uint64_t>& count = chunk->counts[index % kChunkSize];
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return true;
}

}  // namespace yp
