#ifndef YP_CLASSFILE_ENTRY_CALL_H_
#define YP_CLASSFILE_ENTRY_CALL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "classfile/bytes.h"
#include "classfile/probe_code.h"

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

// 4 more than a site call: a method in which one takes the place of the other grows, whatever
// becomes of its switches' padding. Versions of a method are told apart by their size.
inline constexpr uint32_t kMinReceiverCallBytes = kSiteCallBytes + 4;

ProbeCode MakeProbeCode(bool is_entry, PushedId id, uint16_t methodref);

ProbeCode MakeArgumentCode(uint16_t methodref);

// In front of a virtual call with that descriptor, with its receiver: for a method with the
// descriptor (Ljava/lang/Object;I)V. None when the arguments take more than kMaxMovedSlots, or
// would have no locals.
std::optional<ProbeCode> MakeReceiverCode(std::string_view descriptor, uint16_t max_locals,
                                          PushedId id, uint16_t methodref);

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
