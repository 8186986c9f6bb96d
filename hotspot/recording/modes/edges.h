#ifndef YP_HOTSPOT_RECORDING_MODES_EDGES_H_
#define YP_HOTSPOT_RECORDING_MODES_EDGES_H_

#include <vector>

#include "hotspot/discovery/edge_discovery.h"
#include "hotspot/recording/mode.h"

namespace yp::hotspot {

// Mode edges: each edge is counted once, when it is found, and found anew in each period.
class EdgesMode final : public Mode {
 public:
  // `discovery`: the probe's.
  EdgesMode(const RecordingHost& host, Session& session, EdgeDiscovery& discovery)
      : Mode(host, session), discovery_(discovery) {}

  void OnSite(JNIEnv* jni, int32_t site, int64_t java_thread_id) override;
  void OnDiscovery(JNIEnv* jni, MethodId callee, int32_t announced, int64_t java_thread_id,
                   const CallWalker::Start& start) override;
  void OnReceiver(JNIEnv* jni, jobject receiver, int32_t site, int64_t java_thread_id) override;
  void OnReflection(JNIEnv* jni, jobject member) override;
  std::vector<EdgeId> TakeFound() override { return discovery_.found().Take(); }
  spool::UnexecutedCalls Unexecuted() override;
  void BeginPeriod() override { discovery_.BeginPeriod(); }

 private:
  // Tells of an edge that is found for the first time in this period, and counts it once; false
  // when it is known.
  bool Found(ThreadRecord& thread, EdgeId edge);
  void WantReceiverCall(const MethodRegistry::Site& site);

  EdgeDiscovery& discovery_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_EDGES_H_
