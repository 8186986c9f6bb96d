#ifndef YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_
#define YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_

#include <cstdint>

namespace yp::hotspot {

// What trampolines' slow paths lead to, on the Java thread (see EntryHandler for what that may do).
// Threads may be in it ever after.
class PatchHook {
 public:
  // `number` is the trampoline's; `return_address` points to where the observed call returns to, on
  // the stack; `frame_pointer` is the caller's rbp.
  virtual void OnSlowPath(uint32_t number, const uintptr_t* return_address,
                          uintptr_t frame_pointer) = 0;

 protected:
  ~PatchHook() = default;
};
// From then on each slow path goes there; null: it goes on at once.
void SetPatchHook(PatchHook* hook);
// The address of the machine code that a trampoline calls: it keeps every register.
uintptr_t PatchHookCode();

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_PATCH_HOOK_H_
