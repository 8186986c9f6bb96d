#ifndef YP_HOTSPOT_ARCH_X64_NATIVE_RETURN_H_
#define YP_HOTSPOT_ARCH_X64_NATIVE_RETURN_H_

#include <cstdint>

namespace yp::hotspot {

// Where a native method returns to.
struct NativeReturn {
  uintptr_t pc = 0;
  const uintptr_t* sp = nullptr;  // After the return; null where the frame does not tell.
};
// By its __builtin_frame_address(0): the frame pointer's chain is kept (-fno-omit-frame-pointer),
// so that above it lie the saved one and the return address.
[[gnu::always_inline]] inline NativeReturn ReturnOf(const void* frame_address) {
  const auto* frame = static_cast<const uintptr_t*>(frame_address);
  return {.pc = frame[1], .sp = frame + 2};
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_NATIVE_RETURN_H_
