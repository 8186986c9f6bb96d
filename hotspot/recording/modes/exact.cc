#include "hotspot/recording/modes/exact.h"

#include <mutex>
#include <optional>

namespace yp::hotspot {
namespace {

// Adds what exact counting spends in the agent to its thread's cost: the time of one call in
// kEvery, as that of all of them.
class WalkTimer {
 public:
  WalkTimer(Clock& clock, ThreadRecord& thread) : clock_(clock), thread_(thread) {
    if (++thread.counting.walked_calls % kEvery == 0) begin_ns_ = clock.NowNs();
  }
  ~WalkTimer() {
    if (begin_ns_ != 0) thread_.AddCost(kEvery, kEvery * (clock_.NowNs() - begin_ns_));
  }
  WalkTimer(const WalkTimer&) = delete;
  WalkTimer& operator=(const WalkTimer&) = delete;

 private:
  static constexpr uint32_t kEvery = 64;
  Clock& clock_;
  ThreadRecord& thread_;
  int64_t begin_ns_ = 0;
};

}  // namespace

void ExactMode::OnExactCall(JNIEnv* jni, MethodId callee, int32_t site, int64_t java_thread_id,
                            const CallWalker::Start& start) {
  if (session_.has_ended()) return;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr) return;
  if (callee == kPrimingCallee) return;
  const WalkTimer timer(clock(), *thread);
  std::optional<CallWalker::Answer> answer = Walk(jni, *thread, callee, start);
  if (!answer) return;
  if (site != 0 && bindings_.Get(answer->edge) == EdgeBindings::kUndecided) {
    if (!answer->definition) answer = host_.walker.WalkSlowly(jni, callee);
    if (answer && answer->definition) DecideBinding(jni, *answer, site);
  }
  if (!answer || !thread->counting.slow_counts->Increment(answer->edge)) {
    drops().Add(Drop::kNoThreadState);
    return;
  }
  if (site != 0 && bindings_.Get(answer->edge) == site) {
    Bind(*thread, callee, site, answer->edge);
  }
}

// Every call takes the slow path: none is counted down.
bool ExactMode::OnEntryOf(ThreadRecord& thread, const EntryCall& call) {
  thread.common.calls_left->store(0, std::memory_order_relaxed);
  const EntryWalker::Answer answer = host_.entry_walker->Walk(call, thread.stack_end);
  switch (answer.outcome) {
    case EntryWalker::Outcome::kNotObserved:
      return false;
    case EntryWalker::Outcome::kUnresolved:
      drops().Add(answer.reason);
      break;
    case EntryWalker::Outcome::kEdge:
      if (!thread.counting.slow_counts->Increment(answer.edge)) drops().Add(Drop::kNoThreadState);
      break;
  }
  return true;
}

void ExactMode::DecideBinding(JNIEnv* jni, const CallWalker::Answer& answer, int32_t site) {
  const MethodRegistry::Site announced = host_.registry.SiteAt(site);
  const Edge& edge = *answer.definition;
  // An announcement that another call left behind says nothing about this edge.
  if (announced.caller != edge.caller || announced.bci != edge.bci) return;
  const bool provable = answer.hidden_frames == 0 &&
                        (!announced.is_virtual || session_.filter().observes_whole_jdk() ||
                         !host_.walker.methods().MayBeCalledByJdk(jni, answer.callee));
  bindings_.Set(answer.edge, provable ? site : EdgeBindings::kNever);
}

void ExactMode::Bind(ThreadRecord& thread, MethodId callee, int32_t site, EdgeId edge) {
  for (SiteWay& way : thread.shared->sites()[site].ways) {
    if (way.method.load(std::memory_order_relaxed) != 0) continue;
    const std::lock_guard lock(thread.common.mutex);
    thread.counting.ways.emplace_back(&way, edge);
    way.method.store(static_cast<int32_t>(ToIndex(callee)), std::memory_order_relaxed);
    return;
  }
}

}  // namespace yp::hotspot
