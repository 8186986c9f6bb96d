#include "hotspot/walk/call_walker.h"

#include <algorithm>
#include <array>

namespace yp::hotspot {

struct CallWalker::CompiledFrame {
  uint32_t compile_id;
  int32_t words;  // Its size.
  bool is_probe;  // A method of the probe's class.

  // For FrameMemo.
  uint64_t Pack() const {
    return (uint64_t{compile_id} << 32) | (static_cast<uint64_t>(words) << 1) | uint64_t{is_probe};
  }
  static CompiledFrame Unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed >> 32), static_cast<int32_t>((packed & 0xffffffffu) >> 1),
            (packed & 1) != 0};
  }
};

// Only frames of live compiled code are remembered, and none that waits for its deoptimisation: its
// return address is the handler's, the same for every call in the method.
std::optional<CallWalker::CompiledFrame> CallWalker::CompiledFrameAt(uintptr_t pc) {
  const FrameMemo::Key key = {pc};
  FrameMemo::Value value;
  if (frames_.Find(key, value)) {
    const CompiledFrame remembered = CompiledFrame::Unpack(value[1]);
    CodeCache::Frame same;
    same.blob = reinterpret_cast<const char*>(value[0]);
    same.compile_id = static_cast<int32_t>(remembered.compile_id);
    if (code_cache_->StillSame(same)) return remembered;
  }
  const std::optional<CodeCache::Frame> frame = code_cache_->FrameAt(pc);
  if (!frame || !frame->is_compiled_java || frame->is_deopt_handler || frame->frame_words <= 0) {
    return std::nullopt;
  }
  const CompiledFrame found{
      static_cast<uint32_t>(frame->compile_id), frame->frame_words,
      code_cache_->HolderOf(*frame) == probe_class_.load(std::memory_order_relaxed)};
  frames_.Put(key, {reinterpret_cast<uint64_t>(frame->blob), found.Pack()});
  return found;
}

bool CallWalker::KnowsProbe(const Start& start) {
  if (probe_class_.load(std::memory_order_relaxed) != nullptr) return true;
  const std::optional<CodeCache::Frame> wrapper = code_cache_->FrameAt(start.pc);
  if (!wrapper || !wrapper->is_compiled_java) return false;
  const void* holder = code_cache_->HolderOf(*wrapper);
  probe_class_.store(holder, std::memory_order_relaxed);
  return holder != nullptr;
}

class CallWalker::Frames {
 public:
  Frames(CallWalker& walker, const Start& start)
      : walker_(walker), pc_(start.pc), sp_(start.sp), stack_end_(start.stack_end) {}

  // Whether the first n frames are there; walks on as far as that needs.
  bool Reach(int n) {
    while (size_ < n && !ended_) {
      const std::optional<CompiledFrame> frame = walker_.CompiledFrameAt(pc_);
      if (!frame) {
        ended_ = true;
        break;
      }
      if (size_ > 0 || !frame->is_probe) {
        pcs_[size_] = pc_;
        ids_[size_++] = frame->compile_id;
      }
      sp_ += frame->words;
      if (reinterpret_cast<uintptr_t>(sp_) >= stack_end_) {
        ended_ = true;
      } else {
        pc_ = sp_[-1];
      }
    }
    return size_ >= n;
  }
  uint64_t pc(int i) const { return pcs_[i]; }
  uint64_t id(int i) const { return ids_[i]; }

 private:
  CallWalker& walker_;
  uintptr_t pc_;
  const uintptr_t* sp_;
  uintptr_t stack_end_;
  bool ended_ = false;
  int size_ = 0;
  uint64_t pcs_[kFarFrames];
  uint64_t ids_[kFarFrames];
};

CallWalker::EdgeMemo::Key CallWalker::NearKey(const Frames& frames, MethodId callee) const {
  return {frames.pc(0), frames.pc(1), (frames.id(0) << 32) | frames.id(1),
          (static_cast<uint64_t>(epoch_.load(std::memory_order_relaxed)) << 32) | ToIndex(callee)};
}

CallWalker::FarMemo::Key CallWalker::FarKey(const Frames& frames, const EdgeMemo::Key& near) {
  constexpr int k = kNearFrames;
  return {near[0],
          near[1],
          near[2],
          near[3],
          frames.pc(k),
          frames.pc(k + 1),
          (frames.id(k) << 32) | frames.id(k + 1)};
}

uint64_t CallWalker::Remembered(const EdgeMemo::Key& near, Frames& frames) {
  EdgeMemo::Value value;
  if (!edges_.Find(near, value)) return 0;
  if (value[0] != kSeeFar) return value[0];
  if (!frames.Reach(kFarFrames)) return 0;
  FarMemo::Value far;
  return far_edges_.Find(FarKey(frames, near), far) ? far[0] : 0;
}

void CallWalker::Remember(const EdgeMemo::Key& near, Frames& frames, const Answer& answer) {
  if (answer.hidden_frames == 0) {
    edges_.Put(near, {ToIndex(answer.edge)});
  } else if (answer.hidden_frames <= kMaxHidden && frames.Reach(kFarFrames)) {
    edges_.Put(near, {kSeeFar});
    far_edges_.Put(FarKey(frames, near), {ToIndex(answer.edge)});
  }
}

std::optional<CallWalker::Answer> CallWalker::Walk(JNIEnv* jni, MethodId callee, const Start& start,
                                                   SampleCost* cost) {
  if (!remembers() || start.sp == nullptr || !KnowsProbe(start)) {
    return WalkSlowly(jni, callee, cost);
  }
  Frames frames(*this, start);
  if (!frames.Reach(kNearFrames)) return WalkSlowly(jni, callee, cost);

  const EdgeMemo::Key near = NearKey(frames, callee);
  const uint64_t remembered = Remembered(near, frames);
  thread_local uint32_t until_check = kVerifyInterval;
  const bool check = remembered != 0 && --until_check == 0;
  if (remembered != 0 && !check) {
    Answer answer;
    answer.edge = EdgeId{static_cast<uint32_t>(remembered)};
    return answer;
  }
  const std::optional<Answer> answer = WalkSlowly(jni, callee, cost);
  if (check) {
    until_check = kVerifyInterval;
    if (answer) CountCheck(ToIndex(answer->edge) == remembered);
  }
  if (answer) Remember(near, frames, *answer);
  return answer;
}

void CallWalker::CountCheck(bool agreed) {
  const uint64_t checks = checks_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (agreed) return;
  drops_.Add(Drop::kWalkMismatch);
  const uint64_t mismatches = mismatches_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (checks >= kMinChecksToGiveUp && mismatches * 1'000'000 > checks * kMaxMismatchesPerMillion &&
      mismatches > 2) {
    given_up_.store(true, std::memory_order_relaxed);
  }
}

// The calling thread's Java frames, innermost first. They are asked for as far as they are looked
// at: each takes time, and the VM makes an id for its method, which JDK 17 never frees.
class CallWalker::JavaStack {
 public:
  explicit JavaStack(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Null beyond the last frame, and beyond the last that is looked at.
  const jvmtiFrameInfo* At(int i) {
    while (i >= size_ && !ended_) AskForMore();
    return i < size_ ? &frames_[static_cast<size_t>(i)] : nullptr;
  }

  // Whether the VM gives the same frames again.
  bool IsStillSo() const {
    std::array<jvmtiFrameInfo, kMaxFrames> again;
    jint count = 0;
    return jvmti_->GetStackTrace(nullptr, 0, size_, again.data(), &count) == JVMTI_ERROR_NONE &&
           std::equal(again.begin(), again.begin() + count, frames_.begin(),
                      frames_.begin() + size_, [](const auto& a, const auto& b) {
                        return a.method == b.method && a.location == b.location;
                      });
  }

 private:
  void AskForMore() {
    jint count = 0;
    const jvmtiError error =
        jvmti_->GetStackTrace(nullptr, size_, kChunk, frames_.data() + size_, &count);
    if (error != JVMTI_ERROR_NONE) count = 0;
    size_ += count;
    ended_ = count < kChunk || size_ == kMaxFrames;
  }

  static constexpr int kChunk = 8;  // The probe's own frames (at most four), callee, caller, glue.
  static constexpr int kMaxFrames = 3 * kChunk;
  jvmtiEnv* const jvmti_;
  std::array<jvmtiFrameInfo, kMaxFrames> frames_;
  int size_ = 0;
  bool ended_ = false;
};

// A frame's bytecode index and the version of its method belong together only if no class was
// redefined between: then the frame's method has another id, and the walk begins again.
std::optional<CallWalker::Answer> CallWalker::WalkSlowly(JNIEnv* jni, MethodId callee,
                                                         SampleCost* cost) {
  if (cost != nullptr) cost->BecomesLong();
  for (int tries = 0; tries < kMaxTries; ++tries) {
    JavaStack stack(jvmti_);
    std::optional<Answer> answer = WalkStack(jni, callee, stack);
    if (methods_.MayBeRedefining() && !stack.IsStillSo()) continue;
    if (answer) answer->edge = registry_.InternEdge(*answer->definition);
    return answer;
  }
  return std::nullopt;
}

std::optional<CallWalker::Answer> CallWalker::WalkStack(JNIEnv* jni, MethodId callee,
                                                        JavaStack& stack) {
  int i = 0;
  const jvmtiFrameInfo* frame = nullptr;
  std::shared_ptr<const WalkedMethod> method;
  for (; (frame = stack.At(i)) != nullptr; ++i) {
    method = methods_.Resolve(jni, frame->method);
    if (method == nullptr) return std::nullopt;
    if (!method->is_probe) break;
  }
  if (frame == nullptr || method->id != callee) return std::nullopt;

  Answer answer;
  answer.callee = frame->method;
  const int callee_frame = i;
  Edge edge{kNoMethod, kNoBci, callee};
  for (++i; (frame = stack.At(i)) != nullptr; ++i) {
    method = methods_.Resolve(jni, frame->method);
    if (method == nullptr) return std::nullopt;
    if (method->is_hidden) continue;
    const int32_t bci = frame->location < 0 ? kNoBci : static_cast<int32_t>(frame->location);
    edge.caller = method->id;
    edge.bci = method->map != nullptr ? method->map->OriginalBci(bci) : bci;
    break;
  }
  answer.hidden_frames = i - callee_frame - 1;
  answer.definition = edge;
  return answer;
}

void CallWalker::OnRedefinition() {
  methods_.OnRedefinition();
  epoch_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace yp::hotspot
