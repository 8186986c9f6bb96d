#include "hotspot/support/drops.h"

namespace yp::hotspot {

const char* ToString(Drop reason) {
  switch (reason) {
    case Drop::kRingFull:
      return "ring_full";
    case Drop::kWalkFailed:
      return "walk_failed";
    case Drop::kNoThreadState:
      return "no_thread_state";
    case Drop::kWalkMismatch:
      return "walk_mismatch";
    case Drop::kCalleeUnknown:
      return "callee_unknown";
    case Drop::kCallerUnknown:
      return "caller_unknown";
    case Drop::kNoDebugInfo:
      return "no_debug_info";
    case Drop::kNotJavaThread:
      return "not_java_thread";
    case Drop::kInCompiler:
      return "in_compiler";
    case Drop::kNoJavaFrame:
      return "no_java_frame";
    case Drop::kCollecting:
      return "collecting";
    case Drop::kJavaNotWalkable:
      return "java_not_walkable";
    case Drop::kVmNotWalkable:
      return "vm_not_walkable";
    case Drop::kStateNotWalkable:
      return "state_not_walkable";
    case Drop::kStackTooDeep:
      return "stack_too_deep";
    case Drop::kStackBufferFull:
      return "stack_buffer_full";
    case Drop::kMethodGone:
      return "method_gone";
    case Drop::kContextsFull:
      return "contexts_full";
    case Drop::kClassUnreadable:
      return "class_unreadable";
    case Drop::kClassNotRewritten:
      return "class_not_rewritten";
    case Drop::kClassCannotLink:
      return "class_cannot_link";
    case Drop::kCount:
      break;
  }
  return "unknown";
}

std::vector<std::pair<std::string, uint64_t>> Drops::Totals() const {
  std::vector<std::pair<std::string, uint64_t>> totals;
  for (size_t i = 0; i < totals_.size(); ++i) {
    const uint64_t n = totals_[i].load(std::memory_order_relaxed);
    if (n != 0) totals.emplace_back(ToString(static_cast<Drop>(i)), n);
  }
  for (size_t i = 0; i < methods_.size(); ++i) {
    const auto outcome = static_cast<classfile::ProbeOutcome>(i);
    const uint64_t n = methods_[i].load(std::memory_order_relaxed);
    if (n != 0) totals.emplace_back("method left: " + std::string(classfile::ToString(outcome)), n);
  }
  return totals;
}

}  // namespace yp::hotspot
