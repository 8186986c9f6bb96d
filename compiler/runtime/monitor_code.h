#ifndef YP_COMPILER_RUNTIME_MONITOR_CODE_H_
#define YP_COMPILER_RUNTIME_MONITOR_CODE_H_

#include "compiler/install/vm_layout.h"
#include "compiler/runtime/stubs.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// A monitor that no other thread wants, entered or left without the VM, as it does it itself
// (VmLayout::monitors). `stub` is kMonitorEnter or kMonitorExit. The object, not null, is in rsi,
// the address of its BasicLock in rdx: both keep their values. rax, rcx and r10 are lost. Where the
// VM is needed, the code goes to `slow` with nothing done; then the stub does it.
//
// Entering is an acquire and leaving is a release: nothing moves across either of them.
void ChangeMonitor(x64::Assembler& a, const VmLayout& vm, Stub stub, x64::Label slow);

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_MONITOR_CODE_H_
