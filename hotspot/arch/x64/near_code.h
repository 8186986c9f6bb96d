#ifndef YP_HOTSPOT_ARCH_X64_NEAR_CODE_H_
#define YP_HOTSPOT_ARCH_X64_NEAR_CODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/status.h"

namespace yp::hotspot {

// Memory for machine code, so near to the VM's code that each can reach the other by a 32-bit jump.
// No page is writable and executable at once: the same memory is mapped twice, here to be written,
// there to be run.
class NearCode {
 public:
  // At least `bytes` of it, for code from low to high. `name` is for the process's maps. An error
  // when the kernel refuses, or has no free addresses that near.
  static Result<std::unique_ptr<NearCode>> Create(const char* name, size_t bytes, uintptr_t low,
                                                  uintptr_t high);
  // No thread may be in it.
  ~NearCode();
  NearCode(const NearCode&) = delete;
  NearCode& operator=(const NearCode&) = delete;

  // Where it lies when it is run.
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(executable_); }
  // Before anything leads to those bytes; they must fit.
  void Write(size_t offset, std::span<const uint8_t> code);
  bool Contains(uintptr_t pc) const { return pc - address() < bytes_; }

 private:
  NearCode(std::byte* writable, std::byte* executable, size_t bytes)
      : writable_(writable), executable_(executable), bytes_(bytes) {}

  std::byte* const writable_;
  std::byte* const executable_;
  const size_t bytes_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_NEAR_CODE_H_
