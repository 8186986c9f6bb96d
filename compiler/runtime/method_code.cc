#include "compiler/runtime/method_code.h"

#include "compiler/runtime/heap_code.h"
#include "compiler/runtime/yieldpoints.h"
#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;

namespace {

constexpr size_t kCallBytes = 5;
// The displacement of a call that the VM patches while others run it is aligned.
constexpr size_t kPatchAlignment = 4;

}  // namespace

size_t MethodCode::Enter(const Method& method, Linkage& linkage, int32_t frame_bytes) {
  if (method.is_static || method.osr_bci) {
    sites_.AddMark(a_.size(), Mark::kUnverifiedEntry);
  } else {
    CheckClass();
  }
  a_.Align(16);
  if (method.osr_bci) sites_.AddMark(a_.size(), Mark::kOsrEntry);
  sites_.AddMark(a_.size(), Mark::kVerifiedEntry);
  const size_t verified_entry = a_.size();
  if (method.checks_initialization && !method.osr_bci) {
    const Label wait = a_.NewLabel(), initialized = a_.NewLabel();
    HeapCode(a_, sites_, vm_).CheckInitialized(linkage.HolderClass(), wait);
    a_.Jump(initialized);
    a_.Bind(wait);
    sites_.AddForeign(a_.size(), kCallBytes, vm_.wrong_method, nullptr);
    a_.JumpLater();
    a_.Bind(initialized);
  }
  // Touches the stack where the deepest callee of the VM's may come to, a page at a time. The first
  // instruction has five bytes or more: HotSpot replaces it.
  for (int32_t offset = vm_.shadow_zone_bytes; offset <= vm_.shadow_zone_bytes + frame_bytes;
       offset += vm_.page_bytes) {
    a_.Store(k32, At(rsp, -offset), rax);
  }
  a_.Push(rbp);
  a_.Do(Alu::kSub, k64, rsp, frame_bytes);
  if (vm_.entry_guard) {
    // cmp dword [r15 + guard], imm32: the VM patches the number, which must be aligned.
    a_.Align(8);
    sites_.AddMark(a_.size(), Mark::kEntryBarrier);
    const Label passed = a_.NewLabel();
    a_.Bytes({0x41, 0x81, 0x7f, static_cast<uint8_t>(*vm_.entry_guard)});
    a_.Dword(0);
    a_.Jump(Condition::kEqual, passed);
    sites_.AddForeign(a_.size(), kCallBytes, vm_.entry_barrier, nullptr);
    a_.CallLater();
    a_.Bind(passed);
  }
  sites_.AddMark(a_.size(), Mark::kFrameComplete);
  return verified_entry;
}

// A virtual call whose receiver has another class than the call site's inline cache says.
void MethodCode::CheckClass() {
  const Label hit = a_.NewLabel();
  sites_.AddMark(a_.size(), Mark::kUnverifiedEntry);
  if (vm_.inline_cache_klass) {
    const x64::Width width = vm_.compressed_classes ? k32 : k64;
    a_.Load(width, r10, At(rsi, vm_.klass_offset));
    a_.Do(Alu::kCmp, width, r10, At(x64::kInlineCache, *vm_.inline_cache_klass));
  } else {
    HeapCode(a_, sites_, vm_).LoadKlass(r10, rsi);
    a_.Do(Alu::kCmp, k64, r10, x64::kInlineCache);
  }
  a_.Jump(Condition::kEqual, hit);
  sites_.AddForeign(a_.size(), kCallBytes, vm_.inline_cache_miss, nullptr);
  a_.JumpLater();
  a_.Align(16);
  a_.Bind(hit);
}

void MethodCode::Leave(int32_t frame_bytes) {
  a_.Do(Alu::kAdd, k64, rsp, frame_bytes);
  a_.Pop(rbp);
}

void MethodCode::CheckReservedStack(Label overflowed) {
  a_.Do(Alu::kCmp, k64, rsp, HeapCode::Thread(vm_.reserved_stack->activation));
  a_.Jump(Condition::kAboveOrEqual, overflowed);
}

// The stack is aligned for a call but for the return address.
void MethodCode::ReservedStackOverflow(Label overflowed) {
  constexpr int32_t kAlignment = 8;
  a_.Bind(overflowed);
  a_.Do(Alu::kSub, k64, rsp, kAlignment);
  a_.Mov(k64, rdi, r15);
  HeapCode(a_, sites_, vm_).CallLeaf(vm_.reserved_stack->enable);
  a_.Do(Alu::kAdd, k64, rsp, kAlignment);
  a_.MovImmediate(rax, static_cast<int64_t>(vm_.reserved_stack->throw_delayed));
  a_.Jump(rax);
}

void MethodCode::Unwind(const FrameLayout& layout, const x64::Mem& exception) {
  a_.Mov(k64, rdi, r15);
  a_.Load(k64, rsi, At(rsp, layout.ReturnAddress()));
  HeapCode(a_, sites_, vm_).CallLeaf(vm_.exception_handler_for_return);
  a_.Mov(k64, rcx, rax);
  a_.Load(k64, rax, exception);
  Leave(layout.bytes());
  a_.Pop(rdx);
  a_.Jump(rcx);
}

void MethodCode::HandlersOfVm() {
  sites_.AddMark(a_.size(), Mark::kExceptionHandler);
  sites_.AddForeign(a_.size(), kCallBytes, places_.Of(Stub::kException), nullptr);
  a_.CallLater();
  a_.Int3();
  for (const Mark mark : {Mark::kDeoptHandler, Mark::kDeoptMethodHandle}) {
    sites_.AddMark(a_.size(), mark);
    // What is called there looks for this place as its return address. JDK 17 takes that of a call
    // of it as well; JDK 25 does not.
    constexpr uint8_t kCallNext = 0xe8;
    a_.Bytes({kCallNext, 0, 0, 0, 0});
    a_.Do(Alu::kSub, k64, At(rsp), static_cast<int32_t>(kCallBytes));
    sites_.AddForeign(a_.size(), kCallBytes, vm_.deopt_unpack, nullptr);
    a_.JumpLater();
  }
}

void MethodCode::SayWhy(Trap reason) {
  if (places_.trap_counters != 0) {
    a_.MovImmediate(
        r10, static_cast<int64_t>(places_.trap_counters + 8 * static_cast<uint64_t>(reason)));
    a_.LockedIncrement(At(r10));
  }
  a_.StoreImmediate(k32, HeapCode::Thread(vm_.pending_deoptimization), vm_.TrapOf(reason));
}

// The page that is loaded from is protected while the VM wants this thread.
void MethodCode::Poll(const SiteState& state) {
  a_.Load(k64, r10, HeapCode::Thread(vm_.polling_page));
  sites_.AddMark(a_.size(), Mark::kPollFar);
  sites_.AddPoll(a_.size(), state);
  a_.Test(k32, At(r10), rax);
}

void MethodCode::PollAtReturn() {
  a_.Load(k64, r10, HeapCode::Thread(vm_.polling_page));
  sites_.AddMark(a_.size(), Mark::kPollReturnFar);
  a_.Test(k32, At(r10), rax);
}

void MethodCode::MarkCall(uint32_t number) {
  a_.Dword(kCallMarker);
  a_.Dword(number);
}

void MethodCode::LinkedCall(const CallLink& call, const SiteState& state) {
  const bool is_virtual =
      call.dispatch == Dispatch::kVirtual || call.dispatch == Dispatch::kInterface;
  if (is_virtual) {
    constexpr size_t kCacheBytes = 10;
    a_.Align(kPatchAlignment,
             (2 * kPatchAlignment - (kCacheBytes + 1) % kPatchAlignment) % kPatchAlignment);
    sites_.AddMark(a_.size(), call.dispatch == Dispatch::kVirtual ? Mark::kInvokeVirtual
                                                                  : Mark::kInvokeInterface);
    a_.MovAbsolute(x64::kInlineCache, UINT64_MAX);  // Universe::non_oop_word
  } else {
    a_.Align(kPatchAlignment, kPatchAlignment - 1);
    sites_.AddMark(a_.size(),
                   call.dispatch == Dispatch::kStatic ? Mark::kInvokeStatic : Mark::kInvokeSpecial);
  }
  sites_.AddCall(a_.size(), kCallBytes, call.method, state);
  a_.CallLater();
}

}  // namespace yp::compiler
