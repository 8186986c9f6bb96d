#include "hotspot/recording/modes/edges.h"

#include <algorithm>
#include <optional>
#include <string>

#include "hotspot/probes/bytecode/loaded_class.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

// 0: no call site. No method is expected next.
void Announce(ThreadRecord& thread, int32_t site) {
  thread.shared->site.store(site, std::memory_order_relaxed);
  thread.shared->expected.store(0, std::memory_order_relaxed);
}

}  // namespace

void EdgesMode::OnSite(JNIEnv* jni, int32_t site, int64_t java_thread_id) {
  if (session_.has_ended()) return;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr) return;
  if (discovery_.OnSite(site)) WantReceiverCall(host_.registry.SiteAt(site));
  Announce(*thread, site);
}

void EdgesMode::OnDiscovery(JNIEnv* jni, MethodId callee, int32_t announced, int64_t java_thread_id,
                            const CallWalker::Start& start) {
  if (session_.has_ended()) return;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr) return;
  Announce(*thread, 0);
  if (callee == kPrimingCallee) return;
  const std::optional<CallWalker::Answer> answer = Walk(jni, *thread, callee, start);
  if (!answer) return;
  MethodRegistry& registry = host_.registry;
  const uint32_t period = discovery_.period();
  const bool is_new = Found(*thread, answer->edge);
  if (!is_new && !discovery_.MayLearn(callee, announced)) {
    if (announced == 0 && discovery_.IsWorthAReceiverCall(answer->edge)) {
      const Edge known = registry.EdgeOf(answer->edge);
      const bool is_call = known.caller != kNoMethod && known.bci >= 0;
      if (is_call && !discovery_.HasProbe(registry.FindSite(known.caller, known.bci))) {
        WantReceiverCall({known.caller, known.bci});
      }
    }
    return;
  }
  const Edge edge = answer->definition ? *answer->definition : registry.EdgeOf(answer->edge);
  discovery_.OnEntry(callee, registry.FindSite(edge.caller, edge.bci), period);
}

// What is told of a class stays so: its methods, and what they override, never change. What is not
// sure is announced as other calls are.
void EdgesMode::OnReceiver(JNIEnv* jni, jobject receiver, int32_t site, int64_t java_thread_id) {
  if (session_.has_ended()) return;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr) return;
  const jclass type = jni->GetObjectClass(receiver);
  jint hash = 0;
  const bool is_told = host_.jvmti->GetObjectHashCode(type, &hash) == JVMTI_ERROR_NONE;
  const std::string name = InternalNameOf(host_.jvmti, type);
  jni->DeleteLocalRef(type);
  const uint32_t period = discovery_.period();
  const ClassHierarchy::Callee callee = discovery_.CalleeOf(site, name);
  const bool is_sure = callee.certainty == ClassHierarchy::Callee::Certainty::kSure;
  if (!is_sure && discovery_.OnUnsureReceiver(site)) Announce(*thread, site);
  if (callee.method != kNoMethod) {
    const MethodRegistry::Site at = host_.registry.SiteAt(site);
    Found(*thread, host_.registry.InternEdge({at.caller, at.bci, callee.method}));
  }
  if (is_told) discovery_.TellReceiver(site, static_cast<uint32_t>(hash), callee, period);
}

void EdgesMode::OnReflection(JNIEnv* jni, jobject member) {
  if (session_.has_ended()) return;
  if (const auto reference = ReferenceTo(host_.jvmti, jni, member)) discovery_.Open(*reference);
}

spool::UnexecutedCalls EdgesMode::Unexecuted() {
  spool::UnexecutedCalls unexecuted;
  for (const EdgeDiscovery::SiteShape& site : discovery_.SitesNotRun()) {
    const MethodRegistry::Site at = host_.registry.SiteAt(site.site);
    const std::string& selector = site.reference.selector;
    const size_t name_end = std::min(selector.find('('), selector.size());
    unexecuted.calls.push_back({at.caller, at.bci,
                                ReportedClassName("L" + site.reference.owner + ";"),
                                selector.substr(0, name_end), selector.substr(name_end)});
  }
  return unexecuted;
}

void EdgesMode::WantReceiverCall(const MethodRegistry::Site& site) {
  discovery_.WantReceiverCall(site.caller, site.bci, host_.registry.ClassNameOf(site.caller));
}

bool EdgesMode::Found(ThreadRecord& thread, EdgeId edge) {
  FoundEdges& found = discovery_.found();
  if (!found.IsNew(edge)) return false;
  // Counted before it is listed, and so told.
  if (found.IsFirst(edge) && !thread.counting.slow_counts->Increment(edge)) {
    drops().Add(Drop::kNoThreadState);
  }
  found.List(edge);
  return true;
}

}  // namespace yp::hotspot
