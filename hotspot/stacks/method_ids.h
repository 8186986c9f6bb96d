#ifndef YP_HOTSPOT_STACKS_METHOD_IDS_H_
#define YP_HOTSPOT_STACKS_METHOD_IDS_H_

#include <jvmti.h>

#include "base/status.h"

namespace yp::hotspot {

// Sees to it that every method has the id by which AsyncGetCallTrace names it: within a signal none
// can be made. Without the events of class loading it gives no frames at all. Both are an agent's
// duty (HotSpot's forte.cpp), and take some bytes for each method, which the VM never gives back.
class MethodIds {
 public:
  explicit MethodIds(JavaVM* vm) : vm_(vm) {}

  // From now on, for the classes that there are as well. Also again after Stop.
  Status Start();
  // Classes that are loaded later have none.
  void Stop();

 private:
  static void JNICALL OnClassLoad(jvmtiEnv*, JNIEnv*, jthread, jclass) {}
  static void JNICALL OnClassPrepare(jvmtiEnv* jvmti, JNIEnv*, jthread, jclass type);
  Status TakeEvents();
  bool Notify(jvmtiEventMode mode);

  JavaVM* const vm_;
  jvmtiEnv* jvmti_ = nullptr;  // Its own: events are enabled for it alone.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_METHOD_IDS_H_
