#ifndef YP_COMPILER_RUNTIME_CODE_TARGETS_H_
#define YP_COMPILER_RUNTIME_CODE_TARGETS_H_

#include <cstdint>

namespace yp::compiler {

// What calls by caller-indexed code targets need to know; see compiler/ctb.
//
// The words of a class's dispatch slot, which lies `slot` bytes behind the Klass, begin at
//   shadow + ((narrow class << klass shift) + slot) * 2^words_log2
// First come as many code targets as are inlined, then the address of the array of the others. A
// word that nothing has been written to is 0.
struct CodeTargetPlaces {
  uint64_t shadow = 0;
  uint8_t words_log2 = 0;  // Words of eight bytes for each slot of eight bytes.
  uint32_t inlined = 0;
  // Called in place of a code target that is not known yet: it finds it, and goes on there.
  uint64_t profiling_stub = 0;
  // Where a direct call goes once: void (uint32_t number, uint8_t* jump), in C's calling convention
  // on the thread, as YieldpointTargets has it. It makes kTakenJump at `jump` kPassedJump.
  uint64_t first_direct_call = 0;
};

// jmp rel32, and test eax, imm32, which is as long and changes flags only: one is made the other
// by one byte.
inline constexpr uint8_t kTakenJump = 0xe9;
inline constexpr uint8_t kPassedJump = 0xa9;

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_CODE_TARGETS_H_
