#ifndef YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
#define YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hotspot/vmstructs/guarded_memory.h"

namespace yp::hotspot {

// Reads guarded memory in blocks, and remembers them: what follows many pointers between the VM's
// objects comes to the same blocks again and again, and a system call for each takes 1 us.
//
// What is remembered is as it was when it was first read, until Forget() or until another block
// takes its slot. From one thread at a time. It takes memory for what it remembers only, up to 2
// MiB. A pass over the methods of ecj, fop or jython comes to 2,100 to 2,900 blocks, and reads many
// twice; with a slot for each it takes 4 to 10 % longer, as the first touch of a page of ours (1.4
// us) costs as much as reading one again (2026-11, jython, fop and tomcat on JDK 17, 2-core x86-64
// virtual machine).
class GuardedBlocks {
 public:
  explicit GuardedBlocks(const GuardedMemory& memory);

  // As GuardedMemory's.
  bool Read(const void* from, void* to, size_t bytes);
  template <typename T>
  std::optional<T> Get(const void* base, int64_t offset) {
    T value;
    if (!Read(GuardedMemory::At(base, offset), &value, sizeof(value))) return std::nullopt;
    return value;
  }
  // Gives the memory back as well.
  void Forget();

 private:
  static constexpr size_t kBlock = 4096;  // A page.
  static constexpr size_t kSlots = 512;
  struct Unmap {
    void operator()(char* pages) const;
  };

  // Null when it cannot be read.
  const char* Block(uintptr_t number);

  const GuardedMemory& memory_;
  std::vector<uintptr_t> numbers_;         // Of each slot's block: its address by kBlock; 0: empty.
  std::unique_ptr<char, Unmap> contents_;  // kBlock for each slot. Null: there is no memory.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_GUARDED_BLOCKS_H_
