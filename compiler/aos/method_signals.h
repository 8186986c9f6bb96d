#ifndef YP_COMPILER_AOS_METHOD_SIGNALS_H_
#define YP_COMPILER_AOS_METHOD_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recorder/signal_buffer.h"

namespace yp::compiler {

// Where signals find the program's threads: samples of methods by the mechanism "immediate"
// (Buytaert et al., OOPSLA 2007, section 2.1.2). The handler takes the address at which the thread
// is, instead of waiting for its next yieldpoint; whose code that is, is told later.
//
// There is one for the process, never deleted: a signal may still be on its way when nobody waits
// for it any more.
class MethodSignals {
 public:
  static constexpr size_t kPlaces = 4096;

  // Where a thread was; 0: nothing there.
  struct Place {
    uintptr_t pc = 0;
    // Where it goes on in Java when it comes back from the VM, or from native code.
    uintptr_t return_pc = 0;
  };
  // Where the VM keeps that of a thread (JavaFrameAnchor), in bytes from its JNIEnv on.
  struct Anchor {
    ptrdiff_t last_java_sp = 0, last_java_pc = 0;
  };

  static MethodSignals& OfProcess();

  // The handler. Async-signal-safe: reads the thread's own memory, and keeps errno.
  static void OnSignal(int signal, siginfo_t* info, void* context);
  // From the thread itself: its environment, from its start to its end. Without one, only where the
  // signal found it is known.
  static void OnThreadStart(const void* jni_environment);
  static void OnThreadEnd();

  // Before a signal finds a thread that is to be known by its anchor. `anchor` stays.
  void UseAnchor(const Anchor& anchor);
  void Begin();
  void End();

  // Consumer: calls visit(const Place&) for each signal since the last time.
  template <typename Visit>
  void Take(Visit visit) {
    places_.ForEachReady(visit);
  }
  // Signals for which there was no room.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  MethodSignals() = default;
  void TakePlace(const void* context);

  static std::atomic<MethodSignals*> receiver_;  // That of the process, once it is there.

  SignalBuffer<Place, kPlaces> places_;
  std::atomic<bool> is_active_{false};
  std::atomic<ptrdiff_t> last_java_sp_{0}, last_java_pc_{0};
  std::atomic<bool> has_anchor_{false};
  std::atomic<uint64_t> dropped_{0};
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_METHOD_SIGNALS_H_
