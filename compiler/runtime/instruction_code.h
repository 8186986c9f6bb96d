#ifndef YP_COMPILER_RUNTIME_INSTRUCTION_CODE_H_
#define YP_COMPILER_RUNTIME_INSTRUCTION_CODE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compiler/x64/assembler.h"

namespace yp::compiler {

// Instructions of Java's that take several of the processor's, the same at every level. Registers
// that are not named keep their values; flags never do.

// rax divided by the divisor, which is neither in rax nor in rdx, nor 0: the quotient is in rax,
// the remainder in rdx. Where the divisor is -1, only what is wanted is there.
void Divide(x64::Assembler& a, x64::Width width, x64::Reg divisor, bool wants_remainder);

// Behind a truncation of `in` that gave the least integer, in `result`: what Java gives. Goes to
// `done`, or on. `zero` is lost.
void CorrectTruncated(x64::Assembler& a, x64::Precision precision, x64::Width width,
                      x64::Reg result, x64::Xmm in, x64::Xmm zero, x64::Label done);

// By the flags of a comparison: -1, 0 or 1 in `result`; `scratch` is lost.
void SetOrder(x64::Assembler& a, x64::Condition greater, x64::Condition less, x64::Reg result,
              x64::Reg scratch);

// Goes to the label of the value's case, or to `otherwise`. The cases are sorted.
void JumpByCases(x64::Assembler& a, x64::Reg value,
                 std::span<const std::pair<int32_t, x64::Label>> cases, x64::Label otherwise);

// Goes to the label at `index`, which is less than their number and has a cleared upper half;
// `index` and `scratch` are lost. The table lies behind the jump.
void JumpByTable(x64::Assembler& a, x64::Reg index, x64::Reg scratch,
                 const std::vector<x64::Label>& labels);

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_INSTRUCTION_CODE_H_
