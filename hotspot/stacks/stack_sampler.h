#ifndef YP_HOTSPOT_STACKS_STACK_SAMPLER_H_
#define YP_HOTSPOT_STACKS_STACK_SAMPLER_H_

#include <jni.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/clock.h"
#include "base/status.h"
#include "hotspot/stacks/stack_buffer.h"
#include "hotspot/support/drops.h"

namespace yp::hotspot {

// Takes a stack at each signal, on the thread that gets it; or of a call that is sampled.
//
// There is one for the process, never deleted: a signal may still be on its way when nobody waits
// for it any more. What it takes between Begin and End is the recording's; a stack that was begun
// in an earlier one is thrown away unread, as what it points to may be gone.
class StackSampler {
 public:
  // HotSpot's AsyncGetCallTrace: walks the stack of the calling thread from where the signal found
  // it. `count` becomes the number of frames, or says why there are none.
  struct Trace {
    JNIEnv* env = nullptr;
    jint count = 0;
    RawFrame* frames = nullptr;
  };
  using Walk = void (*)(Trace* trace, jint depth, void* context);

  // `env_of_this_thread`: null on threads that are none of the VM's; async-signal-safe.
  // `clock`: the recording's; async-signal-safe, and it outlives the sampler.
  struct Host {
    Walk walk = nullptr;
    std::function<JNIEnv*()> env_of_this_thread;
    Clock* clock = nullptr;
    // Sets the code of the frames that `walk` has found; may be empty. Async-signal-safe.
    std::function<void(const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames)> label =
        {};
    // After each signal, on its thread; async-signal-safe.
    void (*after_signal)(const siginfo_t&) = nullptr;
  };

  StackSampler(Host host, Drops& drops);

  void Begin() {
    cost_ns_.store(0, std::memory_order_relaxed);
    recording_.fetch_add(1, std::memory_order_seq_cst);
    is_active_.store(true, std::memory_order_release);  // Partner: OnSignal's acquire.
  }
  void End() { is_active_.store(false, std::memory_order_release); }

  // The handler of the process's profiling signals, for the last sampler that took them.
  // Async-signal-safe: see OnSignal.
  static void OnProfilingSignal(int, siginfo_t* info, void* context);
  void TakeSignals() {
    of_signals_.store(this, std::memory_order_release);  // Partner: OnProfilingSignal's acquire.
  }
  // Async-signal-safe: calls only what the host says is, AsyncGetCallTrace, and what is declared so
  // here. Keeps errno.
  void OnSignal(const siginfo_t& info, void* context);

  // A call of the calling thread's, from within a native method: the VM knows its frame. True when
  // it is time for TakeStacks. Async-signal-safe as OnSignal.
  bool OnCall() {
    if (!is_active_.load(std::memory_order_acquire)) return false;  // Partner: Begin.
    return TakeStack(nullptr);
  }
  // A call of the calling thread's whose callee has no frame yet. `walk(std::span<RawFrame>)`:
  // writes the frames of its callers, innermost first, and answers their `count`, or for what
  // `reason` there are none (StackWalker::Answer). True as OnCall.
  template <typename Walk>
  bool OnCall(EdgeId call, const Walk& walk) {
    if (!is_active_.load(std::memory_order_acquire)) return false;  // Partner: Begin.
    StackBuffer::Stack* const stack = BeginStack();
    if (stack == nullptr) return false;
    const auto walked = walk(std::span<RawFrame>(stack->frames));
    if (walked.reason) {
      // Not a call's: those are taken for calls of which nothing else is known.
      const bool is_of_calls =
          *walked.reason == Drop::kCallerUnknown || *walked.reason == Drop::kNoDebugInfo;
      DropStack(*stack, is_of_calls ? Drop::kJavaNotWalkable : *walked.reason);
      return false;
    }
    return EndStack(*stack, walked.count, call);
  }

  // What its signals have cost since Begin, but for the kernel's part: CPU time. By the wall clock
  // a thread that loses its processor in the handler would cost milliseconds that others have used.
  int64_t cost_ns() const { return cost_ns_.load(std::memory_order_relaxed); }

  // Consumer: calls visit(const StackBuffer::Stack&) for each stack of this recording's since the
  // last time.
  template <typename Visit>
  void TakeStacks(Visit visit) {
    const uint32_t recording = recording_.load(std::memory_order_seq_cst);
    buffer_->ForEachReady([&](const StackBuffer::Stack& stack) {
      if (stack.recording == recording) visit(stack);
    });
  }

 private:
  // True when it has filled half of the buffer.
  bool TakeStack(void* context);
  // A place of this recording's, the caller's own; null, and the stack counted as lost, when there
  // is none.
  StackBuffer::Stack* BeginStack();
  void DropStack(StackBuffer::Stack& stack, Drop reason);
  // True when it has filled half of the buffer.
  bool EndStack(StackBuffer::Stack& stack, size_t frame_count, EdgeId call);

  static std::atomic<StackSampler*> of_signals_;

  const Host host_;
  Drops& drops_;
  const std::unique_ptr<StackBuffer> buffer_;
  std::atomic<bool> is_active_{false};
  std::atomic<uint32_t> recording_{0};
  std::atomic<int64_t> cost_ns_{0};
};

// Why AsyncGetCallTrace gave no frame: its answer is 0 or negative.
Drop ReasonOf(jint answer);

// The VM's AsyncGetCallTrace; an error when it has none.
Result<StackSampler::Walk> FindStackWalk();

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_STACK_SAMPLER_H_
