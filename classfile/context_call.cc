#include "classfile/context_call.h"

namespace yp::classfile {

ProbeCode MakeEnterContextCode(PushedId id, uint16_t local, uint16_t methodref) {
  ProbeCode code;
  code.locals = 1;
  code.AppendPush(id);
  code.AppendCall(methodref);
  code.AppendMove(op::kIstore, local);
  while (code.size % 4 != 0) code.Append({op::kNop});
  return code;
}

ProbeCode MakeSiteContextCode(PushedId site, uint16_t local, uint16_t methodref) {
  ProbeCode code;
  code.stack = 2;
  code.locals = 1;
  code.AppendMove(op::kIload, local);
  code.AppendPush(site);
  code.AppendCall(methodref);
  return code;
}

ProbeCode MakeLeaveContextCode(uint16_t local, uint16_t methodref) {
  ProbeCode code;
  code.locals = 1;
  code.AppendMove(op::kIload, local);
  code.AppendCall(methodref);
  return code;
}

}  // namespace yp::classfile
