#ifndef YP_HOTSPOT_WALK_CALL_WALKER_H_
#define YP_HOTSPOT_WALK_CALL_WALKER_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/ids.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/support/drops.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/walk/jvmti_methods.h"
#include "hotspot/walk/memo_table.h"
#include "recorder/sample_cost.h"

namespace yp::hotspot {

// Finds the edge of the call that a probe has just observed: the slow path asks "who called the
// method that called the probe?".
//
// Fast answer, about 20 ns: the physical frames below the slow path are, in compiled code, the
// native wrapper, the probe's own methods as far as they were not inlined, the root method R that
// calls the probe, and R's caller. The pcs in the last two, the two compilations and the callee
// determine the edge, so it is remembered under them. Frame sizes come from the code cache. An
// entry is used only while both compilations are still the ones it was made with. Where up to
// kMaxHidden hidden frames lie between callee and caller, as many physical frames more are part of
// the key: each holds at least one of them.
//
// Slow answer, about 1 us: JVMTI's GetStackTrace. It is taken whenever a frame is interpreted, is a
// stub or adapter (calls from native code, virtual threads' return barriers), or waits for its
// deoptimisation; and for every kVerifyInterval-th remembered answer, to compare. A mismatch is
// counted, and beyond kMaxMismatches per million the fast answer is given up for the process's
// life.
class CallWalker {
 public:
  // Where a walk starts: in a native method that the probe's slow path called.
  struct Start {
    uintptr_t pc;         // Return address into the native method's wrapper.
    const uintptr_t* sp;  // The stack pointer after that return; null: the slow answer.
    uintptr_t stack_end;  // One past the thread's stack; 0 when unknown.
  };
  struct Answer {
    EdgeId edge{};
    // What only the slow answer knows.
    std::optional<Edge> definition;
    jmethodID callee = nullptr;
    int hidden_frames = 0;  // How many lie between callee and caller.
  };

  // Without a code cache every answer is the slow one.
  CallWalker(jvmtiEnv* jvmti, MethodRegistry& registry, const std::optional<CodeCache>& code_cache,
             Drops& drops)
      : jvmti_(jvmti),
        registry_(registry),
        methods_(jvmti, registry),
        code_cache_(code_cache),
        drops_(drops) {}

  // Nothing when the VM does not give the stack. `cost`, if there is one, becomes long with a slow
  // answer.
  std::optional<Answer> Walk(JNIEnv* jni, MethodId callee, const Start& start,
                             SampleCost* cost = nullptr);
  // The slow answer.
  std::optional<Answer> WalkSlowly(JNIEnv* jni, MethodId callee, SampleCost* cost = nullptr);
  // Classes are about to be redefined, or were.
  void OnRedefinition();
  JvmtiMethods& methods() { return methods_; }
  bool remembers() const {
    return code_cache_.has_value() && !given_up_.load(std::memory_order_relaxed);
  }

 private:
  // Physical frames: R, its caller, and as many more as there may be hidden ones.
  static constexpr int kNearFrames = 2;
  static constexpr int kMaxHidden = 2;
  static constexpr int kFarFrames = kNearFrames + kMaxHidden;
  // Key: two pcs, their two compile ids, epoch and callee. Value: an edge, or kSeeFar.
  using EdgeMemo = MemoTable<4, 1, 14>;
  // Key: the same with two more pcs and ids.
  using FarMemo = MemoTable<7, 1, 12>;
  static constexpr uint64_t kSeeFar = ~uint64_t{0};
  using FrameMemo = MemoTable<1, 2, 13>;
  static constexpr uint32_t kVerifyInterval = 1024;
  static constexpr uint64_t kMaxMismatchesPerMillion = 100;
  static constexpr uint64_t kMinChecksToGiveUp = 1000;
  static constexpr int kMaxTries = 5;

  struct CompiledFrame;
  // The physical frames of a walk from R on, while they are compiled code.
  class Frames;
  class JavaStack;
  // Without the edge's id.
  std::optional<Answer> WalkStack(JNIEnv* jni, MethodId callee, JavaStack& stack);
  EdgeMemo::Key NearKey(const Frames& frames, MethodId callee) const;
  static FarMemo::Key FarKey(const Frames& frames, const EdgeMemo::Key& near);
  // 0 when nothing is remembered.
  uint64_t Remembered(const EdgeMemo::Key& near, Frames& frames);
  void Remember(const EdgeMemo::Key& near, Frames& frames, const Answer& answer);
  // The pc of a frame on the calling thread's stack.
  std::optional<CompiledFrame> CompiledFrameAt(uintptr_t pc);
  // Whether the probe's class is known, or is now, by a frame that starts a walk.
  bool KnowsProbe(const Start& start);
  void CountCheck(bool agreed);

  jvmtiEnv* const jvmti_;
  MethodRegistry& registry_;
  JvmtiMethods methods_;
  const std::optional<CodeCache>& code_cache_;
  Drops& drops_;
  EdgeMemo edges_;
  FarMemo far_edges_;
  FrameMemo frames_;
  std::atomic<uint32_t> epoch_{1};
  std::atomic<uint64_t> checks_{0};
  std::atomic<uint64_t> mismatches_{0};
  std::atomic<bool> given_up_{false};
  std::atomic<const void*> probe_class_{nullptr};  // As CodeCache::HolderOf names it.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_CALL_WALKER_H_
