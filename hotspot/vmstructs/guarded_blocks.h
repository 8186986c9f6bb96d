#ifndef YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
#define YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hotspot/vmstructs/guarded_memory.h"

namespace yp::hotspot {

// Reads guarded memory in blocks, and remembers them: what follows many pointers between the VM's
// objects comes to the same blocks again and again, and a system call for each takes 1 us.
//
// What is remembered is as it was when it was first read, until Forget() or until another block
// takes its slot. From one thread at a time.
class GuardedBlocks {
 public:
  explicit GuardedBlocks(const GuardedMemory& memory) : memory_(memory), slots_(kSlots) {}

  // As GuardedMemory's.
  bool Read(const void* from, void* to, size_t bytes);
  template <typename T>
  std::optional<T> Get(const void* base, int64_t offset) {
    T value;
    if (!Read(GuardedMemory::At(base, offset), &value, sizeof(value))) return std::nullopt;
    return value;
  }
  void Forget() { ++epoch_; }

 private:
  static constexpr size_t kBlock = 4096;  // A page.
  static constexpr size_t kSlots = 1024;
  struct Slot {
    uintptr_t number = 0;  // The address by kBlock.
    uint64_t epoch = 0;    // 0: empty.
    std::array<char, kBlock> bytes;
  };

  // Null when it cannot be read.
  const char* Block(uintptr_t number);

  const GuardedMemory& memory_;
  uint64_t epoch_ = 1;
  std::vector<Slot> slots_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
