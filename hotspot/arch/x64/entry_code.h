#ifndef YP_HOTSPOT_ARCH_X64_ENTRY_CODE_H_
#define YP_HOTSPOT_ARCH_X64_ENTRY_CODE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace yp::hotspot {

// The first instruction of a compiled method on x86-64, and how it is exchanged for a jump: code
// patching as in Suganuma et al. (Arnold and Grove 2005, section 3.2), at the place where HotSpot
// itself patches, the verified entry.
//
// HotSpot begins every method with one instruction of seven bytes, so that it can put a jump there
// while threads run through it: the stack bang `mov [rsp-disp32], eax` (89 84 24) or, in methods
// that need none, `sub rsp, imm32` (48 81 ec). Neither depends on where it stands. Everything else
// is refused.
inline constexpr size_t kEntryBytes = 7;
inline constexpr size_t kPatchBytes = 8;  // What is exchanged at once: one aligned word.

using EntryWord = uint64_t;  // The kPatchBytes at the entry, as they lie in memory.

// Whether an entry at that address that holds that word can be patched.
bool IsPatchable(uintptr_t entry, EntryWord word);
// The word with a jump to `target` in place of its first five bytes; nothing when that is too far.
std::optional<EntryWord> WithJump(uintptr_t entry, EntryWord word, uintptr_t target);

// Reads, or exchanges, the word at an entry as one; true when `expected` was there. The memory must
// be mapped, for Exchange writable.
EntryWord ReadEntry(uintptr_t entry);
bool ExchangeEntry(uintptr_t entry, EntryWord expected, EntryWord desired);

// A trampoline: counts a call down in the calling thread's word, or in one of its own, and goes on
// in the method. It lies in one cache line.
//
//   sub qword fs:[countdown], steps ; changes no register; flags are dead at an entry
//   jle slow
//   <the entry's instruction>
//   jmp entry + 7
// slow:
//   push number                     ; the trampoline's, for the slow path
//   call slow_path                  ; keeps every register
//   lea rsp, [rsp + 8]
//   jmp <the entry's instruction>
//
// With a word of its own, which all threads count down without a lock, it begins with
//
//   push rax
//   mov rax, word
//   sub qword [rax], 1
//   pop rax
inline constexpr size_t kTrampolineBytes = 64;

struct TrampolineSpec {
  uintptr_t address = 0;         // Where it will lie.
  uintptr_t entry = 0;           // The method's, patchable.
  EntryWord entry_word = 0;      // What was there.
  int32_t countdown_offset = 0;  // Of the thread's word, from the thread pointer (fs).
  uint32_t steps = 1;            // That a call counts down there; below 2^31.
  uintptr_t word = 0;            // Its own, in place of the thread's; 0: none.
  uint32_t number = 0;           // The same.
  uintptr_t slow_path = 0;
};
// Nothing when a jump would be too far.
std::optional<std::array<uint8_t, kTrampolineBytes>> MakeTrampoline(const TrampolineSpec& spec);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_ENTRY_CODE_H_
