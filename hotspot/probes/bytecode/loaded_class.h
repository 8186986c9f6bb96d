#ifndef YP_HOTSPOT_PROBES_BYTECODE_LOADED_CLASS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_LOADED_CLASS_H_

#include <jvmti.h>

#include <optional>
#include <string>
#include <vector>

#include "hotspot/discovery/class_hierarchy.h"

namespace yp::hotspot {

// The internal name of a loaded class; empty for an array and when the VM does not tell.
std::string InternalNameOf(jvmtiEnv* jvmti, jclass type);

// A prepared class without probes, as the VM tells it: its methods are those that others can
// override. Nothing when the VM does not tell.
std::optional<ClassShape> ShapeOf(jvmtiEnv* jvmti, JNIEnv* jni, jclass type);

// Its superclass and the interfaces that it names; local references.
std::vector<jclass> SupertypesOf(jvmtiEnv* jvmti, JNIEnv* jni, jclass type);

// The call that reaches a java.lang.reflect.Method or Constructor. Nothing when the VM does not
// tell. Initialises no class, as the VM does when it is asked for the method's id.
std::optional<CallReference> ReferenceTo(jvmtiEnv* jvmti, JNIEnv* jni, jobject member);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_LOADED_CLASS_H_
