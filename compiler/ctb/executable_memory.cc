#include "compiler/ctb/executable_memory.h"

#include <sys/mman.h>

#include <cstring>

namespace yp::compiler {

ExecutableMemory::~ExecutableMemory() {
  for (uint8_t* const chunk : chunks_) munmap(chunk, kChunkBytes);
}

uint8_t* ExecutableMemory::Take(size_t bytes) {
  if (bytes <= kPieceBytes && !free_.empty()) {
    uint8_t* const piece = free_.back();
    free_.pop_back();
    return piece;
  }
  const size_t rounded = (bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
  if (rounded > kChunkBytes) return nullptr;
  if (used_ + rounded > kChunkBytes) {
    void* const chunk = mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (chunk == MAP_FAILED) return nullptr;
    chunks_.push_back(static_cast<uint8_t*>(chunk));
    used_ = 0;
  }
  uint8_t* const taken = chunks_.back() + used_;
  used_ += rounded;
  return taken;
}

uint8_t* ExecutableMemory::Add(const std::vector<uint8_t>& code) {
  uint8_t* const place = Take(code.size());
  if (place != nullptr) std::memcpy(place, code.data(), code.size());
  return place;
}

}  // namespace yp::compiler
