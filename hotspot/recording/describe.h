#ifndef YP_HOTSPOT_RECORDING_DESCRIBE_H_
#define YP_HOTSPOT_RECORDING_DESCRIBE_H_

#include <jvmti.h>

#include <string>

#include "format/spool/records.h"
#include "hotspot/recording/session.h"

namespace yp::hotspot {

// What a profile says of how it was made: options, probe, JVM, machine. `walk` says how callers are
// found.
spool::Config DescribeSession(jvmtiEnv* jvmti, JNIEnv* jni, const Session& session,
                              const char* walk);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_DESCRIBE_H_
