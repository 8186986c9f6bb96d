#include "classfile/entry_call.h"

#include "classfile/instructions.h"

namespace yp::classfile {

ProbeCode MakeProbeCode(bool is_entry, bool in_pool, uint16_t push, uint16_t methodref) {
  ProbeCode code;
  code.size = is_entry ? kEntryCallBytes : kSiteCallBytes;
  code.bytes[0] = in_pool ? op::kLdcW : op::kSipush;
  StoreU2(&code.bytes[1], push);
  code.bytes[3] = op::kInvokestatic;
  StoreU2(&code.bytes[4], methodref);
  code.bytes[6] = op::kNop;
  code.bytes[7] = op::kNop;
  return code;
}

ProbeCode MakeArgumentCode(uint16_t methodref) {
  ProbeCode code;
  code.size = kEntryCallBytes;
  code.bytes.fill(op::kNop);
  code.bytes[0] = op::kAload1;
  code.bytes[1] = op::kInvokestatic;
  StoreU2(&code.bytes[2], methodref);
  return code;
}

std::optional<EntryCall> StartsWithEntryCall(Bytes code) {
  if (code.size() < kEntryCallBytes || (code[0] != op::kSipush && code[0] != op::kLdcW) ||
      code[3] != op::kInvokestatic || code[6] != op::kNop || code[7] != op::kNop) {
    return std::nullopt;
  }
  EntryCall call;
  call.methodref = LoadU2(&code[4]);
  const uint16_t operand = LoadU2(&code[1]);
  if (code[0] == op::kLdcW) {
    call.id_constant = operand;
  } else if (operand <= 0x7fff) {
    call.id = operand;
  } else {
    return std::nullopt;
  }
  return call;
}

}  // namespace yp::classfile
