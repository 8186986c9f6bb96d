#ifndef YP_HOTSPOT_RECORDING_MODES_CONTEXTS_H_
#define YP_HOTSPOT_RECORDING_MODES_CONTEXTS_H_

#include "hotspot/recording/mode.h"

namespace yp::hotspot {

// Mode exact with contexts: rewritten code counts each call in its calling context, and comes here
// for those that it does not find.
class ContextsMode final : public Mode {
 public:
  using Mode::Mode;

  int32_t OnNewContext(JNIEnv* jni, MethodId callee, int64_t java_thread_id) override;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_CONTEXTS_H_
