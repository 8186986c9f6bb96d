#ifndef YP_FORMAT_JFR_JFR_JIT_EVENTS_H_
#define YP_FORMAT_JFR_JFR_JIT_EVENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "core/amortize/jit_events.h"
#include "format/jfr/jfr_file.h"

namespace yp::jfr {

// How a recording kept one type of events.
struct EventKeeping {
  bool is_known = false;  // The recording's JDK has such events.
  // Whether they were on at some time; empty when the recording does not tell.
  std::optional<bool> is_enabled;
  // Shorter ones are missing, at some time at least; empty when nothing tells.
  std::optional<int64_t> threshold_ns;
  uint64_t events = 0;
};

// What a recording is good for.
struct JitRecording {
  FileInfo file;
  EventKeeping compilations, failures, inlinings, deoptimizations;
  std::string jvm_version;  // jdk.JVMInformation's; empty when the recording does not have it.
  uint64_t lost_bytes = 0;  // Of events of any type, that the JVM could not write.
  // Failures whose compilation is not in the recording; those are not told to the sink.
  uint64_t failures_without_compilation = 0;
  // Events whose method the recording does not name; those are not told either.
  uint64_t events_without_method = 0;
};

// Tells a sink what a recording says of the compilers. Times are since the first chunk's start.
// - In the file's order, which is that of ending for each thread but not for all; a failed
//   compilation whose reason is not known before it comes when the reason does, or at the end.
// - Not told by JFR: when a compilation was asked for, the size of its bytecode; of inlinings and
//   deoptimizations whether the compilation is one for entering a loop, the level, and the callee's
//   class loader; code's end.
// Errors are those of ReadFile.
Result<JitRecording> ReadJitEvents(const std::string& path, JitEventSink& sink);
// The same of bytes in memory; name stands for the path in messages.
Result<JitRecording> ReadJitEvents(std::span<const uint8_t> bytes, const std::string& name,
                                   JitEventSink& sink);

// A threshold as JFR tells it, "20 ms"; empty when it is none.
std::optional<int64_t> ParseThresholdNs(std::string_view text);

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_JFR_JIT_EVENTS_H_
