#include "hotspot/vmstructs/guarded_blocks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/zeroed_pages.h"

namespace yp::hotspot {

using Piece = GuardedMemory::Piece;

// Huge pages where the kernel has them: it takes as long to make pages one by one, as each is
// touched, as to read what they are for. Not for a few blocks.
GuardedBlocks::GuardedBlocks(const GuardedMemory& memory)
    : memory_(memory),
      entries_(kEntries),
      contents_(static_cast<char*>(MapZeroedPages(kSlots * kBlock))) {
  if (contents_ == nullptr) return;
  AdviseHugePages(contents_.get() + kFewSlots * kBlock, (kSlots - kFewSlots) * kBlock);
}

void GuardedBlocks::Unmap::operator()(char* pages) const { UnmapPages(pages, kSlots * kBlock); }

void GuardedBlocks::ForgetBlocks() {
  for (Entry* entry : used_) *entry = {};
  used_.clear();
  last_ = {};
}

void GuardedBlocks::Forget() {
  ForgetBlocks();
  if (touched_ > 0) ZeroPages(contents_.get(), std::exchange(touched_, 0) * kBlock);
}

GuardedBlocks::Entry& GuardedBlocks::EntryOf(uintptr_t number) {
  constexpr uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;
  size_t at = number * kGolden >> (64 - kEntryBits);
  while (entries_[at].number != 0 && entries_[at].number != number) at = (at + 1) % kEntries;
  return entries_[at];
}

void GuardedBlocks::Fetch(std::span<const uintptr_t> numbers) {
  std::vector<Piece> blocks;
  char* to = contents_.get() + used_.size() * kBlock;
  for (const uintptr_t number : numbers) {
    blocks.push_back(
        {.from = reinterpret_cast<const void*>(number * kBlock), .to = to, .bytes = kBlock});
    to += kBlock;
  }
  memory_.ReadEach(blocks);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto* contents = static_cast<const char*>(blocks[i].to);
    Entry& entry = EntryOf(numbers[i]);
    entry = {numbers[i], blocks[i].is_read ? contents : nullptr};
    used_.push_back(&entry);
  }
  touched_ = std::max(touched_, used_.size());
}

void GuardedBlocks::FetchNeighbours(uintptr_t number) {
  std::array<uintptr_t, kNeighbours> missing;
  size_t count = 0;
  const uintptr_t first = number - number % kNeighbours;
  for (uintptr_t near = first; near < first + kNeighbours; ++near) {
    if (near != 0 && EntryOf(near).number == 0) missing[count++] = near;
  }
  Fetch(std::span(missing).first(count));
}

const char* GuardedBlocks::Block(uintptr_t number) {
  if (contents_ == nullptr || number == 0) return nullptr;
  if (number == last_.number) return last_.contents;
  last_ = EntryOf(number);
  if (last_.number == 0) {
    if (used_.size() + kNeighbours > kSlots) ForgetBlocks();
    FetchNeighbours(number);
    last_ = EntryOf(number);
  }
  return last_.contents;
}

bool GuardedBlocks::ReadAny(const void* from, void* to, size_t bytes) {
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

void GuardedBlocks::ReadEach(std::span<Piece> pieces) {
  if (contents_ == nullptr) return memory_.ReadEach(pieces);
  while (!pieces.empty()) {
    const size_t count = std::min(kPiecesAtOnce, pieces.size());
    ReadTogether(pieces.first(count));
    pieces = pieces.subspan(count);
  }
}

void GuardedBlocks::ReadTogether(std::span<Piece> pieces) {
  std::vector<uintptr_t> missing;
  uintptr_t known = 0;
  for (const Piece& piece : pieces) {
    const auto address = reinterpret_cast<uintptr_t>(piece.from);
    // What goes around the end of the address space is found to be unreadable below.
    if (piece.bytes == 0 || address + (piece.bytes - 1) < address) continue;
    for (uintptr_t number = address / kBlock; number <= (address + piece.bytes - 1) / kBlock;
         ++number) {
      if (number == known || number == 0) continue;
      if (EntryOf(number).number == 0) missing.push_back(number);
      known = number;
    }
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  // Where there is no room for all of them, each is read when it is come to.
  if (used_.size() + missing.size() <= kSlots) Fetch(missing);
  for (Piece& piece : pieces) piece.is_read = Read(piece.from, piece.to, piece.bytes);
}

}  // namespace yp::hotspot
