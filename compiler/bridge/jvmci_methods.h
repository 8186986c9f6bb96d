#ifndef YP_COMPILER_BRIDGE_JVMCI_METHODS_H_
#define YP_COMPILER_BRIDGE_JVMCI_METHODS_H_

#include <jni.h>

#include <cstdint>

namespace yp::compiler {

// Methods of JVMCI's that are not public, or not on every JDK: by JNI they are called all the same,
// and without reflection, which takes longer to start than what is called.
class JvmciMethods {
 public:
  // With an exception where they cannot be found now, as for lack of memory. A method that a JDK
  // does not have is none.
  static JvmciMethods Find(JNIEnv* env);

  // Where the VM has a HotSpotResolvedObjectType or a HotSpotResolvedJavaMethod now; 0: it is not
  // known, or there is an exception.
  uint64_t ClassPointer(JNIEnv* env, jobject type) const;
  uint64_t MethodPointer(JNIEnv* env, jobject method) const;
  // Of a constant pool: a JavaConstant or a JavaType, which is not resolved for it where the JDK
  // can do so; or an exception.
  jobject LookupConstant(JNIEnv* env, jobject pool, jint index) const;
  // Its kind; null where the JDK does not say, or there is an exception.
  jobject TagAt(JNIEnv* env, jobject pool, jint index) const;

 private:
  jmethodID class_pointer_ = nullptr;
  jmethodID method_pointer_ = nullptr;
  jmethodID lookup_constant_ = nullptr;
  bool lookup_says_whether_to_resolve_ = false;
  jmethodID tag_at_ = nullptr;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_JVMCI_METHODS_H_
