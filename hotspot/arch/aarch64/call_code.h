#ifndef YP_HOTSPOT_ARCH_AARCH64_CALL_CODE_H_
#define YP_HOTSPOT_ARCH_AARCH64_CALL_CODE_H_

#include <cstdint>
#include <cstring>
#include <optional>

namespace yp::hotspot {

// As long as the instruction is.
inline constexpr int32_t kCallBytes = 4;

// What the call instruction calls that ends at an address, where one does: bl, or blr to what it
// does not tell (0). kCallBytes before it must be readable.
inline std::optional<uintptr_t> CallTarget(uintptr_t return_pc) {
  uint32_t instruction = 0;
  std::memcpy(&instruction, reinterpret_cast<const void*>(return_pc - kCallBytes),
              sizeof(instruction));
  if ((instruction & 0xfffffc1fu) == 0xd63f0000u) return 0;
  if (instruction >> 26 != 0x25u) return std::nullopt;
  const auto words = static_cast<int32_t>(instruction << 6) >> 6;
  return return_pc - kCallBytes + static_cast<uintptr_t>(intptr_t{words} * kCallBytes);
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_AARCH64_CALL_CODE_H_
