#ifndef YP_HOTSPOT_VMSTRUCTS_DEBUG_INFO_H_
#define YP_HOTSPOT_VMSTRUCTS_DEBUG_INFO_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/unsigned5.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Which Java code a return address in compiled code belongs to, inlined methods included: the VM's
// debug information (HotSpot's PcDesc and ScopeDesc), read without the VM's help.
//
// The compilers record it for every call. It lies beside the compilation, so that it may be read
// only while that cannot go: the compilation is that of a frame on the calling thread's stack.
// Takes no lock, allocates nothing, calls nothing of the VM.
class DebugInfo {
 public:
  struct Scope {
    const void* method = nullptr;  // The VM's Method.
    int32_t bci = 0;  // Of the bytecode being executed; -1 before a synchronized method's first.
  };

  // An error names what is missing from the tables. The encoding of numbers is the JDK's, by its
  // feature version.
  static Result<DebugInfo> Create(const VmStructs& structs, int jdk_feature_version);

  // The scopes at a call's return address, innermost first, the compiled method itself last; how
  // many were written. 0 when nothing is recorded for that very address, when `scopes` is too
  // short, and when what is recorded makes no sense: the last scope's method must be the compiled
  // one, all numbers in range.
  size_t ScopesAt(const char* nmethod, uintptr_t pc, std::span<Scope> scopes) const;

  // A method that was inlined: where in its parent it is called.
  struct InlinedMethod {
    uint32_t parent = 0;
    int32_t bci = 0;
    const void* method = nullptr;
  };
  // An instruction of a method in the tree.
  struct Position {
    uint32_t node = 0;
    int32_t bci = 0;
    auto operator<=>(const Position&) const = default;
  };
  struct InlineTree {
    std::vector<InlinedMethod> nodes;  // The compiled method first; parents before children.
    std::vector<Position> calls;       // Where a call instruction was left: ascending.
  };
  // What a compilation consists of, as far as addresses are recorded: those of calls, of polls and
  // of faults, and with -XX:+DebugNonSafepoints many more. Calls of the VM's runtime are among the
  // calls, uncommon traps are not: is_trap says whether the target of a call instruction is one. No
  // nodes when what is recorded makes no sense. Allocates; about 100 ns for each address.
  using IsTrap = std::function<bool(uintptr_t target)>;
  InlineTree TreeOf(const char* nmethod, const IsTrap& is_trap) const;

 private:
  struct RawScope {
    uint32_t sender = 0;  // 0: none.
    Scope scope;
  };
  class TreeBuilder;
  struct Tables {  // Of one compilation.
    const char* code_begin;
    const char* pcs;
    size_t pc_count;
    std::span<const uint8_t> data;
    std::span<const void* const> metadata;
    const void* method;
  };
  std::optional<Tables> TablesOf(const char* nmethod) const;
  const char* FindPcDesc(const Tables& tables, int32_t pc_offset) const;
  bool IsCall(const Tables& tables, const char* pc_desc, const IsTrap& is_trap) const;
  // Nothing when it makes no sense.
  std::optional<RawScope> ScopeAt(const Tables& tables, uint32_t offset) const;
  bool IsBciOf(const Scope& scope) const;

  explicit DebugInfo(Unsigned5 numbers) : numbers_(numbers) {}

  Unsigned5 numbers_;
  bool is_one_piece_ = false;  // All lies in the code cache (to JDK 22); else on the C heap.
  int64_t method_ = 0;
  int64_t code_begin_ = 0;  // A pointer, or an offset from the nmethod.
  // In one piece: offsets from the nmethod of the metadata, the scopes' data (a pointer), the pcs,
  // and what follows these.
  int64_t metadata_offset_ = 0, scopes_data_begin_ = 0, scopes_data_offset_ = 0;
  int64_t scopes_pcs_offset_ = 0, dependencies_offset_ = 0;
  // Else: two blocks, and offsets into the immutable one.
  int64_t mutable_data_ = 0, mutable_data_size_ = 0, relocation_size_ = 0;
  int64_t immutable_data_ = 0, immutable_data_size_ = 0;
  int64_t pc_desc_size_ = 0, pc_offset_ = 0, scope_decode_offset_ = 0, flags_ = 0;
  int64_t const_method_ = 0, code_size_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_DEBUG_INFO_H_
