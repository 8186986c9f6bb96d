#ifndef YP_CLASSFILE_INSTRUCTIONS_H_
#define YP_CLASSFILE_INSTRUCTIONS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "classfile/bytes.h"

namespace yp::classfile {

// The opcodes that the folder names; the full set is JVMS 6.5. Plain constants, because most code
// compares them with raw bytes.
namespace op {
inline constexpr uint8_t kNop = 0;
inline constexpr uint8_t kSipush = 17;
inline constexpr uint8_t kLdc = 18;
inline constexpr uint8_t kLdcW = 19;
inline constexpr uint8_t kLdc2W = 20;
inline constexpr uint8_t kIload = 21;
inline constexpr uint8_t kAload1 = 43;
inline constexpr uint8_t kIstore = 54;
inline constexpr uint8_t kDup = 89;
inline constexpr uint8_t kIinc = 132;
inline constexpr uint8_t kIfeq = 153;
inline constexpr uint8_t kGoto = 167;
inline constexpr uint8_t kJsr = 168;
inline constexpr uint8_t kRet = 169;
inline constexpr uint8_t kTableswitch = 170;
inline constexpr uint8_t kLookupswitch = 171;
inline constexpr uint8_t kIreturn = 172;
inline constexpr uint8_t kReturn = 177;
inline constexpr uint8_t kGetstatic = 178;
inline constexpr uint8_t kPutstatic = 179;
inline constexpr uint8_t kGetfield = 180;
inline constexpr uint8_t kPutfield = 181;
inline constexpr uint8_t kInvokevirtual = 182;
inline constexpr uint8_t kInvokespecial = 183;
inline constexpr uint8_t kInvokestatic = 184;
inline constexpr uint8_t kInvokeinterface = 185;
inline constexpr uint8_t kInvokedynamic = 186;
inline constexpr uint8_t kNew = 187;
inline constexpr uint8_t kAnewarray = 189;
inline constexpr uint8_t kArraylength = 190;
inline constexpr uint8_t kAthrow = 191;
inline constexpr uint8_t kCheckcast = 192;
inline constexpr uint8_t kInstanceof = 193;
inline constexpr uint8_t kWide = 196;
inline constexpr uint8_t kMultianewarray = 197;
inline constexpr uint8_t kIfnull = 198;
inline constexpr uint8_t kIfnonnull = 199;
inline constexpr uint8_t kGotoW = 200;
inline constexpr uint8_t kJsrW = 201;
}  // namespace op

inline constexpr bool IsInvoke(uint8_t opcode) {
  return opcode >= op::kInvokevirtual && opcode <= op::kInvokedynamic;
}
inline constexpr bool IsReturn(uint8_t opcode) {
  return opcode >= op::kIreturn && opcode <= op::kReturn;
}
inline constexpr bool IsSwitch(uint8_t opcode) {
  return opcode == op::kTableswitch || opcode == op::kLookupswitch;
}

// One instruction. `bci` is the bytecode index of its opcode (of `wide` for wide instructions).
struct Instruction {
  uint32_t bci = 0;
  uint32_t length = 0;
  uint8_t opcode = 0;
};

// Zero bytes between a switch's opcode at `bci` and its first operand, which is aligned to 4 from
// the start of the code.
inline constexpr uint32_t SwitchPadding(uint32_t bci) { return 3 - bci % 4; }

// The instruction at `bci`; nullopt when it is cut off or malformed, or `bci` is not in the code.
std::optional<Instruction> DecodeInstruction(Bytes code, uint32_t bci);

// The jumps of one instruction: where its offset operands are, and to which bci they lead.
// `visit(uint32_t position, bool wide, int64_t target)`: `position` is that of the operand in the
// code, which has 4 bytes when `wide`, else 2. Stops and returns false when `visit` returns false.
template <typename Visitor>
bool VisitJumps(Bytes code, const Instruction& at, Visitor&& visit) {
  const auto narrow = [&](uint32_t position) {
    return visit(position, false, int64_t{at.bci} + static_cast<int16_t>(LoadU2(&code[position])));
  };
  const auto wide = [&](uint32_t position) {
    return visit(position, true, int64_t{at.bci} + static_cast<int32_t>(LoadU4(&code[position])));
  };
  if ((at.opcode >= op::kIfeq && at.opcode <= op::kJsr) || at.opcode == op::kIfnull ||
      at.opcode == op::kIfnonnull) {
    return narrow(at.bci + 1);
  }
  if (at.opcode == op::kGotoW || at.opcode == op::kJsrW) {
    return wide(at.bci + 1);
  }
  if (!IsSwitch(at.opcode)) {
    return true;
  }
  const uint32_t operands = at.bci + 1 + SwitchPadding(at.bci);
  if (!wide(operands)) {
    return false;
  }
  const bool table = at.opcode == op::kTableswitch;
  const uint32_t stride = table ? 4 : 8;
  // A lookupswitch has pairs of (match, offset), so its first offset is four bytes further on.
  for (uint32_t p = operands + 12; p < at.bci + at.length; p += stride) {
    if (!wide(p)) {
      return false;
    }
  }
  return true;
}

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_INSTRUCTIONS_H_
