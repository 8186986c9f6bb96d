#include "classfile/entry_call.h"

#include <array>

#include "classfile/instructions.h"

namespace yp::classfile {

namespace {

// Stores and loads of a slot's type follow each other in this order, from istore and iload on.
enum class Slot : uint8_t { kInt, kLong, kFloat, kDouble, kReference };

struct Argument {
  Slot type = Slot::kInt;
  uint32_t slot = 0;  // Its first one.
};
struct Arguments {
  std::array<Argument, kMaxMovedSlots> all{};
  uint32_t count = 0;
  uint32_t slots = 0;  // That all of them take.
};

// JVMS 4.3.3; the descriptor is well-formed. None when they take more than kMaxMovedSlots.
std::optional<Arguments> ArgumentsOf(std::string_view descriptor) {
  Arguments arguments;
  for (size_t i = 1; i < descriptor.size() && descriptor[i] != ')'; ++i) {
    Slot type = Slot::kInt;
    switch (descriptor[i]) {
      case 'J':
        type = Slot::kLong;
        break;
      case 'F':
        type = Slot::kFloat;
        break;
      case 'D':
        type = Slot::kDouble;
        break;
      case '[':
      case 'L':
        type = Slot::kReference;
        while (i < descriptor.size() && descriptor[i] == '[') ++i;
        if (i < descriptor.size() && descriptor[i] == 'L') i = descriptor.find(';', i);
        if (i == std::string_view::npos) return std::nullopt;
        break;
      default:
        break;
    }
    const uint32_t needed = type == Slot::kLong || type == Slot::kDouble ? 2 : 1;
    if (arguments.slots + needed > kMaxMovedSlots) return std::nullopt;
    arguments.all[arguments.count++] = {type, arguments.slots};
    arguments.slots += needed;
  }
  return arguments;
}

}  // namespace

ProbeCode MakeProbeCode(bool is_entry, PushedId id, uint16_t methodref) {
  ProbeCode code;
  code.AppendPush(id);
  code.AppendCall(methodref);
  if (is_entry) code.Append({op::kNop, op::kNop});
  return code;
}

ProbeCode MakeArgumentCode(uint16_t methodref) {
  ProbeCode code;
  code.Append({op::kAload1});
  code.AppendCall(methodref);
  while (code.size < kEntryCallBytes) code.Append({op::kNop});
  return code;
}

std::optional<ProbeCode> MakeReceiverCode(std::string_view descriptor, uint16_t max_locals,
                                          PushedId id, uint16_t methodref) {
  const std::optional<Arguments> arguments = ArgumentsOf(descriptor);
  if (!arguments || max_locals + arguments->slots > 0xffff) return std::nullopt;
  ProbeCode code;
  code.stack = 2;
  code.locals = static_cast<uint16_t>(arguments->slots);
  const auto move = [&](uint8_t first_opcode, uint32_t i) {
    const auto& [type, slot] = arguments->all[i];
    code.AppendMove(static_cast<uint8_t>(first_opcode + static_cast<uint8_t>(type)),
                    max_locals + slot);
  };
  for (uint32_t i = arguments->count; i-- > 0;) move(op::kIstore, i);
  code.Append({op::kDup});
  code.AppendPush(id);
  code.AppendCall(methodref);
  for (uint32_t i = 0; i < arguments->count; ++i) move(op::kIload, i);
  while (code.size < kMinReceiverCallBytes) code.Append({op::kNop});
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
