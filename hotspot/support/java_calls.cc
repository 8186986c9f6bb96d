#include "hotspot/support/java_calls.h"

#include <string_view>

namespace yp::hotspot {
namespace {

bool Returns(const char* descriptor, char type) {
  return std::string_view(descriptor).ends_with(std::string{')', type});
}

}  // namespace

JavaCalls::JavaCalls(JNIEnv* jni)
    : jni_(jni), has_frame_(jni->PushLocalFrame(kLocalReferences) == 0) {
  if (!has_frame_) Check();
}

JavaCalls::~JavaCalls() {
  if (has_frame_) jni_->PopLocalFrame(nullptr);
}

bool JavaCalls::Check() {
  const jthrowable thrown = jni_->ExceptionOccurred();
  if (thrown == nullptr) return true;
  jni_->ExceptionClear();
  std::string text = "an exception that does not describe itself";
  const jclass type = jni_->GetObjectClass(thrown);
  const jmethodID describe = jni_->GetMethodID(type, "toString", "()Ljava/lang/String;");
  const jobject description =
      describe == nullptr ? nullptr : jni_->CallObjectMethod(thrown, describe);
  if (jni_->ExceptionCheck() != JNI_TRUE && description != nullptr) text = TextOf(description);
  jni_->ExceptionClear();
  if (error_.empty()) error_ = text;
  return false;
}

jclass JavaCalls::Find(const char* type) {
  if (!ok()) return nullptr;
  const jclass found = jni_->FindClass(type);
  return Check() ? found : nullptr;
}

jobject JavaCalls::New(const char* type, const char* descriptor,
                       std::initializer_list<jvalue> args) {
  const jclass found = Find(type);
  if (found == nullptr) return nullptr;
  const jmethodID constructor = jni_->GetMethodID(found, "<init>", descriptor);
  if (!Check()) return nullptr;
  const jobject made = jni_->NewObjectA(found, constructor, args.begin());
  return Check() ? made : nullptr;
}

jobject JavaCalls::CallStatic(const char* type, const char* name, const char* descriptor,
                              std::initializer_list<jvalue> args) {
  const jclass found = Find(type);
  if (found == nullptr) return nullptr;
  const jmethodID method = jni_->GetStaticMethodID(found, name, descriptor);
  if (!Check()) return nullptr;
  const jobject result = jni_->CallStaticObjectMethodA(found, method, args.begin());
  jni_->DeleteLocalRef(found);
  return Check() ? result : nullptr;
}

jobject JavaCalls::Call(jobject object, const char* type, const char* name, const char* descriptor,
                        std::initializer_list<jvalue> args) {
  if (object == nullptr) return nullptr;
  const jclass found = Find(type);
  if (found == nullptr) return nullptr;
  const jmethodID method = jni_->GetMethodID(found, name, descriptor);
  if (!Check()) return nullptr;
  jobject result = nullptr;
  if (Returns(descriptor, 'V')) {
    jni_->CallVoidMethodA(object, method, args.begin());
  } else if (Returns(descriptor, 'Z')) {
    jni_->CallBooleanMethodA(object, method, args.begin());
  } else {
    result = jni_->CallObjectMethodA(object, method, args.begin());
  }
  jni_->DeleteLocalRef(found);
  return Check() ? result : nullptr;
}

jlong JavaCalls::GetLong(jobject object, const char* type, const char* field) {
  if (object == nullptr) return 0;
  const jclass found = Find(type);
  if (found == nullptr) return 0;
  const jfieldID id = jni_->GetFieldID(found, field, "J");
  if (!Check()) return 0;
  return jni_->GetLongField(object, id);
}

jobject JavaCalls::Text(const std::string& text) {
  if (!ok()) return nullptr;
  const jobject string = jni_->NewStringUTF(text.c_str());
  return Check() ? string : nullptr;
}

std::string JavaCalls::TextOf(jobject string) {
  if (string == nullptr) return "";
  const auto text = static_cast<jstring>(string);
  const char* bytes = jni_->GetStringUTFChars(text, nullptr);
  if (bytes == nullptr) {
    jni_->ExceptionClear();
    return "";
  }
  std::string copy = bytes;
  jni_->ReleaseStringUTFChars(text, bytes);
  return copy;
}

}  // namespace yp::hotspot
