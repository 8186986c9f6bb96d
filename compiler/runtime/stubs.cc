#include "compiler/runtime/stubs.h"

#include "compiler/install/site_writer.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {
namespace {

uint64_t FunctionOf(Stub stub, const VmLayout& vm) {
  switch (stub) {
    case Stub::kNewInstance:
      return vm.new_instance;
    case Stub::kNewArray:
      return vm.new_array;
    case Stub::kNewMultiArray:
      return vm.new_multi_array;
    case Stub::kMonitorEnter:
      return vm.monitor_enter;
    case Stub::kMonitorExit:
      return vm.monitor_exit;
    case Stub::kRegisterFinalizer:
      return vm.register_finalizer;
    case Stub::kException:
      return vm.exception_handler_for_pc;
  }
  return 0;
}

}  // namespace

const char* NameOf(Stub stub) {
  constexpr std::array<const char*, kStubs> kNames = {
      "new_instance", "new_array",          "new_multi_array", "monitor_enter",
      "monitor_exit", "register_finalizer", "exception"};
  return kNames[static_cast<size_t>(stub)];
}

StubCode AssembleStub(Stub stub, const VmLayout& vm) {
  using enum x64::Reg;
  using enum x64::Width;
  using x64::At;
  constexpr auto Thread = HeapCode::Thread;
  // The return address, rbp, and sixteen bytes that keep the stack aligned.
  constexpr int32_t kFrameBytes = 32;
  constexpr size_t kFarCallBytes = 12;

  x64::Assembler a;
  SiteWriter sites(vm);
  sites.SetPlan({kFrameBytes, 0});
  sites.AddMark(0, Mark::kFrameComplete);
  a.Push(rbp);
  a.Mov(k64, rbp, rsp);
  a.Do(x64::Alu::kSub, k64, rsp, 16);
  if (stub == Stub::kException) {
    a.Store(k64, Thread(vm.exception_oop), rax);
    a.Store(k64, Thread(vm.exception_pc), rdx);
    // The stack is walked as if the call that threw had called this.
    a.Store(k64, At(rbp, 8), rdx);
  }
  if (stub == Stub::kMonitorEnter) a.StoreImmediate(k64, At(rdx), vm.basic_lock_before_entry);
  // The VM finds where it was called from below this.
  a.Store(k64, Thread(vm.last_java_sp), rsp);
  a.Mov(k64, rdi, r15);
  sites.AddForeignFromStub(a.size(), kFarCallBytes, FunctionOf(stub, vm));
  a.MovAbsolute(rax, 0);
  a.Call(rax);
  a.StoreImmediate(k64, Thread(vm.last_java_sp), 0);
  a.StoreImmediate(k64, Thread(vm.last_java_fp), 0);
  a.StoreImmediate(k64, Thread(vm.last_java_pc), 0);
  const bool allocates =
      stub == Stub::kNewInstance || stub == Stub::kNewArray || stub == Stub::kNewMultiArray;
  const bool throws = allocates || stub == Stub::kRegisterFinalizer;
  const x64::Label is_stopped = a.NewLabel();
  if (allocates) {
    a.Load(k64, rax, Thread(vm.vm_result));
    a.StoreImmediate(k64, Thread(vm.vm_result), 0);
  }
  if (throws) {
    a.Do(x64::Alu::kCmp, k64, Thread(vm.pending_exception), 0);
    a.Jump(x64::Condition::kNotEqual, is_stopped);
  }
  if (stub == Stub::kException) a.Store(k64, At(rbp, 8), rax);
  a.Mov(k64, rsp, rbp);
  a.Pop(rbp);
  a.Return();
  if (throws) {
    // Thrown where the stub was called, as StubRoutines::forward_exception does. That call has no
    // handler: the VM deoptimizes the frame, if it has not yet.
    a.Bind(is_stopped);
    a.Mov(k64, rdi, r15);
    a.Load(k64, rsi, At(rbp, 8));
    a.MovImmediate(rax, static_cast<int64_t>(vm.exception_handler_for_return));
    a.Call(rax);
    a.Mov(k64, rcx, rax);
    a.Load(k64, rax, Thread(vm.pending_exception));
    a.StoreImmediate(k64, Thread(vm.pending_exception), 0);
    a.Mov(k64, rsp, rbp);
    a.Pop(rbp);
    a.Pop(rdx);
    a.Jump(rcx);
  }
  StubCode result;
  result.code = a.TakeCode();
  result.sites = sites.Take();
  return result;
}

}  // namespace yp::compiler
