#ifndef YP_HOTSPOT_RECORDING_COMPILER_RECORDING_H_
#define YP_HOTSPOT_RECORDING_COMPILER_RECORDING_H_

#include <jni.h>

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "hotspot/recording/session.h"
#include "hotspot/vmstructs/code_cache.h"

namespace yp::hotspot {

// Has the VM record what its compilers do, if the session's options ask for it, beside the spool.
// What is to be said of that: keys and values of the configuration. Without a code cache what was
// compiled before is not told.
std::vector<std::pair<std::string, std::string>> RecordCompilers(JNIEnv* jni, Session& session,
                                                                 Clock& clock,
                                                                 const CodeCache* code_cache,
                                                                 const std::string& spool);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_COMPILER_RECORDING_H_
