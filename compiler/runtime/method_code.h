#ifndef YP_COMPILER_RUNTIME_METHOD_CODE_H_
#define YP_COMPILER_RUNTIME_METHOD_CODE_H_

#include <cstddef>
#include <cstdint>

#include "compiler/bytecode/linkage.h"
#include "compiler/bytecode/method.h"
#include "compiler/install/site_writer.h"
#include "compiler/install/vm_layout.h"
#include "compiler/runtime/frame_layout.h"
#include "compiler/runtime/stubs.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// How this VM wants a method's code to be entered and left, whichever level makes it.
class MethodCode {
 public:
  MethodCode(x64::Assembler& assembler, SiteWriter& sites, const VmLayout& vm,
             const RuntimePlaces& places)
      : a_(assembler), sites_(sites), vm_(vm), places_(places) {}

  // Both entries, until the frame stands. All arguments are as the caller passed them; rax, r10 and
  // r11 are lost. Gives the offset of the entry for callers that know the method.
  size_t Enter(const Method& method, Linkage& linkage, int32_t frame_bytes);
  // Takes the frame away: the return address is on top.
  void Leave(int32_t frame_bytes);
  // Behind Leave, in a method with Method::uses_reserved_stack; the second lies elsewhere.
  void CheckReservedStack(x64::Label overflowed);
  void ReservedStackOverflow(x64::Label overflowed);
  // To the caller's handler, with the exception that is there.
  void Unwind(const FrameLayout& layout, const x64::Mem& exception);
  // Where the VM sends exceptions of callees, and what returns to code that is no longer valid.
  void HandlersOfVm();
  // Before the call of the VM's that leaves compiled code. Of all registers, r10 is lost.
  void SayWhy(Trap reason);
  // A safepoint. r10 is lost.
  void Poll(const SiteState& state);
  // The same before the return, behind Leave: there is no frame to know of, and the VM looks after
  // a result that is a reference.
  void PollAtReturn();
  // Behind the call of a Java method, in code with yieldpoints: which one that is.
  void MarkCall(uint32_t number);
  // A call as the VM links it. Arguments are in their places.
  void LinkedCall(const CallLink& call, const SiteState& state);

 private:
  void CheckClass();

  x64::Assembler& a_;
  SiteWriter& sites_;
  const VmLayout& vm_;
  const RuntimePlaces& places_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_METHOD_CODE_H_
