#ifndef YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
#define YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hotspot/vmstructs/guarded_memory.h"

namespace yp::hotspot {

// Reads guarded memory in blocks, and remembers them: what follows many pointers between the VM's
// objects comes to the same blocks again and again, and a system call for each takes 1 us.
//
// What is remembered is as it was when it was first read, until Forget(), or until there are more
// blocks than it has room for: then it forgets all of them. From one thread at a time.
//
// It takes memory for what it remembers only, up to 16 MiB. A pass over the classes and methods of
// ecj, with what most of them call, comes to 3,100 blocks (2026-11, JDK 17).
class GuardedBlocks {
 public:
  // `memory` must live as long.
  explicit GuardedBlocks(const GuardedMemory& memory);

  // As GuardedMemory's.
  bool Read(const void* from, void* to, size_t bytes) {
    if (bytes == 0) return true;
    const auto address = reinterpret_cast<uintptr_t>(from);
    const size_t within = address % kBlock;
    if (address / kBlock != last_.number || last_.contents == nullptr || within + bytes > kBlock) {
      return ReadAny(from, to, bytes);
    }
    std::memcpy(to, last_.contents + within, bytes);
    return true;
  }
  template <typename T>
  std::optional<T> Get(const void* base, int64_t offset) {
    T value;
    if (!Read(GuardedMemory::At(base, offset), &value, sizeof(value))) return std::nullopt;
    return value;
  }
  // The same; blocks that are not remembered are read together, in a third of the time.
  void ReadEach(std::span<GuardedMemory::Piece> pieces);
  // Gives the memory back as well.
  void Forget();

 private:
  static constexpr size_t kBlock = 4096;  // A page.
  static constexpr size_t kSlots = 4096, kFewSlots = 64;
  // A hash table with room to spare.
  static constexpr size_t kEntryBits = 13, kEntries = size_t{1} << kEntryBits;
  // Neighbours that are read when one of them is missed: half of them are needed soon, and two take
  // little longer than one.
  static constexpr size_t kNeighbours = 2;
  // Pieces whose blocks are looked for together.
  static constexpr size_t kPiecesAtOnce = 512;
  struct Unmap {
    void operator()(char* pages) const;
  };
  struct Entry {
    uintptr_t number = 0;            // Its address by kBlock; 0: none.
    const char* contents = nullptr;  // Null when it cannot be read.
  };

  // Read of what need not lie in the block that was read last.
  bool ReadAny(const void* from, void* to, size_t bytes);
  void ReadTogether(std::span<GuardedMemory::Piece> pieces);
  // Where the block is, or is to be put.
  Entry& EntryOf(uintptr_t number);
  // Blocks that are not remembered: reads them, by the order of their numbers.
  void Fetch(std::span<const uintptr_t> numbers);
  // The block, which is not remembered, and its neighbours.
  void FetchNeighbours(uintptr_t number);
  // Null when it cannot be read.
  const char* Block(uintptr_t number);
  void ForgetBlocks();

  const GuardedMemory& memory_;
  std::vector<Entry> entries_;
  std::vector<Entry*> used_;  // By the order of their slots.
  size_t touched_ = 0;        // Slots that have taken memory.
  Entry last_;
  std::unique_ptr<char, Unmap> contents_;  // kBlock for each slot. Null: there is no memory.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
