#ifndef YP_HOTSPOT_WALK_STACK_WALKER_H_
#define YP_HOTSPOT_WALK_STACK_WALKER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "hotspot/arch/arch.h"
#include "hotspot/stacks/code_place.h"
#include "hotspot/stacks/stack_buffer.h"
#include "hotspot/support/drops.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/frame_reader.h"
#include "hotspot/vmstructs/method_reader.h"
#include "hotspot/walk/memo_table.h"

namespace yp::hotspot {

// The whole stack of a call that was caught at its callee's compiled entry, frame by frame from the
// caller outward. What stands at an address is remembered under it, so that a frame of compiled
// code takes 10 to 20 ns; AsyncGetCallTrace, which reads the debug information of each frame each
// time, takes ten times as long.
//
// The condition is FrameReader's.
class StackWalker {
 public:
  // About 100 bytes each.
  static constexpr size_t kMaxPlaces = 400'000;

  struct Answer {
    size_t count = 0;
    std::optional<Drop> reason;  // Why there is no stack.
  };

  StackWalker(const CodeCache& code_cache, const FrameReader& frames, const MethodReader& methods,
              size_t max_places = kMaxPlaces)
      : code_cache_(code_cache), frames_(frames), methods_(methods), max_places_(max_places) {}

  // Another recording begins. `is_in_use`: what Walk wrote may still be read, so that it stays once
  // more.
  void Forget(bool is_in_use);

  // Writes places (RawFrame::kIsPlace), innermost first, without those that stand for nothing but
  // glue. They stay until Forget. `identify(const void* method)`: the MethodId of one of the VM's
  // methods; kNoMethod for glue. `epoch`: of what it answers.
  template <typename Identify>
  Answer Walk(FrameReader::Position position, uint32_t epoch, const Identify& identify,
              std::span<RawFrame> stack) {
    Answer answer;
    std::array<DebugInfo::Scope, kMaxScopes> scopes;
    for (size_t steps = 0; steps < kMaxSteps; ++steps) {
      const CodePlace* place = Remembered(position, epoch);
      if (place == nullptr) {
        const uintptr_t pc = position.pc;
        const FrameReader::Frame frame = frames_.Next(position, scopes);
        switch (frame.kind) {
          case FrameReader::Kind::kEnd:
            return answer;
          case FrameReader::Kind::kNoDebugInfo:
            return {.reason = Drop::kNoDebugInfo};
          case FrameReader::Kind::kUnknown:
            return {.reason = Drop::kCallerUnknown};
          case FrameReader::Kind::kNotJava:
            continue;
          case FrameReader::Kind::kJava:
            break;
        }
        place = PlaceOf(pc, frame, std::span(scopes).first(frame.scope_count), epoch, identify);
        if (place == nullptr) return {.reason = Drop::kContextsFull};
      }
      if (place->frames.empty()) continue;
      if (answer.count == stack.size()) return {.reason = Drop::kStackTooDeep};
      stack[answer.count++] = RawFrame::At(*place);
    }
    return {.reason = Drop::kStackTooDeep};
  }

 private:
  static constexpr size_t kMaxScopes = 64;
  static constexpr size_t kMaxSteps = 4 * StackBuffer::kMaxFrames;
  // Key: an address in compiled code, and the epoch. Value: its blob, the compile id with the
  // frame's size, the place.
  using CompiledMemo = MemoTable<2, 3, 14>;
  // Key: a method, its ConstMethod, its class's name and the bytecode index with the epoch: another
  // method may come to its address. Value: the place.
  using InterpretedMemo = MemoTable<4, 1, 10>;

  // The place of a frame of compiled code that was met before; `position` then is that of its
  // caller.
  const CodePlace* Remembered(FrameReader::Position& position, uint32_t epoch) const {
    CompiledMemo::Value value;
    if (!compiled_.Find({position.pc, epoch}, value)) return nullptr;
    CodeCache::Frame frame;
    frame.blob = reinterpret_cast<const char*>(value[0]);
    frame.compile_id = static_cast<int32_t>(value[1]);
    const auto words = static_cast<std::ptrdiff_t>(value[1] >> 32);
    const uintptr_t* const caller_sp = position.sp + words;
    if (reinterpret_cast<uintptr_t>(caller_sp) > position.stack_end ||
        !code_cache_.StillSame(frame)) {
      return nullptr;
    }
    position.pc = caller_sp[frame_layout::kCompiledReturnPc];
    position.frame_pointer = caller_sp[frame_layout::kCompiledSavedFramePointer];
    position.sp = caller_sp;
    return reinterpret_cast<const CodePlace*>(value[2]);
  }

  template <typename Identify>
  const CodePlace* PlaceOf(uintptr_t pc, const FrameReader::Frame& frame,
                           std::span<const DebugInfo::Scope> scopes, uint32_t epoch,
                           const Identify& identify) {
    InterpretedMemo::Key key{};
    if (!frame.is_compiled) {
      key = InterpretedKey(scopes[0], epoch);
      if (InterpretedMemo::Value value; interpreted_.Find(key, value)) {
        return reinterpret_cast<const CodePlace*>(value[0]);
      }
    }
    CodePlace place;
    for (const DebugInfo::Scope& scope : scopes) {
      const MethodId method = identify(scope.method);
      if (method != kNoMethod) place.frames.push_back({method, scope.bci < 0 ? kNoBci : scope.bci});
    }
    const CodePlace* const kept = Keep(std::move(place));
    if (kept == nullptr) return nullptr;
    if (!frame.is_compiled) {
      interpreted_.Put(key, {reinterpret_cast<uint64_t>(kept)});
    } else if (!frame.is_deoptimised) {
      const uint64_t size = static_cast<uint32_t>(frame.code.frame_words);
      compiled_.Put({pc, epoch}, {reinterpret_cast<uint64_t>(frame.code.blob),
                                  size << 32 | static_cast<uint32_t>(frame.code.compile_id),
                                  reinterpret_cast<uint64_t>(kept)});
    }
    return kept;
  }

  InterpretedMemo::Key InterpretedKey(const DebugInfo::Scope& scope, uint32_t epoch) const;
  // Null when there are too many.
  const CodePlace* Keep(CodePlace place);

  const CodeCache& code_cache_;
  const FrameReader& frames_;
  const MethodReader& methods_;
  const size_t max_places_;
  CompiledMemo compiled_;
  InterpretedMemo interpreted_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<const CodePlace>> places_;
  std::vector<std::unique_ptr<const CodePlace>> of_before_;  // That may still be read.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_STACK_WALKER_H_
