#ifndef YP_CLASSFILE_ENTRY_CALL_H_
#define YP_CLASSFILE_ENTRY_CALL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "classfile/bytes.h"

namespace yp::classfile {

// The code that a probe adds to a method:
//   entry call   sipush id | ldc_w #Integer(id); invokestatic; nop; nop
//   site call    sipush id | ldc_w #Integer(id); invokestatic
//   argument call  aload_1; invokestatic; nop; nop; nop; nop
//   receiver call  the arguments into locals of their own; dup; sipush id | ldc_w #Integer(id);
//                  invokestatic; the arguments back; nops up to kMinReceiverCallBytes
// The nops make those at the entry a multiple of 4, so that no switch behind it changes its
// padding.
inline constexpr uint32_t kSiteCallBytes = 6;
inline constexpr uint32_t kEntryCallBytes = 8;

// A receiver call moves this many slots of arguments at most; each takes a wide store and load.
inline constexpr uint32_t kMaxMovedSlots = 8;
// 4 more than a site call: a method in which one takes the place of the other grows, whatever
// becomes of its switches' padding. Versions of a method are told apart by their size.
inline constexpr uint32_t kMinReceiverCallBytes = kSiteCallBytes + 4;
inline constexpr size_t kMaxProbeBytes = 8 * kMaxMovedSlots + 1 + kSiteCallBytes;

struct ProbeCode {
  std::array<uint8_t, kMaxProbeBytes> bytes{};
  uint32_t size = 0;
  uint16_t stack = 1;   // What it adds to the operand stack at most.
  uint16_t locals = 0;  // Slots that it uses, from the method's max_locals on.
};

// Whether `id` is small enough for sipush, which needs no constant. Negative ones take a constant,
// so that an id never depends on sign extension.
inline constexpr bool FitsSipush(int32_t id) { return id >= 0 && id <= 0x7fff; }

// `push` is the operand: the id when FitsSipush, else the index of the Integer constant.
ProbeCode MakeProbeCode(bool is_entry, bool in_pool, uint16_t push, uint16_t methodref);

ProbeCode MakeArgumentCode(uint16_t methodref);

// In front of a virtual call with that descriptor, with its receiver: for a method with the
// descriptor (Ljava/lang/Object;I)V. None when the arguments take more than kMaxMovedSlots, or
// would have no locals. `push` as in MakeProbeCode.
std::optional<ProbeCode> MakeReceiverCode(std::string_view descriptor, uint16_t max_locals,
                                          bool in_pool, uint16_t push, uint16_t methodref);

// The entry call at the start of live bytecode.
struct EntryCall {
  // The id; none when it is a constant, whose index is then `id_constant`.
  std::optional<int32_t> id;
  uint16_t id_constant = 0;
  // The constant of the called method.
  uint16_t methodref = 0;
};

// Recognises an entry call in what JVMTI's GetBytecodes returns for a method. The constant-pool
// indices are those of GetConstantPool; a caller that must be sure follows `methodref` there.
std::optional<EntryCall> StartsWithEntryCall(Bytes code);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_ENTRY_CALL_H_
