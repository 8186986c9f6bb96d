#include "hotspot/recording/modes/contexts.h"

#include "hotspot/probes/bytecode/context_counts.h"

namespace yp::hotspot {

int32_t ContextsMode::OnNewContext(JNIEnv* jni, MethodId callee, int64_t java_thread_id) {
  if (session_.has_ended()) return ContextCounts::kLost;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr || callee == kPrimingCallee) return ContextCounts::kLost;
  if (!host_.threads.IsFound(*thread)) {
    // Another thread has its place in the table: what it calls from where cannot be known.
    drops().Add(Drop::kNoThreadState);
    return ContextCounts::kLost;
  }
  ContextCounts& counts = session_.counted_contexts()->counts();
  JavaThreadState& state = *thread->shared;
  const int32_t context = counts.Find(state.context.load(std::memory_order_relaxed),
                                      state.context_site.load(std::memory_order_relaxed),
                                      static_cast<int32_t>(ToIndex(callee)));
  counts.Count(context);
  if (context == ContextCounts::kLost) drops().Add(Drop::kContextsFull);
  state.context.store(context, std::memory_order_relaxed);
  return context;
}

}  // namespace yp::hotspot
