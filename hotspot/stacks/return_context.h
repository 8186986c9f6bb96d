#ifndef YP_HOTSPOT_STACKS_RETURN_CONTEXT_H_
#define YP_HOTSPOT_STACKS_RETURN_CONTEXT_H_

#include <ucontext.h>

#include <cstdint>

namespace yp::hotspot {

// What a signal would find if the call were about to return: AsyncGetCallTrace takes no more of it.
// At a return address the VM knows every frame; it looks for what it knows of the next address
// behind the one that it is given, so that it gets the last byte of the call. x86-64.
inline ucontext_t ContextAtReturn(const uintptr_t* return_address, uintptr_t frame_pointer) {
  ucontext_t context{};
  greg_t* const registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = static_cast<greg_t>(*return_address - 1);
  registers[REG_RSP] = reinterpret_cast<greg_t>(return_address + 1);
  registers[REG_RBP] = static_cast<greg_t>(frame_pointer);
  return context;
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_RETURN_CONTEXT_H_
