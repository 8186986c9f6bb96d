#include "hotspot/probes/bytecode/loaded_class.h"

#include <cstdint>

#include "classfile/class_file.h"
#include "hotspot/support/jvmti_owned.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

using classfile::kAccPrivate;
using classfile::kAccStatic;

// Null when there is no such field.
jobject FieldOf(JNIEnv* jni, jobject object, const char* name, const char* descriptor) {
  const jfieldID field = jni->GetFieldID(jni->GetObjectClass(object), name, descriptor);
  return field == nullptr ? nullptr : jni->GetObjectField(object, field);
}

// The fields are the same from JDK 11 to 25.
std::optional<CallReference> ReadMember(jvmtiEnv* jvmti, JNIEnv* jni, jobject member) {
  constexpr char kClass[] = "Ljava/lang/Class;";
  const jclass constructor = jni->FindClass("java/lang/reflect/Constructor");
  if (constructor == nullptr) return std::nullopt;
  const bool is_constructor = jni->IsInstanceOf(member, constructor) == JNI_TRUE;
  const jobject owner = FieldOf(jni, member, "clazz", kClass);
  const auto types =
      static_cast<jobjectArray>(FieldOf(jni, member, "parameterTypes", "[Ljava/lang/Class;"));
  const jfieldID modifiers = jni->GetFieldID(jni->GetObjectClass(member), "modifiers", "I");
  if (owner == nullptr || types == nullptr || modifiers == nullptr) return std::nullopt;

  CallReference reference;
  reference.owner = InternalNameOf(jvmti, static_cast<jclass>(owner));
  std::string descriptor = "(";
  for (jsize i = 0, n = jni->GetArrayLength(types); i < n; ++i) {
    const auto type = static_cast<jclass>(jni->GetObjectArrayElement(types, i));
    descriptor += SignatureOf(jvmti, type);
    jni->DeleteLocalRef(type);
  }
  if (is_constructor) {
    reference.selector = "<init>" + descriptor + ")V";
  } else {
    const auto name = static_cast<jstring>(FieldOf(jni, member, "name", "Ljava/lang/String;"));
    const auto result = static_cast<jclass>(FieldOf(jni, member, "returnType", kClass));
    const char* text = name == nullptr ? nullptr : jni->GetStringUTFChars(name, nullptr);
    if (text == nullptr || result == nullptr) return std::nullopt;
    reference.selector = text + descriptor + ")" + SignatureOf(jvmti, result);
    jni->ReleaseStringUTFChars(name, text);
  }
  const bool is_bound =
      is_constructor || (jni->GetIntField(member, modifiers) & (kAccPrivate | kAccStatic)) != 0;
  reference.kind = is_bound ? CallReference::Kind::kBound : CallReference::Kind::kVirtual;
  if (reference.owner.empty()) return std::nullopt;
  return reference;
}

}  // namespace

std::string InternalNameOf(jvmtiEnv* jvmti, jclass type) {
  const std::string signature = SignatureOf(jvmti, type);
  if (signature.size() < 3 || signature.front() != 'L') return "";
  return signature.substr(1, signature.size() - 2);
}

std::vector<jclass> SupertypesOf(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  std::vector<jclass> supertypes;
  if (const jclass super = jni->GetSuperclass(type)) supertypes.push_back(super);
  jint count = 0;
  JvmtiOwned<jclass> interfaces(jvmti);
  if (jvmti->GetImplementedInterfaces(type, &count, interfaces.out()) == JVMTI_ERROR_NONE) {
    supertypes.insert(supertypes.end(), interfaces.get(), interfaces.get() + count);
  }
  return supertypes;
}

std::optional<ClassShape> ShapeOf(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  ClassShape shape;
  shape.name = InternalNameOf(jvmti, type);
  jint count = 0;
  JvmtiOwned<jmethodID> methods(jvmti);
  if (shape.name.empty() ||
      jvmti->GetClassMethods(type, &count, methods.out()) != JVMTI_ERROR_NONE) {
    return std::nullopt;
  }
  for (jint i = 0; i < count; ++i) {
    const jmethodID method = methods.get()[i];
    JvmtiOwned<char> name(jvmti), descriptor(jvmti);
    jint flags = 0;
    if (jvmti->GetMethodName(method, name.out(), descriptor.out(), nullptr) != JVMTI_ERROR_NONE ||
        jvmti->GetMethodModifiers(method, &flags) != JVMTI_ERROR_NONE) {
      return std::nullopt;
    }
    if ((flags & (kAccPrivate | kAccStatic)) != 0 || name.get()[0] == '<') continue;
    shape.methods.push_back(
        {std::string(name.get()) + descriptor.get(), static_cast<uint16_t>(flags), kNoMethod});
  }
  bool is_super = jni->GetSuperclass(type) != nullptr;
  for (const jclass supertype : SupertypesOf(jvmti, jni, type)) {
    const std::string name = InternalNameOf(jvmti, supertype);
    if (is_super) {
      shape.super = name;
    } else {
      shape.interfaces.push_back(name);
    }
    is_super = false;
    jni->DeleteLocalRef(supertype);
  }
  return shape;
}

std::optional<CallReference> ReferenceTo(jvmtiEnv* jvmti, JNIEnv* jni, jobject member) {
  std::optional<CallReference> reference;
  if (jni->PushLocalFrame(32) == 0) {
    reference = ReadMember(jvmti, jni, member);
    jni->PopLocalFrame(nullptr);
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return reference;
}

}  // namespace yp::hotspot
