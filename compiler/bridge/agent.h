#ifndef YP_COMPILER_BRIDGE_AGENT_H_
#define YP_COMPILER_BRIDGE_AGENT_H_

#include "compiler/aos/recording.h"

namespace yp::compiler {

// What the JVM was started to record; null: nothing.
Recording* TheRecording();

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_AGENT_H_
