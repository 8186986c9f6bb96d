#ifndef YP_HOTSPOT_PROBES_PATCH_SLOW_PATH_H_
#define YP_HOTSPOT_PROBES_PATCH_SLOW_PATH_H_

#include <cstdint>

namespace yp::hotspot {

// The calling thread's countdown, which trampolines decrement: at zero or below, a call takes the
// slow path. 0 in a new thread.
int64_t& PatchCountdown();
// Where it lies, from the thread pointer (fs): the same in every thread.
int32_t PatchCountdownOffset();

// What trampolines call: keeps every register, and calls the handler on the Java thread's stack.
// The thread is in Java code as the VM sees it: it reaches no safepoint before the handler returns,
// and the handler must neither call the VM, nor wait for who does.
//
// `number` is the trampoline's; `return_address` points to where the observed call returns to, on
// the stack: its caller's frame lies above.
using PatchHandler = void (*)(uint32_t number, const uintptr_t* return_address);
void SetPatchHandler(PatchHandler handler);
uintptr_t PatchSlowPath();

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PATCH_SLOW_PATH_H_
