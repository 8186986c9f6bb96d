#ifndef YP_HOTSPOT_SUPPORT_LOADED_CLASSES_H_
#define YP_HOTSPOT_SUPPORT_LOADED_CLASSES_H_

#include <jvmti.h>

#include <span>

#include "hotspot/support/jvmti_owned.h"

namespace yp::hotspot {

// All classes that the VM has loaded, as local references of the calling thread, which are given
// back at the end.
class LoadedClasses {
 public:
  // `jni`: the calling thread's; it may be null where the thread has none.
  LoadedClasses(jvmtiEnv* jvmti, JNIEnv* jni) : jni_(jni), classes_(jvmti) {
    is_known_ = jvmti->GetLoadedClasses(&count_, classes_.out()) == JVMTI_ERROR_NONE;
    if (!is_known_) count_ = 0;
    // JNI promises room for 16, and -Xcheck:jni tells the user of whoever holds more.
    if (jni_ != nullptr && jni_->EnsureLocalCapacity(count_ + kMore) != 0) jni_->ExceptionClear();
  }
  ~LoadedClasses() {
    if (jni_ == nullptr) return;
    for (const jclass type : all()) jni_->DeleteLocalRef(type);
  }
  LoadedClasses(const LoadedClasses&) = delete;
  LoadedClasses& operator=(const LoadedClasses&) = delete;

  // False when the VM did not tell; there are none then.
  bool is_known() const { return is_known_; }
  std::span<const jclass> all() const { return {classes_.get(), static_cast<size_t>(count_)}; }

 private:
  static constexpr jint kMore = 64;  // For what is asked about one of them.

  JNIEnv* const jni_;
  JvmtiOwned<jclass> classes_;
  jint count_ = 0;
  bool is_known_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_LOADED_CLASSES_H_
