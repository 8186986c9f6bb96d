#ifndef YP_HOTSPOT_RECORDING_MODES_EXACT_H_
#define YP_HOTSPOT_RECORDING_MODES_EXACT_H_

#include "hotspot/recording/mode.h"
#include "hotspot/recording/modes/edge_bindings.h"

namespace yp::hotspot {

// Mode exact: every call is one more in an edge's counter, which is the call site's own where an
// announcement proves the edge.
class ExactMode final : public Mode {
 public:
  using Mode::Mode;

  void OnExactCall(JNIEnv* jni, MethodId callee, int32_t site, int64_t java_thread_id,
                   const CallWalker::Start& start) override;

 private:
  bool OnEntryOf(ThreadRecord& thread, const EntryCall& call) override;
  void DecideBinding(JNIEnv* jni, const CallWalker::Answer& answer, int32_t site);
  void Bind(ThreadRecord& thread, MethodId callee, int32_t site, EdgeId edge);

  EdgeBindings bindings_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_EXACT_H_
