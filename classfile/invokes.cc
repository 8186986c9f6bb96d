#include "classfile/invokes.h"

namespace yp::classfile {

InvokeCursor::InvokeCursor(const ClassFile& file, const Method& method)
    : pool_(file.pool()), code_(method.code ? method.code->bytecode : Bytes()) {}

bool InvokeCursor::Next(Invoke& invoke) {
  for (std::optional<Instruction> at; (at = DecodeInstruction(code_, bci_));) {
    bci_ += at->length;
    if (!IsInvoke(at->opcode)) {
      continue;
    }
    const uint16_t index = LoadU2(&code_[at->bci + 1]);
    const std::optional<MemberRef> member = pool_.Member(index);
    if (!member) {
      return false;
    }
    invoke = {at->bci,       at->opcode,   pool_.Is(index, ConstantTag::kInterfaceMethodref),
              member->owner, member->name, member->descriptor};
    return true;
  }
  return false;
}

}  // namespace yp::classfile
