#ifndef YP_HOTSPOT_PROBES_PATCH_TRAMPOLINE_MEMORY_H_
#define YP_HOTSPOT_PROBES_PATCH_TRAMPOLINE_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.h"
#include "hotspot/probes/patch/entry_code.h"

namespace yp::hotspot {

// Room for trampolines, so near to the code cache that each can reach the other by a 32-bit jump.
// No page is writable and executable at once: the same memory is mapped twice, here to be written,
// there to be run. Never given back, since a thread may be in a trampoline for any length of time.
class TrampolineMemory {
 public:
  // For a code cache from low to high. An error when the kernel refuses, or has no free addresses
  // that near. `slow_path` may lie anywhere.
  static Result<std::unique_ptr<TrampolineMemory>> Create(uintptr_t low, uintptr_t high,
                                                          size_t capacity, uintptr_t slow_path);
  ~TrampolineMemory();
  TrampolineMemory(const TrampolineMemory&) = delete;
  TrampolineMemory& operator=(const TrampolineMemory&) = delete;

  size_t capacity() const { return capacity_; }
  // Where the trampoline of that number lies when it is run; the number is below the capacity.
  uintptr_t AddressOf(uint32_t number) const {
    return reinterpret_cast<uintptr_t>(executable_) + number * kTrampolineBytes;
  }
  // What trampolines call: it goes on to the slow path, from near.
  uintptr_t slow_path() const { return AddressOf(static_cast<uint32_t>(capacity_)); }
  // Before anything leads to it.
  void Write(uint32_t number, const std::array<uint8_t, kTrampolineBytes>& code);
  // Whether a program counter lies within a trampoline, or between.
  bool Contains(uintptr_t pc) const { return pc - AddressOf(0) < bytes_; }

 private:
  TrampolineMemory(std::byte* writable, std::byte* executable, size_t bytes, size_t capacity)
      : writable_(writable), executable_(executable), bytes_(bytes), capacity_(capacity) {}

  std::byte* const writable_;
  std::byte* const executable_;
  const size_t bytes_;
  const size_t capacity_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PATCH_TRAMPOLINE_MEMORY_H_
