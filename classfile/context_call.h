#ifndef YP_CLASSFILE_CONTEXT_CALL_H_
#define YP_CLASSFILE_CONTEXT_CALL_H_

#include <cstdint>

#include "classfile/probe_code.h"

namespace yp::classfile {

// The code that keeps the number of a method's calling context in a local of its own:
//   enter   sipush id | ldc_w #Integer(id); invokestatic (I)I; istore local; nops up to a multiple
//           of 4, so that no switch behind it changes its padding
//   site    iload local; sipush site | ldc_w #Integer(site); invokestatic (II)V
//   leave   iload local; invokestatic (I)V
// `local` is the method's max_locals and less than 65535; beyond 255 its instructions are wide.
ProbeCode MakeEnterContextCode(PushedId id, uint16_t local, uint16_t methodref);
ProbeCode MakeSiteContextCode(PushedId site, uint16_t local, uint16_t methodref);
ProbeCode MakeLeaveContextCode(uint16_t local, uint16_t methodref);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CONTEXT_CALL_H_
