#ifndef YP_COMPILER_X64_REGISTERS_H_
#define YP_COMPILER_X64_REGISTERS_H_

#include <cstdint>

namespace yp::x64 {

// Numbers as the instructions encode them.
enum class Reg : uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
};

enum class Xmm : uint8_t {
  xmm0,
  xmm1,
  xmm2,
  xmm3,
  xmm4,
  xmm5,
  xmm6,
  xmm7,
  xmm8,
  xmm9,
  xmm10,
  xmm11,
  xmm12,
  xmm13,
  xmm14,
  xmm15,
};

// Registers of both classes by one number: those of Reg, then those of Xmm.
using RegisterNumber = int8_t;
inline constexpr RegisterNumber kFirstXmm = 16, kRegisters = 32;
constexpr RegisterNumber NumberOf(Reg reg) { return static_cast<RegisterNumber>(reg); }
constexpr RegisterNumber NumberOf(Xmm reg) {
  return static_cast<RegisterNumber>(kFirstXmm + static_cast<int>(reg));
}

// A bit each, by number.
using RegisterSet = uint32_t;
constexpr RegisterSet SetOf(RegisterNumber reg) { return RegisterSet{1} << reg; }
constexpr RegisterSet SetOf(auto... regs) { return (RegisterSet{0} | ... | SetOf(NumberOf(regs))); }

}  // namespace yp::x64

#endif  // YP_COMPILER_X64_REGISTERS_H_
