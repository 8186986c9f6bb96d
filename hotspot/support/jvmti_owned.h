#ifndef YP_HOTSPOT_SUPPORT_JVMTI_OWNED_H_
#define YP_HOTSPOT_SUPPORT_JVMTI_OWNED_H_

#include <jvmti.h>

namespace yp::hotspot {

// Memory that JVMTI allocated; given back at the end.
template <typename T>
class JvmtiOwned {
 public:
  explicit JvmtiOwned(jvmtiEnv* jvmti) : jvmti_(jvmti) {}
  ~JvmtiOwned() {
    if (data_ != nullptr) jvmti_->Deallocate(reinterpret_cast<unsigned char*>(data_));
  }
  JvmtiOwned(const JvmtiOwned&) = delete;
  JvmtiOwned& operator=(const JvmtiOwned&) = delete;
  T** out() { return &data_; }
  T* get() const { return data_; }

 private:
  jvmtiEnv* const jvmti_;
  T* data_ = nullptr;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_JVMTI_OWNED_H_
