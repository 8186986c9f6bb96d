#ifndef YP_HOTSPOT_WALK_CODE_LABELLER_H_
#define YP_HOTSPOT_WALK_CODE_LABELLER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/status.h"
#include "core/graph/code_label.h"
#include "hotspot/stacks/stack_buffer.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/frame_reader.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "hotspot/walk/memo_table.h"

namespace yp::hotspot {

// Which code executes each frame of a stack that AsyncGetCallTrace has walked, which does not say.
//
// The physical frames are read a second time, by ourselves, from where the signal found the thread
// or, outside of Java code, from its last Java frame. First only addresses are followed; the
// compilers' debug information, which says how many methods a physical frame stands for, is read
// when these end at the thread's first Java frame, so that all of them are frames indeed and keep
// their code alive. Where both walks do not come to as many frames, as with virtual threads, only
// the innermost frame has a label.
//
// Async-signal-safe: takes no lock, allocates nothing, calls nothing of the VM.
class CodeLabeller {
 public:
  // Where a signal found a thread.
  struct Interrupted {
    uintptr_t pc = 0, sp = 0, frame_pointer = 0;
    const void* java_thread = nullptr;  // The VM's JavaThread.
  };

  // An error names what is missing from the tables. `code_cache` outlives it.
  static Result<CodeLabeller> Create(const VmStructs& structs, const CodeCache& code_cache,
                                     int jdk_feature_version);

  // Sets the code of all frames, innermost first; there is one at least.
  void Label(const Interrupted& from, std::span<RawFrame> frames);

 private:
  static constexpr size_t kMaxScopes = 64;
  static constexpr size_t kMaxSteps = 4 * StackBuffer::kMaxFrames;
  // Key: an address in compiled code, and the compile id. Value: how many methods are there.
  using CountMemo = MemoTable<2, 1, 13>;

  struct Start {
    FrameReader::Position position;
    // Whether it is a call's return address, at which the debug information is exact.
    bool is_call = false;
  };

  CodeLabeller(const CodeCache& code_cache, FrameReader frames)
      : code_cache_(code_cache),
        frames_(std::move(frames)),
        counts_(std::make_unique<CountMemo>()) {}

  std::optional<Start> StartOf(const Interrupted& from) const;
  CodeLabel LabelOf(const FrameReader::Frame& frame) const;
  bool EndsInOrder(FrameReader::Position position) const;
  // 0 where nothing is recorded.
  size_t CountOf(const FrameReader::Frame& frame);
  bool LabelAll(const Start& start, std::span<RawFrame> frames);

  const CodeCache& code_cache_;
  const FrameReader frames_;
  std::unique_ptr<CountMemo> counts_;
  int64_t anchor_ = 0, stack_base_ = 0;  // Within JavaThread.
  int64_t last_sp_ = 0, last_pc_ = 0, last_fp_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_CODE_LABELLER_H_
