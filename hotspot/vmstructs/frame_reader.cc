#include "hotspot/vmstructs/frame_reader.h"

#include <utility>

#include "classfile/class_file.h"
#include "hotspot/arch/arch.h"
#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

using namespace frame_layout;

// Whether the words [first, last] from `base` lie on the stack from `low` on.
bool IsOnStack(const uintptr_t* base, int first, int last, const uintptr_t* low,
               uintptr_t stack_end) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  const uintptr_t from = address + static_cast<uintptr_t>(first * 8);
  const uintptr_t to = address + static_cast<uintptr_t>(last * 8 + 8);
  return address % 8 == 0 && from <= to && from >= reinterpret_cast<uintptr_t>(low) &&
         to <= stack_end;
}

}  // namespace

Result<FrameReader> FrameReader::Create(const VmStructs& structs, const CodeCache& code_cache,
                                        int jdk_feature_version) {
  Result<DebugInfo> debug_info = DebugInfo::Create(structs, jdk_feature_version);
  if (!debug_info) return debug_info.status();
  FrameReader reader(code_cache, std::move(debug_info).value());
  FieldFinder find(structs);
  reader.interpreter_address_ = find.Address("AbstractInterpreter", "_code");
  reader.stub_buffer_ = find.Offset("StubQueue", "_stub_buffer");
  reader.buffer_limit_ = find.Offset("StubQueue", "_buffer_limit");
  reader.call_stub_return_address_ = find.Address("StubRoutines", "_call_stub_return_address");
  reader.anchor_ = find.Offset("JavaCallWrapper", "_anchor");
  reader.last_sp_ = find.Offset("JavaFrameAnchor", "_last_Java_sp");
  reader.last_pc_ = find.Offset("JavaFrameAnchor", "_last_Java_pc");
  reader.last_fp_ = find.Offset("JavaFrameAnchor", "_last_Java_fp");
  reader.orig_pc_offset_ = find.Offset("nmethod", "_orig_pc_offset");
  reader.method_ = find.NmethodOffset("_method");
  reader.const_method_ = find.Offset("Method", "_constMethod");
  reader.access_flags_ = find.Offset("Method", "_access_flags");
  reader.method_data_ = find.Offset("Method", "_method_data");
  reader.method_data_size_ = find.Offset("MethodData", "_size");
  reader.code_size_ = find.Offset("ConstMethod", "_code_size");
  reader.const_method_size_ = find.Size("ConstMethod");
  if (Status found = find.status(); !found) return found;
  return reader;
}

bool FrameReader::IsInterpreter(uintptr_t pc) const {
  const void* queue = Load<const void*>(interpreter_address_, 0);
  if (queue == nullptr) return false;
  const auto begin = Load<uintptr_t>(queue, stub_buffer_);
  return pc - begin < static_cast<uintptr_t>(Load<int32_t>(queue, buffer_limit_));
}

FrameReader::Frame FrameReader::Next(Position& position, std::span<DebugInfo::Scope> scopes) const {
  if (reinterpret_cast<uintptr_t>(position.sp) >= position.stack_end) return {};
  if (IsInterpreter(position.pc)) return Interpreted(position, scopes);
  if (position.pc == Load<uintptr_t>(call_stub_return_address_, 0)) return Entry(position);
  return Code(position, scopes);
}

bool FrameReader::FillBci(const uintptr_t* fp, DebugInfo::Scope& scope) const {
  const void* const_method = Load<const void*>(scope.method, const_method_);
  if (const_method == nullptr) return false;
  const auto code =
      reinterpret_cast<uintptr_t>(const_method) + static_cast<uintptr_t>(const_method_size_);
  if ((Load<uint16_t>(scope.method, access_flags_) & classfile::kAccNative) != 0) {
    scope.bci = -1;
    return true;
  }
  const auto size = Load<uint16_t>(const_method, code_size_);
  for (const int at : kInterpretedBcp) {
    if (fp[at] - code < size) {
      scope.bci = static_cast<int32_t>(fp[at] - code);
      return true;
    }
  }
  return false;
}

bool FrameReader::IsProfiled(const uintptr_t* fp, const void* method) const {
  const void* data = Load<const void*>(method, method_data_);
  if (data == nullptr) return false;
  return fp[kInterpretedProfile] - reinterpret_cast<uintptr_t>(data) <
         static_cast<uintptr_t>(Load<int32_t>(data, method_data_size_));
}

FrameReader::Frame FrameReader::Interpreted(Position& position,
                                            std::span<DebugInfo::Scope> scopes) const {
  const auto* fp = reinterpret_cast<const uintptr_t*>(position.frame_pointer);
  if (!IsOnStack(fp, kInterpretedBcp[1], kReturnPc, position.sp, position.stack_end)) return {};
  Frame frame;
  if (!scopes.empty()) {
    scopes[0].method = reinterpret_cast<const void*>(fp[kInterpretedMethod]);
    if (scopes[0].method == nullptr || !FillBci(fp, scopes[0])) return {};
    frame.scope_count = 1;
    frame.is_profiled = IsProfiled(fp, scopes[0].method);
  }
  frame.kind = Kind::kJava;
  const auto* sender_sp = reinterpret_cast<const uintptr_t*>(fp[kInterpretedSenderSp]);
  if (!IsOnStack(sender_sp, 0, 0, fp, position.stack_end)) sender_sp = fp + kReturnPc + 1;
  position.pc = fp[kReturnPc];
  position.frame_pointer = fp[kSavedFramePointer];
  position.sp = sender_sp;
  return frame;
}

// The frame of the stub through which the VM calls Java. What was the last Java frame before is
// what the VM remembers there.
FrameReader::Frame FrameReader::Entry(Position& position) const {
  const auto* fp = reinterpret_cast<const uintptr_t*>(position.frame_pointer);
  if (!IsOnStack(fp, kEntryCallWrapper, kReturnPc, position.sp, position.stack_end)) return {};
  const auto* wrapper = reinterpret_cast<const uintptr_t*>(fp[kEntryCallWrapper]);
  const int words = static_cast<int>((anchor_ + last_fp_) / 8);
  if (!IsOnStack(wrapper, 0, words, fp, position.stack_end)) return {};
  Frame frame;
  const auto* last_sp = Load<const uintptr_t*>(wrapper, anchor_ + last_sp_);
  if (last_sp == nullptr) {
    frame.kind = Kind::kEnd;
    return frame;
  }
  if (!IsOnStack(last_sp, -1, 0, fp, position.stack_end)) return {};
  const auto last_pc = Load<uintptr_t>(wrapper, anchor_ + last_pc_);
  position.pc = last_pc != 0 ? last_pc : last_sp[kCompiledReturnPc];
  position.frame_pointer = Load<uintptr_t>(wrapper, anchor_ + last_fp_);
  position.sp = last_sp;
  frame.kind = Kind::kNotJava;
  return frame;
}

size_t FrameReader::ScopesOf(const Frame& frame, std::span<DebugInfo::Scope> scopes) const {
  const void* method = Load<const void*>(frame.code.blob, method_);
  if (method == nullptr) return 0;
  if ((Load<uint16_t>(method, access_flags_) & classfile::kAccNative) != 0) {
    scopes[0] = {.method = method, .bci = -1};
    return 1;
  }
  return debug_info_.ScopesAt(frame.code.blob, frame.pc, scopes);
}

FrameReader::Frame FrameReader::Code(Position& position, std::span<DebugInfo::Scope> scopes) const {
  Frame frame;
  const std::optional<CodeCache::Frame> code = code_cache_.FrameAt(position.pc);
  if (!code || code->frame_words < 2 ||
      !IsOnStack(position.sp, 0, code->frame_words - 1, position.sp, position.stack_end)) {
    return frame;
  }
  frame.code = *code;
  frame.kind = Kind::kNotJava;
  if (code->is_compiled_java) {
    frame.kind = Kind::kJava;
    frame.is_compiled = true;
    frame.pc = position.pc;
    if (code->is_deopt_handler) {
      frame.is_deoptimised = true;
      const auto offset = Load<int32_t>(code->blob, orig_pc_offset_);
      if (offset < 0 || offset / 8 >= code->frame_words) return {};
      frame.pc = Load<uintptr_t>(position.sp, offset);
    }
    if (!scopes.empty()) {
      if (Load<const void*>(code->blob, method_) == nullptr) return {};
      frame.scope_count = ScopesOf(frame, scopes);
      if (frame.scope_count == 0) frame.kind = Kind::kNoDebugInfo;
    }
  }
  const uintptr_t* caller_sp = position.sp + code->frame_words;
  position.pc = caller_sp[kCompiledReturnPc];
  position.frame_pointer = caller_sp[kCompiledSavedFramePointer];
  position.sp = caller_sp;
  return frame;
}

}  // namespace yp::hotspot
