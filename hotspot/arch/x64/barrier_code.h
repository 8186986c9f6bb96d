#ifndef YP_HOTSPOT_ARCH_X64_BARRIER_CODE_H_
#define YP_HOTSPOT_ARCH_X64_BARRIER_CODE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/status.h"

namespace yp::hotspot {

// HotSpot's entry barrier on x86-64, in the forms that JDK 17 and 25 make: every compiled method,
// its frame built, compares a word of its thread with a guard in its own code, and calls a stub
// when they differ (nmethod entry barrier).
//
//   25, C1 and native methods   17                       25, C2
//   cmp [r15+dd], guard         cmp [r15+dd], guard      cmp [r15+dd], guard
//   je +5                       je +5 (of six bytes)     jne S
//   call stub                   call stub                ...
//   ...                         ...                      S: call stub; jmp back behind the jne
//
// Everything else is refused.
inline constexpr size_t kCompareBytes = 8;  // 41 81 7f dd guard(4): cmp dword [r15+dd], guard
// Of the compare's bytes as a word, the lower half.
constexpr uint32_t CompareOpcode(uint8_t displacement) {
  return 0x7f8141u | static_cast<uint32_t>(displacement) << 24;
}
// A guard is a small number; this bit the VM adds to that of a method that must not be entered.
inline constexpr uint32_t kNotEntrantGuard = 0x80000000u;

struct EntryBarrier {
  size_t compare = 0;        // Where the compare begins, in the code that was given.
  uint8_t displacement = 0;  // Of the word in the thread, below 128.
  uint32_t guard = 0;
  uintptr_t stub = 0;  // What is called.
};
// Looks for the compare in the first 64 bytes of a compiled method's code, which lies at that
// address; nothing where there is none, or one in no known form.
std::optional<EntryBarrier> FindEntryBarrier(uintptr_t address, std::span<const uint8_t> code);

// The compare of the method whose barrier returns to that address; 0 when the code is in no known
// form. The memory around must be compiled code.
uintptr_t CompareOfReturn(uintptr_t return_pc, uint8_t displacement);

// How far above the stack pointer the method's return address lies at its compare, in bytes, the
// saved rbp right below it; nothing when the prologue is in no known form. `prologue` ends where
// the compare begins.
std::optional<size_t> FrameBytes(std::span<const uint8_t> prologue);
// As many bytes before a compare hold all that FrameBytes looks at.
inline constexpr size_t kPrologueBytes = 40;

// The stub's beginning, where one aligned word is exchanged.
inline constexpr size_t kStubHeadBytes = 5;  // 68 ff ff ff ff: push -1
// An error says what is not as it should be.
Status CheckStub(uintptr_t address, std::span<const uint8_t> code);
// The eight bytes there with a jump to `target` in place of the first instruction; nothing when
// that is too far.
std::optional<uint64_t> StubWithJump(uintptr_t stub, uint64_t word, uintptr_t target);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_BARRIER_CODE_H_
