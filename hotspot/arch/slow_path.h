#ifndef YP_HOTSPOT_ARCH_SLOW_PATH_H_
#define YP_HOTSPOT_ARCH_SLOW_PATH_H_

#include <atomic>
#include <cstdint>

namespace yp::hotspot {

// What the probes on compiled code's entries have in common: a call is counted down in a word of
// its thread's, by one step or several, and at zero or below goes through a hook to the handler.

// The calling thread's countdown. 0 in a new thread, so that its first observed call takes the slow
// path.
std::atomic<int64_t>& EntryCountdown();
// Where it lies, from the thread pointer (fs): the same in every thread.
int32_t EntryCountdownOffset();

// A call that reached the slow path, at its callee's entry.
struct EntryCall {
  uintptr_t callee_pc = 0;  // In the compiled code that was entered.
  // The compilation that a probe has seen there; 0 when it is that in whose code callee_pc lies.
  int32_t compile_id = 0;
  // Where the call returns to, on the calling thread's stack: the caller's frame lies above.
  const uintptr_t* return_address = nullptr;
  uintptr_t frame_pointer = 0;  // The caller's rbp.
  uint32_t number = 0;          // The probe's own, of the callee's compilation; 0 if it has none.
  uint32_t steps = 1;           // That the call has counted down.
};

// Where calls that a probe on compiled entries observes come to. There is one for the process's
// life: a thread may be in a hook, on its way there, after every probe was taken out.
//
// Runs on the Java thread and its stack, at a method's entry, where the guard zone of the stack is
// further away than any handler needs. The thread is in Java code as the VM sees it: it reaches no
// safepoint before the handler returns, so that nothing that its frames refer to can go, but all
// others may have to wait for it. The handler must neither call the VM, nor wait for who does; it
// may allocate, as compiled Java code is never interrupted within an allocation of the C library.
class EntryHandler {
 public:
  // Whether calls of that callee are of any interest: where not, the probe may leave it out.
  virtual bool OnEntry(const EntryCall& call) = 0;
  // The probe counts the calls of that compilation itself, and what it consists of is to be told.
  virtual void OnCountedEntry(const EntryCall&) {}

 protected:
  ~EntryHandler() = default;
};

// Calls the handler, errno kept. From the hooks.
bool HandleEntry(EntryHandler& handler, const EntryCall& call);
void HandleCountedEntry(EntryHandler& handler, const EntryCall& call);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_SLOW_PATH_H_
