#ifndef YP_CLASSFILE_PROBE_CODE_H_
#define YP_CLASSFILE_PROBE_CODE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "classfile/instructions.h"

namespace yp::classfile {

// A receiver call moves this many slots of arguments at most; each takes a wide store and load.
inline constexpr uint32_t kMaxMovedSlots = 8;
// That of a receiver call, which is the longest.
inline constexpr size_t kMaxProbeBytes = 8 * kMaxMovedSlots + 7;

// Whether `id` is small enough for sipush, which needs no constant. Negative ones take a constant,
// so that an id never depends on sign extension.
inline constexpr bool FitsSipush(int32_t id) { return id >= 0 && id <= 0x7fff; }

// What pushes an id.
struct PushedId {
  bool in_pool = false;
  // The id itself, which FitsSipush, or the index of its Integer constant.
  uint16_t operand = 0;
};

// Code to insert into a method, kMaxProbeBytes at most.
struct ProbeCode {
  std::array<uint8_t, kMaxProbeBytes> bytes{};
  uint32_t size = 0;
  uint16_t stack = 1;   // What it adds to the operand stack at most.
  uint16_t locals = 0;  // Slots that it uses, from the method's max_locals on.

  void Append(std::initializer_list<uint32_t> more) {
    for (const uint32_t byte : more) bytes[size++] = static_cast<uint8_t>(byte);
  }
  // A load or store.
  void AppendMove(uint8_t opcode, uint32_t local) {
    if (local <= 0xff) {
      Append({opcode, local});
    } else {
      Append({op::kWide, opcode, local >> 8, local & 0xff});
    }
  }
  void AppendPush(PushedId id) {
    Append({id.in_pool ? op::kLdcW : op::kSipush, uint32_t{id.operand} >> 8, id.operand & 0xffu});
  }
  void AppendCall(uint16_t methodref) {
    Append({op::kInvokestatic, uint32_t{methodref} >> 8, methodref & 0xffu});
  }
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_PROBE_CODE_H_
