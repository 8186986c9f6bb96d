#ifndef YP_HOTSPOT_ARCH_X64_CALL_CODE_H_
#define YP_HOTSPOT_ARCH_X64_CALL_CODE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace yp::hotspot {

inline constexpr uint8_t kCallOpcode = 0xe8;  // call rel32
inline constexpr uint8_t kJumpOpcode = 0xe9;  // jmp rel32
// As long as either is.
inline constexpr int32_t kCallBytes = 5;
inline constexpr size_t kJumpBytes = 5;

// What the call instruction calls that ends at an address, where one does: call rel32. kCallBytes
// before it must be readable.
inline std::optional<uintptr_t> CallTarget(uintptr_t return_pc) {
  const auto* const call = reinterpret_cast<const uint8_t*>(return_pc - kCallBytes);
  int32_t distance = 0;
  std::memcpy(&distance, call + 1, sizeof(distance));
  if (*call != kCallOpcode) return std::nullopt;
  return return_pc + static_cast<uintptr_t>(intptr_t{distance});
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_CALL_CODE_H_
