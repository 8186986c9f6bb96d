#ifndef YP_HOTSPOT_PROBES_BYTECODE_SECURITY_MANAGER_H_
#define YP_HOTSPOT_PROBES_BYTECODE_SECURITY_MANAGER_H_

#include <jvmti.h>

#include <functional>

namespace yp::hotspot {

// Where the program has a security manager (JDK 23 and before), the VM asks it whether a protection
// domain's classes may use a class when the first of them links to that class, and remembers the
// domain. When the first rewritten method to link to the probe's class is the manager's own, run to
// answer just that, it would ask itself until the stack ends, and that may end the VM.
//
// Has the VM ask for the domains of all classes that are loaded, while none of them is rewritten.
// Only for loaders that hand out the probe's class. Does nothing without a security manager.
void AskSecurityManager(jvmtiEnv* jvmti, JNIEnv* jni,
                        const std::function<bool(jobject loader)>& hands_out_probe);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_SECURITY_MANAGER_H_
