#include "hotspot/recording/mode.h"

#include "hotspot/probes/bytecode/context_counts.h"
#include "hotspot/recording/modes/contexts.h"
#include "hotspot/recording/modes/edges.h"
#include "hotspot/recording/modes/exact.h"
#include "hotspot/recording/modes/patching.h"
#include "hotspot/recording/modes/sampled.h"

namespace yp::hotspot {

int32_t Mode::OnNewContext(JNIEnv*, MethodId, int64_t) { return ContextCounts::kLost; }

bool Mode::OnEntry(const EntryCall& call) {
  ThreadRecord* const thread = host_.threads.EnterAtEntry(session_);
  if (thread != nullptr) return OnEntryOf(*thread, call);
  if (!RecordedThreads::ThisHasEnded()) drops().Add(Drop::kNoThreadState);
  return true;
}

ThreadRecord* Mode::ThreadOf(JNIEnv* jni, int64_t java_thread_id) {
  ThreadRecord* const thread = host_.threads.Enter(jni, session_, java_thread_id);
  if (thread == nullptr) drops().Add(Drop::kNoThreadState);
  return thread;
}

std::optional<CallWalker::Answer> Mode::Walk(JNIEnv* jni, const ThreadRecord& thread,
                                             MethodId callee, CallWalker::Start start,
                                             SampleCost* cost) {
  start.stack_end = thread.stack_end;
  std::optional<CallWalker::Answer> answer = host_.walker.Walk(jni, callee, start, cost);
  if (!answer) drops().Add(Drop::kWalkFailed);
  return answer;
}

std::unique_ptr<Mode> NewMode(const RecordingHost& host, Session& session) {
  switch (session.options().mode) {
    case RecordingOptions::Mode::kExact:
      if (session.counted_contexts() != nullptr) {
        return std::make_unique<ContextsMode>(host, session);
      }
      return std::make_unique<ExactMode>(host, session);
    case RecordingOptions::Mode::kEdges:
      return std::make_unique<EdgesMode>(host, session, *session.probe().discovery());
    case RecordingOptions::Mode::kPatching:
      return std::make_unique<PatchingMode>(host, session);
    case RecordingOptions::Mode::kCbs:
    case RecordingOptions::Mode::kTimer:
      break;
  }
  return std::make_unique<SampledMode>(host, session);
}

}  // namespace yp::hotspot
