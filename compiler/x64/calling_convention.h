#ifndef YP_COMPILER_X64_CALLING_CONVENTION_H_
#define YP_COMPILER_X64_CALLING_CONVENTION_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "compiler/x64/registers.h"

namespace yp::x64 {

// How compiled Java methods pass arguments on Linux x86-64
// (SharedRuntime::java_calling_convention): six integers or references, and eight floating-point
// numbers, in registers, the rest in slots of eight bytes, in the order of the arguments. At a call
// the first such slot is at rsp. Every register may change in a call but rsp, r15 (the thread) and
// r12 (the heap's base).
inline constexpr std::array kIntegerArguments = {Reg::rsi, Reg::rdx, Reg::rcx,
                                                 Reg::r8,  Reg::r9,  Reg::rdi};
inline constexpr size_t kFloatArguments = 8;
inline constexpr Reg kThread = Reg::r15;
// Of what a virtual call is made of: what the callee's unverified entry compares.
inline constexpr Reg kInlineCache = Reg::rax;

// Places arguments one after the other.
class ArgumentPlaces {
 public:
  enum class Place : uint8_t { kRegister, kXmm, kStack };
  struct Argument {
    Place place;
    Reg reg;
    Xmm xmm;
    int32_t stack_offset;  // bytes from the first slot
  };

  Argument Next(bool is_floating_point) {
    if (is_floating_point && floats_ < kFloatArguments) {
      return {Place::kXmm, Reg::rax, static_cast<Xmm>(floats_++), 0};
    }
    if (!is_floating_point && integers_ < kIntegerArguments.size()) {
      return {Place::kRegister, kIntegerArguments[integers_++], Xmm::xmm0, 0};
    }
    const int32_t offset = stack_bytes_;
    stack_bytes_ += 8;
    return {Place::kStack, Reg::rax, Xmm::xmm0, offset};
  }
  // Of the arguments so far that are in no register.
  int32_t stack_bytes() const { return stack_bytes_; }

 private:
  size_t integers_ = 0;
  size_t floats_ = 0;
  int32_t stack_bytes_ = 0;
};

}  // namespace yp::x64

#endif  // YP_COMPILER_X64_CALLING_CONVENTION_H_
