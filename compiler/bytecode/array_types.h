#ifndef YP_COMPILER_BYTECODE_ARRAY_TYPES_H_
#define YP_COMPILER_BYTECODE_ARRAY_TYPES_H_

#include <cstdint>

namespace yp::compiler {

// iaload to saload, and iastore to sastore.
constexpr bool LoadsElement(uint8_t opcode) { return opcode >= 46 && opcode <= 53; }
constexpr bool StoresElement(uint8_t opcode) { return opcode >= 79 && opcode <= 86; }
// The type of the elements by such an opcode: the first letter of its descriptor; B of boolean[],
// too.
constexpr char ElementTypeOf(uint8_t opcode) {
  return "IJFDLBCS"[opcode - (LoadsElement(opcode) ? 46 : 79)];
}
// The same by the operand of newarray, 4 to 11 (JVMS 6.5.newarray).
constexpr char PrimitiveType(uint8_t code) { return "ZCFDBSIJ"[code - 4]; }

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_ARRAY_TYPES_H_
