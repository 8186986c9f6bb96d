#include "hotspot/vmstructs/guarded_blocks.h"

#include <algorithm>
#include <cstring>

#include "base/zeroed_pages.h"

namespace yp::hotspot {

GuardedBlocks::GuardedBlocks(const GuardedMemory& memory)
    : memory_(memory),
      numbers_(kSlots, 0),
      contents_(static_cast<char*>(MapZeroedPages(kSlots * kBlock))) {}

void GuardedBlocks::Unmap::operator()(char* pages) const { UnmapPages(pages, kSlots * kBlock); }

void GuardedBlocks::Forget() {
  std::ranges::fill(numbers_, 0);
  if (contents_ != nullptr) ZeroPages(contents_.get(), kSlots * kBlock);
}

const char* GuardedBlocks::Block(uintptr_t number) {
  if (contents_ == nullptr) return nullptr;
  const size_t slot = number % kSlots;
  char* const contents = contents_.get() + slot * kBlock;
  if (numbers_[slot] == number && number != 0) return contents;
  numbers_[slot] = 0;
  if (!memory_.Read(reinterpret_cast<const void*>(number * kBlock), contents, kBlock)) {
    return nullptr;
  }
  numbers_[slot] = number;
  return contents;
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
