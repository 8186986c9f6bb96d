#include "hotspot/walk/code_labeller.h"

#include <algorithm>
#include <array>

#include "hotspot/arch/arch.h"
#include "hotspot/vmstructs/load.h"

// What runs in the handler: see tools/check_handlers.py.
namespace yp::hotspot {

std::optional<CodeLabeller::Start> CodeLabeller::StartOf(const Interrupted& from) const {
  Start start;
  start.position.stack_end = Load<uintptr_t>(from.java_thread, stack_base_);
  if (code_cache_.Contains(from.pc)) {
    start.position.pc = from.pc;
    start.position.sp = reinterpret_cast<const uintptr_t*>(from.sp);
    start.position.frame_pointer = from.frame_pointer;
    return start;
  }
  const auto* last_sp = Load<const uintptr_t*>(from.java_thread, anchor_ + last_sp_);
  const auto address = reinterpret_cast<uintptr_t>(last_sp);
  if (address % 8 != 0 || address < from.sp || address >= start.position.stack_end) {
    return std::nullopt;
  }
  const auto last_pc = Load<uintptr_t>(from.java_thread, anchor_ + last_pc_);
  start.position.pc = last_pc != 0 ? last_pc : last_sp[frame_layout::kCompiledReturnPc];
  start.position.sp = last_sp;
  start.position.frame_pointer = Load<uintptr_t>(from.java_thread, anchor_ + last_fp_);
  start.is_call = true;
  return start;
}

CodeLabel CodeLabeller::LabelOf(const FrameReader::Frame& frame) const {
  if (!frame.is_compiled) return {};
  const std::optional<CodeCache::Compilation> code = code_cache_.CompilationOf(frame.code);
  // A native method's wrapper has no level, or is nothing that CompilationOf knows.
  if (!code || code->level == 0) return {};
  return {.compile_id = code->compile_id, .level = code->level, .is_osr = code->is_osr};
}

bool CodeLabeller::EndsInOrder(FrameReader::Position position) const {
  for (size_t steps = 0; steps < kMaxSteps; ++steps) {
    const FrameReader::Kind kind = frames_.Next(position, {}).kind;
    if (kind == FrameReader::Kind::kEnd) return true;
    if (kind == FrameReader::Kind::kUnknown) return false;
  }
  return false;
}

size_t CodeLabeller::CountOf(const FrameReader::Frame& frame) {
  if (!frame.is_compiled) return 1;
  const CountMemo::Key key{frame.pc, static_cast<uint64_t>(frame.code.compile_id)};
  if (CountMemo::Value value; counts_->Find(key, value)) return value[0];
  std::array<DebugInfo::Scope, kMaxScopes> scopes;
  const size_t count = frames_.ScopesOf(frame, scopes);
  if (count > 0 && frame.code.compile_id != 0) counts_->Put(key, {count});
  return count;
}

// The innermost frame's methods are what the others leave, unless it is at a call.
bool CodeLabeller::LabelAll(const Start& start, std::span<RawFrame> frames) {
  FrameReader::Position position = start.position;
  size_t labelled = 0;
  const auto label = [&](CodeLabel code, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      code.is_inlined = i + 1 < count;
      frames[labelled++].code = code.Packed();
    }
  };
  std::optional<CodeLabel> innermost;  // Of whose methods one is labelled, until the others are.
  for (size_t steps = 0; steps < kMaxSteps; ++steps) {
    const FrameReader::Frame frame = frames_.Next(position, {});
    if (frame.kind == FrameReader::Kind::kEnd) break;
    if (frame.kind == FrameReader::Kind::kUnknown) return false;
    if (frame.kind == FrameReader::Kind::kJava) {
      const CodeLabel code = LabelOf(frame);
      const bool is_inexact = steps == 0 && !start.is_call && frame.is_compiled;
      if (is_inexact) innermost = code;
      const size_t count = is_inexact ? 1 : CountOf(frame);
      if (count == 0 || count > frames.size() - labelled) return false;
      label(code, count);
    }
  }
  const size_t missing = frames.size() - labelled;
  if (missing == 0) return true;
  if (!innermost) return false;
  for (size_t i = labelled; i > 1; --i) frames[i - 1 + missing].code = frames[i - 1].code;
  labelled = 0;
  label(*innermost, missing + 1);
  return true;
}

void CodeLabeller::Label(const Interrupted& from, std::span<RawFrame> frames) {
  const std::optional<Start> start = StartOf(from);
  if (start && EndsInOrder(start->position) && LabelAll(*start, frames)) return;
  for (RawFrame& frame : frames) frame.code = CodeLabel::Unknown().Packed();
  if (!start) return;
  // Stubs lie above the innermost frame at most.
  FrameReader::Position position = start->position;
  for (size_t steps = 0; steps < kMaxSteps; ++steps) {
    const FrameReader::Frame frame = frames_.Next(position, {});
    if (frame.kind == FrameReader::Kind::kNotJava) continue;
    if (frame.kind == FrameReader::Kind::kJava) frames[0].code = LabelOf(frame).Packed();
    return;
  }
}

}  // namespace yp::hotspot
