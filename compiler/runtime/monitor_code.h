#ifndef YP_COMPILER_RUNTIME_MONITOR_CODE_H_
#define YP_COMPILER_RUNTIME_MONITOR_CODE_H_

#include "compiler/install/vm_layout.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// Monitors that no other thread wants, entered and left without the VM, as it does it itself
// (VmLayout::monitors). The object, not null, is in rsi, the address of its BasicLock in rdx: both
// keep their values. rax, rcx and r10 are lost. Where the VM is needed, the code goes to `slow`
// with nothing done; then Stub::kMonitorEnter or kMonitorExit does it.
//
// Entering is an acquire and leaving is a release: nothing moves across either of them.
void EnterMonitor(x64::Assembler& a, const VmLayout& vm, x64::Label slow);
void ExitMonitor(x64::Assembler& a, const VmLayout& vm, x64::Label slow);

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_MONITOR_CODE_H_
