#include "hotspot/arch/x64/patch_hook.h"

#include <atomic>

#include "hotspot/arch/x64/save_registers.h"

namespace {

std::atomic<yp::hotspot::PatchHook*> patch_hook{nullptr};

}  // namespace

// On entry: [rsp] leads back to the trampoline, [rsp+8] is its number, [rsp+16] the observed call's
// return address.
extern "C" void yp_patch_hook();
asm(R"(
  .pushsection .text
  .local yp_patch_hook
  .type yp_patch_hook, @function
  .p2align 4
yp_patch_hook:
)" YP_SAVE_REGISTERS R"(
  mov 336(%rsp), %edi
  lea 344(%rsp), %rsi
  mov %rbp, %rdx
  call yp_call_patch_hook
)" YP_RESTORE_REGISTERS R"(
  ret
  .size yp_patch_hook, . - yp_patch_hook
  .popsection
)");
static_assert(yp::hotspot::kSavedRegistersBytes + 8 == 336);

extern "C" __attribute__((visibility("hidden"), used)) void yp_call_patch_hook(
    uint32_t number, const uintptr_t* return_address, uintptr_t frame_pointer) {
  // Partner: SetPatchHook's release.
  if (auto* const hook = patch_hook.load(std::memory_order_acquire)) {
    hook->OnSlowPath(number, return_address, frame_pointer);
  }
}

namespace yp::hotspot {

void SetPatchHook(PatchHook* hook) {
  patch_hook.store(hook, std::memory_order_release);  // Partner: yp_call_patch_hook's acquire.
}

uintptr_t PatchHookCode() { return reinterpret_cast<uintptr_t>(&yp_patch_hook); }

}  // namespace yp::hotspot
