#include "classfile/instructions.h"

#include <array>

namespace yp::classfile {
namespace {

constexpr uint8_t kVariable = 0xff;
constexpr uint8_t kInvalid = 0;

constexpr void Fill(std::array<uint8_t, 256>& lengths, uint8_t first, uint8_t last,
                    uint8_t length) {
  for (int i = first; i <= last; ++i) {
    lengths[static_cast<size_t>(i)] = length;
  }
}

// JVMS 6.5, in the order of the opcodes.
constexpr std::array<uint8_t, 256> MakeLengths() {
  std::array<uint8_t, 256> lengths{};
  Fill(lengths, 0, 15, 1);     // nop .. dconst_1
  Fill(lengths, 16, 16, 2);    // bipush
  Fill(lengths, 17, 17, 3);    // sipush
  Fill(lengths, 18, 18, 2);    // ldc
  Fill(lengths, 19, 20, 3);    // ldc_w, ldc2_w
  Fill(lengths, 21, 25, 2);    // iload .. aload
  Fill(lengths, 26, 53, 1);    // iload_0 .. saload
  Fill(lengths, 54, 58, 2);    // istore .. astore
  Fill(lengths, 59, 131, 1);   // istore_0 .. lxor
  Fill(lengths, 132, 132, 3);  // iinc
  Fill(lengths, 133, 152, 1);  // i2l .. dcmpg
  Fill(lengths, 153, 168, 3);  // ifeq .. jsr
  Fill(lengths, 169, 169, 2);  // ret
  Fill(lengths, 170, 171, kVariable);
  Fill(lengths, 172, 177, 1);  // ireturn .. return
  Fill(lengths, 178, 184, 3);  // getstatic .. invokestatic
  Fill(lengths, 185, 186, 5);  // invokeinterface, invokedynamic
  Fill(lengths, 187, 187, 3);  // new
  Fill(lengths, 188, 188, 2);  // newarray
  Fill(lengths, 189, 189, 3);  // anewarray
  Fill(lengths, 190, 191, 1);  // arraylength, athrow
  Fill(lengths, 192, 193, 3);  // checkcast, instanceof
  Fill(lengths, 194, 195, 1);  // monitorenter, monitorexit
  Fill(lengths, 196, 196, kVariable);
  Fill(lengths, 197, 197, 4);  // multianewarray
  Fill(lengths, 198, 199, 3);  // ifnull, ifnonnull
  Fill(lengths, 200, 201, 5);  // goto_w, jsr_w
  return lengths;
}

constexpr std::array<uint8_t, 256> kLengths = MakeLengths();

// 0 when malformed. `rest` starts with the opcode.
uint64_t SwitchLength(Bytes rest, uint32_t bci) {
  const size_t operands = 1 + SwitchPadding(bci);
  const size_t header = rest[0] == op::kTableswitch ? 12 : 8;
  if (rest.size() < operands + header) {
    return 0;
  }
  if (rest[0] == op::kTableswitch) {
    const auto low = static_cast<int32_t>(LoadU4(&rest[operands + 4]));
    const auto high = static_cast<int32_t>(LoadU4(&rest[operands + 8]));
    return low > high ? 0 : operands + header + 4 * static_cast<uint64_t>(int64_t{high} - low + 1);
  }
  const auto pairs = static_cast<int32_t>(LoadU4(&rest[operands + 4]));
  return pairs < 0 ? 0 : operands + header + 8 * static_cast<uint64_t>(pairs);
}

// JVMS 6.5.wide: iinc has two operands of two bytes, the loads, stores and ret have one.
uint64_t WideLength(Bytes rest) {
  if (rest.size() < 2) {
    return 0;
  }
  const uint8_t opcode = rest[1];
  if (opcode == op::kIinc) {
    return 6;
  }
  const bool has_local = (opcode >= 21 && opcode <= 25) || (opcode >= 54 && opcode <= 58);
  return has_local || opcode == op::kRet ? 4 : 0;
}

}  // namespace

std::optional<Instruction> DecodeInstruction(Bytes code, uint32_t bci) {
  if (bci >= code.size()) {
    return std::nullopt;
  }
  const Bytes rest = code.subspan(bci);
  uint64_t length = kLengths[rest[0]];
  if (length == kVariable) {
    length = rest[0] == op::kWide ? WideLength(rest) : SwitchLength(rest, bci);
  }
  if (length == kInvalid || length > rest.size()) {
    return std::nullopt;
  }
  return Instruction{bci, static_cast<uint32_t>(length), rest[0]};
}

}  // namespace yp::classfile
