#ifndef YP_HOTSPOT_ARCH_X64_SAVE_REGISTERS_H_
#define YP_HOTSPOT_ARCH_X64_SAVE_REGISTERS_H_

// Assembly for hooks at a compiled method's entry: keeps on the stack every register that a C++
// function may change and that may hold an argument or the callee's bookkeeping. rbx, rbp and r12
// to r15 such a function keeps itself; the upper halves of vector registers are dead at a method's
// entry, where arguments are scalars. Takes kSavedRegistersBytes of stack.
#define YP_SAVE_REGISTERS      \
  "push %rax\n"                \
  "push %rcx\n"                \
  "push %rdx\n"                \
  "push %rsi\n"                \
  "push %rdi\n"                \
  "push %r8\n"                 \
  "push %r9\n"                 \
  "push %r10\n"                \
  "push %r11\n"                \
  "sub $256, %rsp\n"           \
  "movdqu %xmm0, 0(%rsp)\n"    \
  "movdqu %xmm1, 16(%rsp)\n"   \
  "movdqu %xmm2, 32(%rsp)\n"   \
  "movdqu %xmm3, 48(%rsp)\n"   \
  "movdqu %xmm4, 64(%rsp)\n"   \
  "movdqu %xmm5, 80(%rsp)\n"   \
  "movdqu %xmm6, 96(%rsp)\n"   \
  "movdqu %xmm7, 112(%rsp)\n"  \
  "movdqu %xmm8, 128(%rsp)\n"  \
  "movdqu %xmm9, 144(%rsp)\n"  \
  "movdqu %xmm10, 160(%rsp)\n" \
  "movdqu %xmm11, 176(%rsp)\n" \
  "movdqu %xmm12, 192(%rsp)\n" \
  "movdqu %xmm13, 208(%rsp)\n" \
  "movdqu %xmm14, 224(%rsp)\n" \
  "movdqu %xmm15, 240(%rsp)\n"

#define YP_RESTORE_REGISTERS   \
  "movdqu 0(%rsp), %xmm0\n"    \
  "movdqu 16(%rsp), %xmm1\n"   \
  "movdqu 32(%rsp), %xmm2\n"   \
  "movdqu 48(%rsp), %xmm3\n"   \
  "movdqu 64(%rsp), %xmm4\n"   \
  "movdqu 80(%rsp), %xmm5\n"   \
  "movdqu 96(%rsp), %xmm6\n"   \
  "movdqu 112(%rsp), %xmm7\n"  \
  "movdqu 128(%rsp), %xmm8\n"  \
  "movdqu 144(%rsp), %xmm9\n"  \
  "movdqu 160(%rsp), %xmm10\n" \
  "movdqu 176(%rsp), %xmm11\n" \
  "movdqu 192(%rsp), %xmm12\n" \
  "movdqu 208(%rsp), %xmm13\n" \
  "movdqu 224(%rsp), %xmm14\n" \
  "movdqu 240(%rsp), %xmm15\n" \
  "add $256, %rsp\n"           \
  "pop %r11\n"                 \
  "pop %r10\n"                 \
  "pop %r9\n"                  \
  "pop %r8\n"                  \
  "pop %rdi\n"                 \
  "pop %rsi\n"                 \
  "pop %rdx\n"                 \
  "pop %rcx\n"                 \
  "pop %rax\n"

namespace yp::hotspot {

inline constexpr int kSavedRegistersBytes = 9 * 8 + 16 * 16;

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_SAVE_REGISTERS_H_
