#ifndef YP_COMPILER_RUNTIME_LEAF_CODE_H_
#define YP_COMPILER_RUNTIME_LEAF_CODE_H_

#include <array>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/leaf_functions.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/x64/assembler.h"
#include "compiler/x64/registers.h"

namespace yp::compiler {

// Where the arguments of the Java method are before a leaf call: integers and references in these,
// in their order, doubles from xmm0 on. Of Leaf::takes_state without the receiver, and with the
// array behind them.
inline constexpr std::array kLeafInputs = {x64::Reg::rdi, x64::Reg::rsi, x64::Reg::rdx,
                                           x64::Reg::rcx, x64::Reg::r8,  x64::Reg::r9};

// Makes the function's arguments of these and calls it as HeapCode::CallLeaf does. What it gives
// is in rax, the upper half cleared if it is an int, or in xmm0.
void EmitLeafCall(x64::Assembler& a, HeapCode& heap, const VmLayout& vm, Leaf leaf, Kind result);

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_LEAF_CODE_H_
