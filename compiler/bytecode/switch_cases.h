#ifndef YP_COMPILER_BYTECODE_SWITCH_CASES_H_
#define YP_COMPILER_BYTECODE_SWITCH_CASES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "classfile/instructions.h"

namespace yp::compiler {

// Where a switch leads.
struct SwitchCases {
  // Match and bci, in ascending order of matches; of a tableswitch there is one for each number
  // from the first to the last.
  std::vector<std::pair<int32_t, uint32_t>> cases;
  uint32_t otherwise = 0;  // bci
};

// Of a tableswitch or lookupswitch that is well formed.
SwitchCases SwitchCasesOf(classfile::Bytes code, const classfile::Instruction& at);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_SWITCH_CASES_H_
