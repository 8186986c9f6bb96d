#ifndef YP_HOTSPOT_SUPPORT_PLATFORM_PACKAGES_H_
#define YP_HOTSPOT_SUPPORT_PLATFORM_PACKAGES_H_

#include <jni.h>

#include "hotspot/support/class_filter.h"

namespace yp::hotspot {

// The packages of the boot layer's modules that a class loader, or the VM's own if null, defines,
// as Java tells them. Empty when it does not.
PackageSet PackagesOfLoader(JNIEnv* jni, jobject loader);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_PLATFORM_PACKAGES_H_
