#include "classfile/trivial.h"

#include "classfile/instructions.h"

namespace yp::classfile {
namespace {

bool LoadsDynamicConstant(const ConstantPool& pool, Bytes instruction) {
  const uint16_t index = instruction[0] == op::kLdc ? instruction[1] : LoadU2(&instruction[1]);
  return pool.Is(index, ConstantTag::kDynamic);
}

bool CallsObjectConstructor(const ConstantPool& pool, Bytes instruction) {
  const std::optional<MemberRef> callee = pool.Member(LoadU2(&instruction[1]));
  return callee && callee->owner == "java/lang/Object" && callee->name == "<init>";
}

bool IsTrivialInstruction(const ClassFile& file, const Method& method, Bytes instruction) {
  const uint8_t opcode = instruction[0];
  if (opcode >= op::kLdc && opcode <= op::kLdc2W) {
    return !LoadsDynamicConstant(file.pool(), instruction);
  }
  if (opcode == op::kInvokespecial) {
    return method.name == "<init>" && CallsObjectConstructor(file.pool(), instruction);
  }
  return opcode < op::kIfeq || (opcode >= op::kIreturn && opcode <= op::kPutfield) ||
         opcode == op::kArraylength || opcode == op::kCheckcast || opcode == op::kInstanceof ||
         opcode == op::kWide;
}

}  // namespace

bool IsTrivial(const ClassFile& file, const Method& method) {
  if (!method.code || (method.access_flags & kAccSynchronized) != 0 ||
      method.code->bytecode.size() > kMaxTrivialCodeBytes ||
      !method.code->exception_table.empty()) {
    return false;
  }
  const Bytes code = method.code->bytecode;
  for (uint32_t bci = 0; bci < code.size();) {
    const std::optional<Instruction> at = DecodeInstruction(code, bci);
    if (!at || !IsTrivialInstruction(file, method, code.subspan(bci))) {
      return false;
    }
    // `wide ret` is the one wide instruction that jumps.
    if (at->opcode == op::kWide && code[bci + 1] == op::kRet) {
      return false;
    }
    bci += at->length;
  }
  return true;
}

}  // namespace yp::classfile
