#ifndef YP_COMPILER_BACKEND_CONSTRAINTS_H_
#define YP_COMPILER_BACKEND_CONSTRAINTS_H_

#include <cstdint>
#include <vector>

#include "base/small_vector.h"
#include "compiler/install/vm_layout.h"
#include "compiler/ir/graph.h"
#include "compiler/x64/registers.h"

namespace yp::compiler {

using x64::kFirstXmm;
using x64::kRegisters;
using x64::NumberOf;
using x64::RegisterNumber;
using x64::RegisterSet;
using x64::SetOf;
inline constexpr RegisterNumber kNoRegister = -1;

// Those that values are allocated to. r10, r11 and xmm15 are for moves and for what a node computes
// in between; rsp, rbp, r12 (the heap's base) and r15 (the thread) are the VM's.
inline constexpr RegisterSet kAllocatable = 0x7fff'0000u | 0b0110'0011'1100'1111u;

// Where a node wants an input. Early: it is read before anything else is written but fixed
// registers of other inputs. Late: it must stay where it is until the result is written.
struct InputConstraint {
  enum class How : uint8_t {
    kNowhere,   // a constant that is part of the instruction
    kAnywhere,  // a register, a slot, or a constant
    kRegister,
  };
  How how = How::kRegister;
  bool is_late = false;
  RegisterNumber fixed = kNoRegister;  // It is moved there before the node; `how` is kAnywhere.
};

struct Constraints {
  SmallVector<InputConstraint, 5> in;
  RegisterSet clobbers = 0;  // What the node changes between reading early inputs and its result.
  RegisterNumber result = kNoRegister;  // Where the result comes to be at first.
  // The VM looks at the frame there: all that is live must be known to it.
  bool is_site = false;
  // It calls out of line only, and seldom: what lives there keeps its registers, and is saved
  // around that call.
  bool saves = false;
};

Constraints ConstraintsOf(const ir::Node& node, const VmLayout& vm);

// Of a node that allocates: whether the VM is called only where the thread's buffer has no room.
bool AllocatesInLine(const ir::Node& node, const VmLayout& vm);

// Whether the value is an immediate of 32 bits.
bool IsImmediate(const ir::Node* node);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_CONSTRAINTS_H_
