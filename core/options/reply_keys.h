#ifndef YP_CORE_OPTIONS_REPLY_KEYS_H_
#define YP_CORE_OPTIONS_REPLY_KEYS_H_

// The keys of what the agent replies to a command (RecordingOptions::reply), a spool::Config.
namespace yp::reply_key {

inline constexpr const char* kError = "error";  // What was wrong, and what to do; alone.
// How the error begins of a library that is not the one whose agent the JVM has.
inline constexpr const char* kOtherCopy = "another libyieldpoint.so is in this JVM already";
inline constexpr const char* kState = "state";      // "recording", "stopped" or "none".
inline constexpr const char* kOptions = "options";  // As an option string.
inline constexpr const char* kProbe = "probe";
inline constexpr const char* kStartTimeNs = "start_time_ns";   // Since 1970.
inline constexpr const char* kDurationNs = "duration_ns";      // Until now, or the recording's end.
inline constexpr const char* kSamples = "samples";             // Sampled calls.
inline constexpr const char* kCountedCalls = "counted_calls";  // Of modes that count each.
// By the agent's own measure; without what a call that is counted costs.
inline constexpr const char* kCostNs = "cost_ns";
inline constexpr const char* kProgramCpuNs = "program_cpu_ns";
inline constexpr const char* kBudgetPercent = "budget_percent";  // Missing: none is kept.
inline constexpr const char* kSpool = "spool";                   // That is written, or was last.
inline constexpr const char* kSpoolBytes = "spool_bytes";
inline constexpr const char* kPart = "part";               // Its number, of a recording in parts.
inline constexpr const char* kPartFile = "part_file";      // Each that is there, the oldest first.
inline constexpr const char* kPartsBytes = "parts_bytes";  // Of all of them.
inline constexpr const char* kLost = "lost.";              // And a reason: how many.

}  // namespace yp::reply_key

#endif  // YP_CORE_OPTIONS_REPLY_KEYS_H_
