#include "hotspot/vmstructs/guarded_blocks.h"

#include <algorithm>
#include <cstring>

namespace yp::hotspot {

const char* GuardedBlocks::Block(uintptr_t number) {
  Slot& slot = slots_[number % kSlots];
  if (slot.number == number && slot.epoch == epoch_) return slot.bytes.data();
  slot.epoch = 0;
  if (!memory_.Read(reinterpret_cast<const void*>(number * kBlock), slot.bytes.data(), kBlock)) {
    return nullptr;
  }
  slot.number = number;
  slot.epoch = epoch_;
  return slot.bytes.data();
}

bool GuardedBlocks::Read(const void* from, void* to, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(from);
  auto* end = static_cast<char*>(to);
  while (bytes > 0) {
    const char* block = Block(address / kBlock);
    if (block == nullptr) return false;
    const size_t part = std::min(bytes, kBlock - address % kBlock);
    std::memcpy(end, block + address % kBlock, part);
    address += part;
    end += part;
    bytes -= part;
  }
  return true;
}

}  // namespace yp::hotspot
