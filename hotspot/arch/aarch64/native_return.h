#ifndef YP_HOTSPOT_ARCH_AARCH64_NATIVE_RETURN_H_
#define YP_HOTSPOT_ARCH_AARCH64_NATIVE_RETURN_H_

#include <cstdint>

namespace yp::hotspot {

// Where a native method returns to.
struct NativeReturn {
  uintptr_t pc = 0;
  const uintptr_t* sp = nullptr;  // After the return; null where the frame does not tell.
};
// By its __builtin_frame_address(0). A frame here lies above what its frame pointer points to, so
// that the stack pointer of before is not known.
[[gnu::always_inline]] inline NativeReturn ReturnOf(const void* frame_address) {
  return {.pc = static_cast<const uintptr_t*>(frame_address)[1], .sp = nullptr};
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_AARCH64_NATIVE_RETURN_H_
