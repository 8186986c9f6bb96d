#include "compiler/bridge/jvmci_methods.h"

#include <initializer_list>

namespace yp::compiler {
namespace {

// The first of these methods that the class has.
jmethodID FirstOf(JNIEnv* env, const char* class_name, std::initializer_list<const char*> names,
                  const char* descriptor) {
  if (env->ExceptionCheck()) return nullptr;
  const jclass owner = env->FindClass(class_name);
  const jclass no_such_method =
      owner == nullptr ? nullptr : env->FindClass("java/lang/NoSuchMethodError");
  if (no_such_method == nullptr) return nullptr;
  for (const char* const name : names) {
    const jmethodID method = env->GetMethodID(owner, name, descriptor);
    if (method != nullptr) return method;
    const jthrowable thrown = env->ExceptionOccurred();
    env->ExceptionClear();
    if (!env->IsInstanceOf(thrown, no_such_method)) {
      env->Throw(thrown);
      return nullptr;
    }
  }
  return nullptr;
}

}  // namespace

JvmciMethods JvmciMethods::Find(JNIEnv* env) {
  JvmciMethods methods;
  methods.class_pointer_ = FirstOf(env, "jdk/vm/ci/hotspot/HotSpotResolvedObjectTypeImpl",
                                   {"getMetaspaceKlass", "getKlassPointer"}, "()J");
  methods.method_pointer_ = FirstOf(env, "jdk/vm/ci/hotspot/HotSpotResolvedJavaMethodImpl",
                                    {"getMetaspaceMethod", "getMethodPointer"}, "()J");
  constexpr const char* kPool = "jdk/vm/ci/hotspot/HotSpotConstantPool";
  methods.lookup_constant_ = FirstOf(env, kPool, {"lookupConstant"}, "(IZ)Ljava/lang/Object;");
  methods.lookup_says_whether_to_resolve_ = methods.lookup_constant_ != nullptr;
  if (methods.lookup_constant_ == nullptr) {
    methods.lookup_constant_ = FirstOf(env, kPool, {"lookupConstant"}, "(I)Ljava/lang/Object;");
  }
  methods.tag_at_ =
      FirstOf(env, kPool, {"getTagAt"}, "(I)Ljdk/vm/ci/hotspot/HotSpotConstantPool$JvmConstant;");
  return methods;
}

uint64_t JvmciMethods::ClassPointer(JNIEnv* env, jobject type) const {
  return class_pointer_ == nullptr
             ? 0
             : static_cast<uint64_t>(env->CallLongMethod(type, class_pointer_));
}

uint64_t JvmciMethods::MethodPointer(JNIEnv* env, jobject method) const {
  return method_pointer_ == nullptr
             ? 0
             : static_cast<uint64_t>(env->CallLongMethod(method, method_pointer_));
}

jobject JvmciMethods::LookupConstant(JNIEnv* env, jobject pool, jint index) const {
  if (lookup_constant_ == nullptr) return nullptr;
  return lookup_says_whether_to_resolve_
             ? env->CallObjectMethod(pool, lookup_constant_, index, jboolean{JNI_FALSE})
             : env->CallObjectMethod(pool, lookup_constant_, index);
}

jobject JvmciMethods::TagAt(JNIEnv* env, jobject pool, jint index) const {
  return tag_at_ == nullptr ? nullptr : env->CallObjectMethod(pool, tag_at_, index);
}

}  // namespace yp::compiler
