#ifndef YP_HOTSPOT_VMSTRUCTS_FRAME_READER_H_
#define YP_HOTSPOT_VMSTRUCTS_FRAME_READER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/debug_info.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// The Java frames of the calling thread, one physical frame after the other, from a call in
// compiled code outward. Read without the VM's help.
//
// Condition: the thread is in Java code (see EntryHandler), so that nothing that its frames refer
// to can go. Takes no lock, allocates nothing, calls nothing of the VM. Reads of the stack stay
// between where the walk began and `stack_end`.
class FrameReader {
 public:
  // Where a call returns to.
  struct Position {
    uintptr_t pc = 0;
    const uintptr_t* sp = nullptr;  // The stack pointer after the return.
    uintptr_t frame_pointer = 0;    // rbp of the frame, or what a compiled one left there.
    uintptr_t stack_end = 0;        // One past the highest address of the thread's stack.
  };
  enum class Kind {
    kJava,         // One method, or several of which all but the last are inlined.
    kNotJava,      // The VM's own: go on.
    kEnd,          // The first frame: called from outside Java, by no Java code.
    kNoDebugInfo,  // Compiled code at an address of which its compiler has recorded nothing.
    kUnknown,      // No frame that is known here.
  };
  struct Frame {
    Kind kind = Kind::kUnknown;
    size_t scope_count = 0;  // Of kJava.
    CodeCache::Frame code;   // Of compiled code.
    uintptr_t pc = 0;        // The address in that code: of a call that will return there.
    bool is_compiled = false;
    bool is_deoptimised = false;  // Compiled code that will not be gone on with.
    // Interpreted, with scopes: whether its calls are counted in the method's MethodData. They are
    // not while it has none, nor in a frame that is older than it.
    bool is_profiled = false;
  };

  // An error names what is missing from the tables.
  static Result<FrameReader> Create(const VmStructs& structs, const CodeCache& code_cache,
                                    int jdk_feature_version);

  // The physical frame at `position`, its methods in `scopes`, innermost first; bci -1 in native
  // methods. `position` then is that of its caller, unless the kind is kEnd or kUnknown. Without
  // room for any scope the methods are left unread: then only the stack and the code cache are, so
  // that a position that is none cannot do harm, and kJava stands for kNoDebugInfo, too.
  Frame Next(Position& position, std::span<DebugInfo::Scope> scopes) const;
  const DebugInfo& debug_info() const { return debug_info_; }
  // The methods of a frame of compiled Java as Next writes them; 0 where nothing is recorded.
  size_t ScopesOf(const Frame& frame, std::span<DebugInfo::Scope> scopes) const;

 private:
  FrameReader(const CodeCache& code_cache, DebugInfo debug_info)
      : code_cache_(code_cache), debug_info_(std::move(debug_info)) {}

  bool IsInterpreter(uintptr_t pc) const;
  Frame Interpreted(Position& position, std::span<DebugInfo::Scope> scopes) const;
  Frame Entry(Position& position) const;
  Frame Code(Position& position, std::span<DebugInfo::Scope> scopes) const;
  bool FillBci(const uintptr_t* fp, DebugInfo::Scope& scope) const;
  bool IsProfiled(const uintptr_t* fp, const void* method) const;

  const CodeCache& code_cache_;
  DebugInfo debug_info_;
  const void* interpreter_address_ = nullptr;  // Of AbstractInterpreter::_code.
  const void* call_stub_return_address_ = nullptr;
  int64_t stub_buffer_ = 0, buffer_limit_ = 0;
  int64_t anchor_ = 0;  // Within JavaCallWrapper.
  int64_t last_sp_ = 0, last_pc_ = 0, last_fp_ = 0;
  int64_t orig_pc_offset_ = 0;
  int64_t method_ = 0;  // Within nmethod.
  int64_t const_method_ = 0, code_size_ = 0, const_method_size_ = 0;
  int64_t access_flags_ = 0;
  int64_t method_data_ = 0, method_data_size_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_FRAME_READER_H_
