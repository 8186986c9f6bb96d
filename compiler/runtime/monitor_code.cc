#include "compiler/runtime/monitor_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::Assembler;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Mem;

namespace {

// markWord: the two lowest bits of an object's first word.
constexpr int32_t kUnlocked = 1, kMonitor = 2;
constexpr int32_t kWord = 8;
const Mem kMark = At(rsi), kBasicLock = At(rdx);

// The object is locked when its mark is the address of a BasicLock, which holds what the mark was,
// or 0 where this thread has locked the object already.
void EnterByStack(Assembler& a, const VmLayout& vm, Label slow) {
  const Label done = a.NewLabel();
  a.Load(k64, rax, kMark);
  a.Do(Alu::kOr, k64, rax, kUnlocked);
  a.Store(k64, kBasicLock, rax);
  a.LockedCompareExchange(k64, kMark, rdx);
  a.Jump(Condition::kEqual, done);
  // The mark that was found, in rax, is the address of another BasicLock of this thread if it is
  // aligned and at most a page above rsp. A greater distance is the VM's to judge.
  a.Do(Alu::kSub, k64, rax, rsp);
  a.Do(Alu::kAnd, k64, rax, (kWord - 1) - vm.page_bytes);
  a.Store(k64, kBasicLock, rax);
  a.Jump(Condition::kNotEqual, slow);
  a.Bind(done);
}

void ExitByStack(Assembler& a, Label slow) {
  const Label done = a.NewLabel();
  a.Load(k64, rcx, kBasicLock);
  a.Test(k64, rcx, rcx);
  a.Jump(Condition::kEqual, done);
  a.Mov(k64, rax, rdx);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kNotEqual, slow);
  a.Bind(done);
}

// An entry of the thread's lock stack, by the offset of its top. Below the first one is a word that
// is no object's address.
Mem EntryBelow(x64::Reg top, int32_t entries) { return At(r15, top, 0, -entries * kWord); }

// The object is locked when the lowest bits of its mark are 0; whose it is, is on the lock stack of
// the thread, once for each time that it was entered.
void EnterByLockStack(Assembler& a, const VmLayout::Monitors& vm, Label slow) {
  const Mem top = At(r15, vm.lock_stack_top);
  const Label push = a.NewLabel();
  a.StoreImmediate(k64, kBasicLock, 0);  // It may be a cache of the object's monitor.
  a.Load(k32, rcx, top);
  a.Do(Alu::kCmp, k32, rcx, vm.lock_stack_end);
  a.Jump(Condition::kGreaterOrEqual, slow);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(rcx, 1));
  a.Jump(Condition::kEqual, push);
  a.TestImmediate(k8, kMark, kMonitor);
  a.Jump(Condition::kNotEqual, slow);
  a.Load(k64, rax, kMark);
  a.Do(Alu::kOr, k64, rax, kUnlocked);
  a.Mov(k64, rcx, rax);
  a.Do(Alu::kXor, k64, rcx, kUnlocked);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kNotEqual, slow);
  a.Load(k32, rcx, top);
  a.Bind(push);
  a.Store(k64, EntryBelow(rcx, 0), rsi);
  a.Do(Alu::kAdd, k32, rcx, kWord);
  a.Store(k32, top, rcx);
}

// The VM knows its monitors by the lock stack: the entry must be gone before another thread can
// enter the monitor, and be there when the VM is asked.
void ExitByLockStack(Assembler& a, const VmLayout::Monitors& vm, Label slow) {
  const Mem top = At(r15, vm.lock_stack_top);
  const Label done = a.NewLabel();
  a.Load(k32, rcx, top);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(rcx, 1));
  a.Jump(Condition::kNotEqual, slow);
  a.Do(Alu::kSub, k32, top, kWord);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(rcx, 2));
  a.Jump(Condition::kEqual, done);
  a.Load(k64, rax, kMark);
  a.Do(Alu::kAnd, k64, rax, ~kMonitor);  // A monitor's is not what is found there.
  a.Mov(k64, rcx, rax);
  a.Do(Alu::kOr, k64, rcx, kUnlocked);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kEqual, done);
  a.Do(Alu::kAdd, k32, top, kWord);
  a.Jump(slow);
  a.Bind(done);
}

void Count(Assembler& a, const VmLayout::Monitors& vm, Alu operation) {
  if (vm.held_count) a.Do(operation, k64, At(r15, *vm.held_count), 1);
}

}  // namespace

void EnterMonitor(Assembler& a, const VmLayout& vm, Label slow) {
  using Way = VmLayout::Monitors::Way;
  switch (vm.monitors.way) {
    case Way::kByVm:
      return a.Jump(slow);
    case Way::kStack:
      EnterByStack(a, vm, slow);
      return Count(a, vm.monitors, Alu::kAdd);
    case Way::kLockStack:
      return EnterByLockStack(a, vm.monitors, slow);
  }
}

void ExitMonitor(Assembler& a, const VmLayout& vm, Label slow) {
  using Way = VmLayout::Monitors::Way;
  switch (vm.monitors.way) {
    case Way::kByVm:
      return a.Jump(slow);
    case Way::kStack:
      ExitByStack(a, slow);
      return Count(a, vm.monitors, Alu::kSub);
    case Way::kLockStack:
      return ExitByLockStack(a, vm.monitors, slow);
  }
}

}  // namespace yp::compiler
