#ifndef YP_HOTSPOT_SUPPORT_DROPS_H_
#define YP_HOTSPOT_SUPPORT_DROPS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "classfile/code_rewriter.h"

namespace yp::hotspot {

// What was lost or left out, by reason. Every report shows these.
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

const char* ToString(Drop reason);

// Counters that any thread may raise. Async-signal-safe: one atomic add.
class Drops {
 public:
  void Add(Drop reason, uint64_t n = 1) {
    totals_[static_cast<size_t>(reason)].fetch_add(n, std::memory_order_relaxed);
  }
  // A method that was left without its probe. Having no code is no loss: there is nothing to probe.
  void AddMethod(classfile::ProbeOutcome reason) {
    methods_[static_cast<size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
  }
  // The reasons that occurred, with their totals.
  std::vector<std::pair<std::string, uint64_t>> Totals() const;
  void Reset() {
    for (auto& total : totals_) total.store(0, std::memory_order_relaxed);
    for (auto& total : methods_) total.store(0, std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Drop::kCount)> totals_{};
  std::array<std::atomic<uint64_t>, classfile::kProbeOutcomes> methods_{};
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_DROPS_H_
