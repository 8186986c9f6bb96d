#ifndef YP_HOTSPOT_ARCH_AARCH64_INTERRUPTED_REGISTERS_H_
#define YP_HOTSPOT_ARCH_AARCH64_INTERRUPTED_REGISTERS_H_

#include <ucontext.h>

#include <cstdint>

namespace yp::hotspot {

// What a walk of an interrupted thread's stack begins with.
struct InterruptedRegisters {
  uintptr_t pc = 0, sp = 0, frame_pointer = 0;
};

// From what the kernel hands to a signal's handler. Async-signal-safe.
inline InterruptedRegisters RegistersOf(const ucontext_t& context) {
  const mcontext_t& machine = context.uc_mcontext;
  return {.pc = machine.pc, .sp = machine.sp, .frame_pointer = machine.regs[29]};
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_AARCH64_INTERRUPTED_REGISTERS_H_
