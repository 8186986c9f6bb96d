#include <ucontext.h>

#include <cerrno>
#include <cstring>

#include "compiler/aos/method_signals.h"
#include "recorder/triggers/perf_events.h"

// What runs in the handler: see tools/check_handlers.py.
namespace yp::compiler {
namespace {

// This thread's JNIEnv. Memory that is there before the thread runs: a handler must not take any.
thread_local std::atomic<const uint8_t*> environment __attribute__((tls_model("initial-exec"))) =
    nullptr;

uintptr_t WordAt(const uint8_t* address) {
  uintptr_t word = 0;
  std::memcpy(&word, address, sizeof word);
  return word;
}

}  // namespace

std::atomic<MethodSignals*> MethodSignals::receiver_{nullptr};

void MethodSignals::OnSignal(int, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  MethodSignals* const signals = receiver_.load(std::memory_order_acquire);
  if (signals != nullptr && signals->is_active_.load(std::memory_order_acquire)) {
    signals->TakePlace(context);
    PerfEvents::CountNext(*info);
  }
  errno = saved_errno;
}

void MethodSignals::TakePlace(const void* context) {
  Place* const place = places_.Take();
  if (place == nullptr) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  place->pc = static_cast<uintptr_t>(registers.gregs[REG_RIP]);
  place->return_pc = 0;
  const uint8_t* const env = environment.load(std::memory_order_relaxed);
  if (env != nullptr && has_anchor_.load(std::memory_order_acquire)) {  // Partner: UseAnchor.
    const uintptr_t sp = WordAt(env + last_java_sp_.load(std::memory_order_relaxed));
    const uintptr_t pc = WordAt(env + last_java_pc_.load(std::memory_order_relaxed));
    // Without an address of its own the frame's caller returns to what lies below its stack.
    if (sp != 0) {
      place->return_pc = pc != 0 ? pc : WordAt(reinterpret_cast<const uint8_t*>(sp) - sizeof(sp));
    }
  }
  (void)places_.Publish(*place);
}

void MethodSignals::OnThreadStart(const void* jni_environment) {
  environment.store(static_cast<const uint8_t*>(jni_environment), std::memory_order_relaxed);
}

void MethodSignals::OnThreadEnd() { environment.store(nullptr, std::memory_order_relaxed); }

}  // namespace yp::compiler
