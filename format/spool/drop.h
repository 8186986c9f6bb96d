#ifndef YP_FORMAT_SPOOL_DROP_H_
#define YP_FORMAT_SPOOL_DROP_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace yp::spool {

// What was lost or left out, by reason (record Drops). Every report shows these; what people read
// of them is in format/profile/drop_reasons.cc.
enum class Drop {
  kRingFull,       // The drain was too slow: samples.
  kWalkFailed,     // The VM did not give the stack: samples or calls.
  kNoThreadState,  // No memory for a thread's state: its calls.
  kWalkMismatch,   // The memoised walk and the VM's own disagreed; the VM's answer was taken.
  kCalleeUnknown,  // A compiled entry without its method: samples.
  kCallerUnknown,  // A call from a frame that is not known: samples.
  kNoDebugInfo,    // A call from code whose compiler recorded nothing of it: samples.
  // Stacks that a signal asked for (mechanism immediate).
  kNotJavaThread,      // A thread of the VM's own, or of native code: it has no Java stack.
  kInCompiler,         // A thread that compiles: it has no Java stack either.
  kNoJavaFrame,        // A Java thread that is not in Java code, nor was called from there.
  kCollecting,         // The collector was at work.
  kJavaNotWalkable,    // At an instruction in Java code from which no caller can be told.
  kVmNotWalkable,      // The same in the VM's or native code.
  kStateNotWalkable,   // The thread was changing its state, or ending.
  kStackTooDeep,       // More frames than there is room for.
  kStackBufferFull,    // The drain was too slow.
  kMethodGone,         // A frame's method had been unloaded before the drain saw it.
  kContextsFull,       // More calling contexts than memory is taken for.
  kClassUnreadable,    // Class files that were not understood, left as they are.
  kClassNotRewritten,  // Loaded classes that the VM would not retransform.
  kClassCannotLink,    // Classes whose loader does not hand out the probe's, left as they are.
  kCount,
};

inline constexpr size_t kDrops = static_cast<size_t>(Drop::kCount);

// Whether a table of rows has one for each reason, in their order, and a text in each.
template <typename Row>
constexpr bool HasRowForEach(const std::array<Row, kDrops>& table, std::string_view Row::*text) {
  for (size_t i = 0; i < kDrops; ++i) {
    if (table[i].drop != static_cast<Drop>(i) || (table[i].*text).empty()) return false;
  }
  return true;
}

struct DropName {
  Drop drop;
  std::string_view name;
};
// What a spool and a profile call them.
inline constexpr std::array<DropName, kDrops> kDropNames{{
    {Drop::kRingFull, "ring_full"},
    {Drop::kWalkFailed, "walk_failed"},
    {Drop::kNoThreadState, "no_thread_state"},
    {Drop::kWalkMismatch, "walk_mismatch"},
    {Drop::kCalleeUnknown, "callee_unknown"},
    {Drop::kCallerUnknown, "caller_unknown"},
    {Drop::kNoDebugInfo, "no_debug_info"},
    {Drop::kNotJavaThread, "not_java_thread"},
    {Drop::kInCompiler, "in_compiler"},
    {Drop::kNoJavaFrame, "no_java_frame"},
    {Drop::kCollecting, "collecting"},
    {Drop::kJavaNotWalkable, "java_not_walkable"},
    {Drop::kVmNotWalkable, "vm_not_walkable"},
    {Drop::kStateNotWalkable, "state_not_walkable"},
    {Drop::kStackTooDeep, "stack_too_deep"},
    {Drop::kStackBufferFull, "stack_buffer_full"},
    {Drop::kMethodGone, "method_gone"},
    {Drop::kContextsFull, "contexts_full"},
    {Drop::kClassUnreadable, "class_unreadable"},
    {Drop::kClassNotRewritten, "class_not_rewritten"},
    {Drop::kClassCannotLink, "class_cannot_link"},
}};
static_assert(HasRowForEach(kDropNames, &DropName::name));

constexpr std::string_view ToString(Drop reason) {
  return kDropNames[static_cast<size_t>(reason)].name;
}

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_DROP_H_
