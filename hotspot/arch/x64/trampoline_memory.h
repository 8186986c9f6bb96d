#ifndef YP_HOTSPOT_ARCH_X64_TRAMPOLINE_MEMORY_H_
#define YP_HOTSPOT_ARCH_X64_TRAMPOLINE_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/status.h"
#include "hotspot/arch/x64/entry_code.h"
#include "hotspot/arch/x64/near_code.h"

namespace yp::hotspot {

// Room for trampolines near the code cache. Never given back, since a thread may be in a trampoline
// for any length of time.
class TrampolineMemory {
 public:
  // For a code cache from low to high. An error when the kernel refuses, or has no free addresses
  // that near. `slow_path` may lie anywhere.
  static Result<std::unique_ptr<TrampolineMemory>> Create(uintptr_t low, uintptr_t high,
                                                          size_t capacity, uintptr_t slow_path);
  TrampolineMemory(const TrampolineMemory&) = delete;
  TrampolineMemory& operator=(const TrampolineMemory&) = delete;

  size_t capacity() const { return capacity_; }
  // Where the trampoline of that number lies when it is run; the number is below the capacity.
  uintptr_t AddressOf(uint32_t number) const {
    return code_->address() + number * kTrampolineBytes;
  }
  // What trampolines call: it goes on to the slow path, from near.
  uintptr_t slow_path() const { return AddressOf(static_cast<uint32_t>(capacity_)); }
  // Before anything leads to it.
  void Write(uint32_t number, const std::array<uint8_t, kTrampolineBytes>& code);
  // Whether a program counter lies within a trampoline, or between.
  bool Contains(uintptr_t pc) const { return code_->Contains(pc); }

 private:
  TrampolineMemory(std::unique_ptr<NearCode> code, size_t capacity)
      : code_(std::move(code)), capacity_(capacity) {}

  const std::unique_ptr<NearCode> code_;
  const size_t capacity_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_TRAMPOLINE_MEMORY_H_
