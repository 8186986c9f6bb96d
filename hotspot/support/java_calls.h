#ifndef YP_HOTSPOT_SUPPORT_JAVA_CALLS_H_
#define YP_HOTSPOT_SUPPORT_JAVA_CALLS_H_

#include <jni.h>

#include <initializer_list>
#include <string>

namespace yp::hotspot {

// Calls Java methods through JNI, one after the other, within a frame of local references. Once
// something has failed, all that follows does nothing and gives null, and error() says what failed
// first. No exception is left behind.
class JavaCalls {
 public:
  explicit JavaCalls(JNIEnv* jni);
  ~JavaCalls();
  JavaCalls(const JavaCalls&) = delete;
  JavaCalls& operator=(const JavaCalls&) = delete;

  bool ok() const { return error_.empty(); }
  // As the exception describes itself: "java.lang.ClassNotFoundException: jdk.jfr.Recording".
  const std::string& error() const { return error_; }

  // Types are internal names, "java/lang/String". Static methods return an object; those of objects
  // may return nothing or a boolean, too, and give null then.
  jobject New(const char* type, const char* descriptor, std::initializer_list<jvalue> args = {});
  jobject CallStatic(const char* type, const char* name, const char* descriptor,
                     std::initializer_list<jvalue> args = {});
  // `type`: that declares the method. A null object gives null.
  jobject Call(jobject object, const char* type, const char* name, const char* descriptor,
               std::initializer_list<jvalue> args = {});
  jlong GetLong(jobject object, const char* type, const char* field);  // 0 of a null object.
  jobject Text(const std::string& text);  // UTF-8 without NUL; a String.
  std::string TextOf(jobject string);     // Empty for null.

  static jvalue Of(jobject value) { return {.l = value}; }
  static jvalue Of(bool value) { return {.z = static_cast<jboolean>(value)}; }

 private:
  static constexpr jint kLocalReferences = 64;

  jclass Find(const char* type);
  // Whether the last call has succeeded; keeps what it says otherwise.
  bool Check();

  JNIEnv* const jni_;
  bool has_frame_ = false;
  std::string error_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_JAVA_CALLS_H_
