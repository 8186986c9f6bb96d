#include "hotspot/stacks/stack_sampler.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "hotspot/threads/compiler_thread.h"

// What runs in the handler: see tools/check_handlers.py.
namespace yp::hotspot {
namespace {

// Not gettid(): glibc has it from 2.30 on. Async-signal-safe: a system call.
int32_t ThisThread() { return static_cast<int32_t>(syscall(SYS_gettid)); }

// Async-signal-safe: a system call.
bool IsCompilerThread() {
  char name[16] = "";
  return syscall(SYS_prctl, PR_GET_NAME, name) == 0 && IsNameOfCompilerThread(name);
}

}  // namespace

void StackSampler::OnProfilingSignal(int, siginfo_t* info, void* context) {
  StackSampler* const sampler =
      of_signals_.load(std::memory_order_acquire);  // Partner: TakeSignals.
  if (sampler != nullptr) sampler->OnSignal(*info, context);
}

void StackSampler::OnSignal(const siginfo_t& info, void* context) {
  const int saved_errno = errno;
  if (is_active_.load(std::memory_order_acquire)) {  // Partner: Begin's release.
    const int64_t begun_ns = host_.clock->ThreadCpuNs();
    TakeStack(context);
    if (host_.after_signal != nullptr) host_.after_signal(info);
    cost_ns_.fetch_add(host_.clock->ThreadCpuNs() - begun_ns, std::memory_order_relaxed);
  }
  errno = saved_errno;
}

bool StackSampler::TakeStack(void* context) {
  JNIEnv* env = host_.env_of_this_thread();
  if (env == nullptr) {
    drops_.Add(Drop::kNotJavaThread);
    return false;
  }
  StackBuffer::Stack* const stack = BeginStack();
  if (stack == nullptr) return false;
  Trace trace{.env = env, .count = 0, .frames = stack->frames.data()};
  host_.walk(&trace, StackBuffer::kMaxFrames, context);
  if (trace.count <= 0) {
    const Drop reason = ReasonOf(trace.count);
    const bool is_outside_java = reason == Drop::kNoJavaFrame || reason == Drop::kVmNotWalkable;
    DropStack(*stack, is_outside_java && IsCompilerThread() ? Drop::kInCompiler : reason);
    return false;
  }
  if (trace.count >= static_cast<jint>(StackBuffer::kMaxFrames)) {
    // Of a deeper stack the outermost frames are missing: what context it is cannot be told.
    DropStack(*stack, Drop::kStackTooDeep);
    return false;
  }
  const std::span<RawFrame> frames(stack->frames.data(), static_cast<size_t>(trace.count));
  for (RawFrame& frame : frames) frame.code = 0;
  if (host_.label != nullptr && context != nullptr) {
    host_.label(*static_cast<const ucontext_t*>(context), env, frames);
  }
  return EndStack(*stack, frames.size(), kNoEdge);
}

StackBuffer::Stack* StackSampler::BeginStack() {
  const uint32_t recording = recording_.load(std::memory_order_seq_cst);
  StackBuffer::Stack* const stack = buffer_->Take();
  if (stack == nullptr) {
    drops_.Add(Drop::kStackBufferFull);
    return nullptr;
  }
  stack->recording = recording;
  return stack;
}

void StackSampler::DropStack(StackBuffer::Stack& stack, Drop reason) {
  drops_.Add(reason);
  buffer_->GiveBack(stack);
}

bool StackSampler::EndStack(StackBuffer::Stack& stack, size_t frame_count, EdgeId call) {
  stack.frame_count = static_cast<int32_t>(frame_count);
  stack.call = call;
  stack.thread = ThisThread();
  stack.time_ns = host_.clock->NowNs();
  return buffer_->Publish(stack);
}

// The answers of HotSpot's forte.cpp: ticks_no_Java_frame and following.
Drop ReasonOf(jint answer) {
  switch (answer) {
    case 0:
      return Drop::kNoJavaFrame;
    case -2:
      return Drop::kCollecting;
    case -5:
    case -6:
      return Drop::kJavaNotWalkable;
    case -3:
    case -4:
      return Drop::kVmNotWalkable;
    default:  // -1: no class load events; -7 to -10: unknown state, exit, deoptimisation,
              // safepoint.
      return Drop::kStateNotWalkable;
  }
}

}  // namespace yp::hotspot
