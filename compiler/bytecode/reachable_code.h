#ifndef YP_COMPILER_BYTECODE_REACHABLE_CODE_H_
#define YP_COMPILER_BYTECODE_REACHABLE_CODE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/bytecode/method.h"
#include "compiler/bytecode/type_flow.h"

namespace yp::compiler {

// Exceptions that compiled code hands to handlers itself come from calls and athrow; at all other
// instructions the interpreter takes over.
bool ThrowsInCompiledCode(uint8_t opcode);

// Where an instruction is a trap and nothing else: what it names is not resolved.
bool IsOnlyTrap(const Method& method, const classfile::Instruction& at, Linkage& linkage);

// Which instructions compiled code can come to, by bci: from the method's start, or from the loop
// that is entered on the stack. `ends` says of an instruction that compiled code never goes on
// behind it.
std::vector<bool> ReachableCode(const Method& method, const TypeFlow& flow,
                                const std::function<bool(const classfile::Instruction& at)>& ends);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_REACHABLE_CODE_H_
