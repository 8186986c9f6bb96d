#ifndef YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_
#define YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_

#include <cstdint>

namespace yp::hotspot {

// What a trampoline's slow path calls: keeps every register and calls the function, on the Java
// thread (see EntryHandler for what that may do).
//
// `number` is the trampoline's; `return_address` points to where the observed call returns to, on
// the stack; `frame_pointer` is the caller's rbp.
using PatchHook = void (*)(uint32_t number, const uintptr_t* return_address,
                           uintptr_t frame_pointer);
void SetPatchHook(PatchHook hook);
// The machine code's address.
uintptr_t PatchHookCode();

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_
