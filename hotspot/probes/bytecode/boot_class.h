#ifndef YP_HOTSPOT_PROBES_BYTECODE_BOOT_CLASS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_BOOT_CLASS_H_

#include <jni.h>

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace yp::hotspot {

// Defines a class of the agent's in java.base, so that every class loader that delegates there
// finds it. `bytes` is its class file, for JDK 11 and later; from JDK 21 on its calls of
// Thread.currentThread() are made calls of Thread.currentCarrierThread(). `name` is the internal
// one
// ("java/lang/Name"). The result is a global reference; an error says which class the VM refused.
Result<jclass> DefineBootClass(JNIEnv* jni, const std::string& name, std::span<const uint8_t> bytes,
                               int jdk_feature_version);

// Takes the exception that is pending, and says what failed: "priming java.lang.Name failed".
Status BootClassFailed(JNIEnv* jni, const std::string& what, const std::string& name);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_BOOT_CLASS_H_
