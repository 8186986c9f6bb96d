#ifndef YP_HOTSPOT_WALK_JVMTI_METHODS_H_
#define YP_HOTSPOT_WALK_JVMTI_METHODS_H_

#include <jvmti.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/ids.h"
#include "classfile/bci_map.h"
#include "core/graph/method.h"
#include "hotspot/graph/method_registry.h"

namespace yp::hotspot {

// What a method is to a stack walk.
struct WalkedMethod {
  MethodId id{};
  // The VM's own glue, which Java's stack traces do not show either: lambda proxies, method
  // handles' adapters. A walk looks through it.
  bool is_hidden = false;
  bool is_probe = false;  // java.lang.YieldpointProbe's.
  // From the running code's bytecode indices to those of the original; null where they are the
  // same.
  MethodRegistry::Map map;
};

// Turns the VM's method ids into the registry's. Every call is made while a frame of the method is
// on the calling thread's stack, so that its class cannot be unloaded meanwhile.
class JvmtiMethods {
 public:
  JvmtiMethods(jvmtiEnv* jvmti, MethodRegistry& registry) : jvmti_(jvmti), registry_(registry) {}

  // Null when the VM does not answer.
  std::shared_ptr<const WalkedMethod> Resolve(JNIEnv* jni, jmethodID method);
  // Whether a class of the JDK's, among the supertypes of the method's class, declares a method of
  // the same name and descriptor, so that code without a probe may call this one through it.
  bool MayBeCalledByJdk(JNIEnv* jni, jmethodID method);
  // Classes are about to be redefined, or were: an id may stand for another version soon, or does
  // now. Frames of the old version get another id then.
  void OnRedefinition();
  // Whether that may have happened a short time ago, or go on.
  bool MayBeRedefining() const;

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};  // Not a number of redefinitions.
  struct Resolved {
    std::shared_ptr<const WalkedMethod> walked;
    int64_t end = -1;              // Its last bytecode index; -1: it has none.
    uint64_t settled_in = kNever;  // It stays so until there are more redefinitions than these.
  };
  Resolved ResolveNew(JNIEnv* jni, jmethodID method);
  int64_t EndOf(jmethodID method) const;
  bool Describe(jmethodID method, Method& described, bool& is_hidden);
  bool IsJdkClass(JNIEnv* jni, jclass type);
  bool DeclaredInJdkSupertype(JNIEnv* jni, jclass type, std::string_view selector, int depth);
  bool Declares(jclass type, std::string_view selector);

  jvmtiEnv* const jvmti_;
  MethodRegistry& registry_;
  std::mutex mutex_;
  std::unordered_map<jmethodID, Resolved> resolved_;
  // As std::chrono::steady_clock tells the time. Stored before redefinitions_ is raised.
  std::atomic<std::chrono::steady_clock::rep> redefining_until_{0};
  std::atomic<uint64_t> redefinitions_{0};
};

// A class's, as in a descriptor; empty when the VM does not tell.
std::string SignatureOf(jvmtiEnv* jvmti, jclass type);
// The name under which a class is reported (core/graph/class_name.h): from "Lapp/Main;" "app.Main".
std::string ReportedClassName(std::string_view signature);
// Whether the class of that JVMTI signature is glue that Java's stack traces hide.
bool IsHiddenGlue(std::string_view signature);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_JVMTI_METHODS_H_
