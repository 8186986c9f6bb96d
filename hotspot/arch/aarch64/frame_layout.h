#ifndef YP_HOTSPOT_ARCH_AARCH64_FRAME_LAYOUT_H_
#define YP_HOTSPOT_ARCH_AARCH64_FRAME_LAYOUT_H_

namespace yp::hotspot::frame_layout {

// Where HotSpot's frames keep what, in words, on JDK 11 to 25 on Linux on aarch64 (HotSpot's
// frame_aarch64.hpp). Only JDK 17 was tried.

// From the frame pointer (x29).
inline constexpr int kReturnPc = 1;
inline constexpr int kSavedFramePointer = 0;
inline constexpr int kInterpretedSenderSp = -1;
inline constexpr int kInterpretedMethod = -3;
inline constexpr int kInterpretedProfile = -5;  // Into the method's MethodData, or null.
// An interpreted frame's bytecode pointer: in one of these, depending on the release. It is where
// there is a pointer into the method's bytecode.
inline constexpr int kInterpretedBcp[] = {-8, -9};
// In the stub through which the VM calls Java.
inline constexpr int kEntryCallWrapper = -8;

// From the stack pointer of the caller, below which a compiled frame ends.
inline constexpr int kCompiledReturnPc = -1;
inline constexpr int kCompiledSavedFramePointer = -2;

}  // namespace yp::hotspot::frame_layout

#endif  // YP_HOTSPOT_ARCH_AARCH64_FRAME_LAYOUT_H_
