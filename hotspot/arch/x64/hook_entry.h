#ifndef YP_HOTSPOT_ARCH_X64_HOOK_ENTRY_H_
#define YP_HOTSPOT_ARCH_X64_HOOK_ENTRY_H_

#include <cstdint>

#include "base/status.h"

namespace yp::hotspot {

// Machine code near a stub: where the stub's jump leads, and where the hook goes on when the VM is
// to see to the call itself.
struct HookEntry {
  uintptr_t hook = 0;
  uintptr_t original = 0;  // The stub's first instruction, and a jump behind it.
};
// Kept for the process's life, since a thread may be in it for any length of time; the same for the
// same stub. An error when the kernel gives no memory that near. Not from two threads at once.
Result<HookEntry> HookEntryFor(uintptr_t stub);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_HOOK_ENTRY_H_
