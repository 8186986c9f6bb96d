#include "compiler/bytecode/switch_cases.h"

#include "classfile/bytes.h"

namespace yp::compiler {

SwitchCases SwitchCasesOf(classfile::Bytes code, const classfile::Instruction& at) {
  const uint32_t operands = at.bci + 1 + classfile::SwitchPadding(at.bci);
  const auto number = [&](uint32_t position) {
    return static_cast<int32_t>(classfile::LoadU4(&code[position]));
  };
  const auto target = [&](uint32_t position) {
    return static_cast<uint32_t>(static_cast<int64_t>(at.bci) + number(position));
  };
  SwitchCases found;
  found.otherwise = target(operands);
  const auto first = static_cast<uint32_t>(number(operands + 4));  // Of a lookupswitch: how many.
  if (at.opcode == classfile::op::kLookupswitch) {
    for (uint32_t i = 0; i < first; ++i) {
      found.cases.emplace_back(number(operands + 8 + 8 * i), target(operands + 12 + 8 * i));
    }
    return found;
  }
  const uint32_t count = static_cast<uint32_t>(number(operands + 8)) - first + 1;
  for (uint32_t i = 0; i < count; ++i) {
    found.cases.emplace_back(static_cast<int32_t>(first + i), target(operands + 12 + 4 * i));
  }
  return found;
}

}  // namespace yp::compiler
