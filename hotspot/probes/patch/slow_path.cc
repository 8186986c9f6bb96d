#include "hotspot/probes/patch/slow_path.h"

#include <atomic>

namespace {

// In the static part of thread-local memory, so that its distance from the thread pointer is one
// for all threads. A library that is loaded later has room there for a few words.
thread_local int64_t countdown __attribute__((tls_model("initial-exec"))) = 0;

std::atomic<yp::hotspot::PatchHandler> patch_handler{nullptr};

}  // namespace

// On entry: [rsp] leads back to the trampoline, [rsp+8] is its number, [rsp+16] the observed call's
// return address. The handler keeps rbx, rbp and r12 to r15 itself; the upper halves of vector
// registers are dead at a method's entry, where arguments are scalars.
extern "C" void yp_patch_slow_path();
asm(R"(
  .pushsection .text
  .local yp_patch_slow_path
  .type yp_patch_slow_path, @function
  .p2align 4
yp_patch_slow_path:
  push %rax
  push %rcx
  push %rdx
  push %rsi
  push %rdi
  push %r8
  push %r9
  push %r10
  push %r11
  sub $256, %rsp
  movdqu %xmm0, 0(%rsp)
  movdqu %xmm1, 16(%rsp)
  movdqu %xmm2, 32(%rsp)
  movdqu %xmm3, 48(%rsp)
  movdqu %xmm4, 64(%rsp)
  movdqu %xmm5, 80(%rsp)
  movdqu %xmm6, 96(%rsp)
  movdqu %xmm7, 112(%rsp)
  movdqu %xmm8, 128(%rsp)
  movdqu %xmm9, 144(%rsp)
  movdqu %xmm10, 160(%rsp)
  movdqu %xmm11, 176(%rsp)
  movdqu %xmm12, 192(%rsp)
  movdqu %xmm13, 208(%rsp)
  movdqu %xmm14, 224(%rsp)
  movdqu %xmm15, 240(%rsp)
  mov 336(%rsp), %edi
  lea 344(%rsp), %rsi
  call yp_patch_call_handler
  movdqu 0(%rsp), %xmm0
  movdqu 16(%rsp), %xmm1
  movdqu 32(%rsp), %xmm2
  movdqu 48(%rsp), %xmm3
  movdqu 64(%rsp), %xmm4
  movdqu 80(%rsp), %xmm5
  movdqu 96(%rsp), %xmm6
  movdqu 112(%rsp), %xmm7
  movdqu 128(%rsp), %xmm8
  movdqu 144(%rsp), %xmm9
  movdqu 160(%rsp), %xmm10
  movdqu 176(%rsp), %xmm11
  movdqu 192(%rsp), %xmm12
  movdqu 208(%rsp), %xmm13
  movdqu 224(%rsp), %xmm14
  movdqu 240(%rsp), %xmm15
  add $256, %rsp
  pop %r11
  pop %r10
  pop %r9
  pop %r8
  pop %rdi
  pop %rsi
  pop %rdx
  pop %rcx
  pop %rax
  ret
  .size yp_patch_slow_path, . - yp_patch_slow_path
  .popsection
)");

extern "C" __attribute__((visibility("hidden"), used)) void yp_patch_call_handler(
    uint32_t number, const uintptr_t* return_address) {
  if (const auto handler = patch_handler.load(std::memory_order_acquire)) {
    handler(number, return_address);
  }
}

namespace yp::hotspot {

int64_t& PatchCountdown() { return countdown; }

int32_t PatchCountdownOffset() {
  // Hidden from the compiler, which would read the offset's 32 bits in a way that the linker cannot
  // relax.
  const char* address = reinterpret_cast<char*>(&PatchCountdown());
  asm("" : "+r"(address));
  return static_cast<int32_t>(address - static_cast<char*>(__builtin_thread_pointer()));
}

void SetPatchHandler(PatchHandler handler) {
  patch_handler.store(handler, std::memory_order_release);
}

uintptr_t PatchSlowPath() { return reinterpret_cast<uintptr_t>(&yp_patch_slow_path); }

}  // namespace yp::hotspot
