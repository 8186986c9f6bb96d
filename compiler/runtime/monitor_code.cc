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

// The ObjectMonitor to which the mark of the object leads.
class Inflated {
 public:
  // Its address is in rcx, with the mark's bit.
  Inflated(Assembler& a, const VmLayout::Monitors::Inflated& layout) : a_(a), layout_(layout) {}

  // rax, r10 are lost.
  void Enter(Label slow) {
    const Label done = a_.NewLabel();
    LoadThread();
    a_.MovImmediate(rax, 0);
    a_.LockedCompareExchange(k64, At(layout_.owner), r10);
    a_.Jump(Condition::kEqual, done);
    a_.Do(Alu::kCmp, k64, rax, r10);
    a_.Jump(Condition::kNotEqual, slow);
    a_.Do(Alu::kAdd, k64, At(layout_.recursions), 1);
    a_.Bind(done);
  }

  // A thread that begins to wait looks for an owner behind that, and this one for those that wait
  // behind having left: one of the two finds the other. Where it is this one, either the monitor is
  // its own again, and the VM wakes who waits; or whose it is now will. rax, r10 are lost.
  void Exit(Label slow) {
    const Label done = a_.NewLabel(), last = a_.NewLabel();
    LoadThread();
    a_.Do(Alu::kCmp, k64, r10, At(layout_.owner));
    a_.Jump(Condition::kNotEqual, slow);
    a_.Do(Alu::kCmp, k64, At(layout_.recursions), 0);
    a_.Jump(Condition::kEqual, last);
    a_.Do(Alu::kSub, k64, At(layout_.recursions), 1);
    a_.Jump(done);
    a_.Bind(last);
    LookForWaiting();
    a_.Jump(Condition::kNotEqual, slow);
    a_.StoreImmediate(k64, At(layout_.owner), 0);
    a_.Fence();
    LookForWaiting();
    a_.Jump(Condition::kEqual, done);
    a_.MovImmediate(rax, 0);
    a_.LockedCompareExchange(k64, At(layout_.owner), r10);
    a_.Jump(Condition::kEqual, slow);
    a_.Bind(done);
  }

 private:
  Mem At(int32_t offset) const { return x64::At(rcx, offset - kMonitor); }
  void LoadThread() {
    if (layout_.thread_as_owner) {
      a_.Load(k64, r10, x64::At(r15, *layout_.thread_as_owner));
    } else {
      a_.Mov(k64, r10, r15);
    }
  }
  // Not equal: somebody waits.
  void LookForWaiting() {
    a_.Load(k64, rax, At(layout_.entering[0]));
    a_.Do(Alu::kOr, k64, rax, At(layout_.entering[1]));
  }

  Assembler& a_;
  const VmLayout::Monitors::Inflated& layout_;
};

// The mark is in rcx, where it stays; rax is lost. It is read once: it may change at any time.
void GoIfInflated(Assembler& a, const VmLayout::Monitors& vm, Label inflated) {
  if (!vm.inflated) return;
  a.Mov(k32, rax, rcx);
  a.Do(Alu::kAnd, k32, rax, kMonitor);
  a.Jump(Condition::kNotEqual, inflated);
}

// The object is locked when its mark is the address of a BasicLock, which holds what the mark was,
// or 0 where this thread has locked the object already.
void EnterByStack(Assembler& a, const VmLayout& vm, Label slow) {
  const Label done = a.NewLabel(), inflated = a.NewLabel();
  a.Load(k64, rcx, kMark);
  GoIfInflated(a, vm.monitors, inflated);
  a.Mov(k64, rax, rcx);
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
  if (vm.monitors.inflated) {
    a.Jump(done);
    a.Bind(inflated);
    a.StoreImmediate(k64, kBasicLock, vm.basic_lock_before_entry);
    Inflated(a, *vm.monitors.inflated).Enter(slow);
  }
  a.Bind(done);
}

void ExitByStack(Assembler& a, const VmLayout& vm, Label slow) {
  const Label done = a.NewLabel(), inflated = a.NewLabel();
  a.Do(Alu::kCmp, k64, kBasicLock, 0);
  a.Jump(Condition::kEqual, done);
  a.Load(k64, rcx, kMark);
  GoIfInflated(a, vm.monitors, inflated);
  a.Load(k64, rcx, kBasicLock);
  a.Mov(k64, rax, rdx);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kNotEqual, slow);
  if (vm.monitors.inflated) {
    a.Jump(done);
    a.Bind(inflated);
    Inflated(a, *vm.monitors.inflated).Exit(slow);
  }
  a.Bind(done);
}

// An entry of the thread's lock stack, by the offset of its top. Below the first one is a word that
// is no object's address.
Mem EntryBelow(x64::Reg top, int32_t entries) { return At(r15, top, 0, -entries * kWord); }

// The object is locked when the lowest bits of its mark are 0; whose it is, is on the lock stack of
// the thread, once for each time that it was entered.
void EnterByLockStack(Assembler& a, const VmLayout::Monitors& vm, Label slow) {
  const Mem top = At(r15, vm.lock_stack_top);
  const Label push = a.NewLabel(), inflated = a.NewLabel(), done = a.NewLabel();
  a.StoreImmediate(k64, kBasicLock, 0);  // It may be a cache of the object's monitor.
  a.Load(k64, rcx, kMark);
  GoIfInflated(a, vm, inflated);
  a.Load(k32, r10, top);
  a.Do(Alu::kCmp, k32, r10, vm.lock_stack_end);
  a.Jump(Condition::kGreaterOrEqual, slow);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(r10, 1));
  a.Jump(Condition::kEqual, push);
  a.Mov(k64, rax, rcx);
  a.Do(Alu::kAnd, k64, rax, ~kMonitor);  // A monitor's is not what is found there.
  a.Do(Alu::kOr, k64, rax, kUnlocked);
  a.Mov(k64, rcx, rax);
  a.Do(Alu::kXor, k64, rcx, kUnlocked);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kNotEqual, slow);
  a.Bind(push);
  a.Store(k64, EntryBelow(r10, 0), rsi);
  a.Do(Alu::kAdd, k32, top, kWord);
  if (vm.inflated) {
    a.Jump(done);
    a.Bind(inflated);
    Inflated(a, *vm.inflated).Enter(slow);
  }
  a.Bind(done);
}

// The VM knows its monitors by the lock stack: the entry must be gone before another thread can
// enter the monitor, and be there when the VM is asked. What this thread has entered as a monitor
// of the VM's is not there.
void ExitByLockStack(Assembler& a, const VmLayout::Monitors& vm, Label slow) {
  const Mem top = At(r15, vm.lock_stack_top);
  const Label done = a.NewLabel(), other = a.NewLabel(), inflated = a.NewLabel();
  a.Load(k32, r10, top);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(r10, 1));
  a.Jump(Condition::kNotEqual, other);
  a.Do(Alu::kSub, k32, top, kWord);
  a.Do(Alu::kCmp, k64, rsi, EntryBelow(r10, 2));
  a.Jump(Condition::kEqual, done);
  a.Load(k64, rax, kMark);
  a.Do(Alu::kAnd, k64, rax, ~kMonitor);
  a.Mov(k64, rcx, rax);
  a.Do(Alu::kOr, k64, rcx, kUnlocked);
  a.LockedCompareExchange(k64, kMark, rcx);
  a.Jump(Condition::kEqual, done);
  a.Do(Alu::kAdd, k32, top, kWord);
  a.Jump(slow);
  a.Bind(other);
  if (vm.inflated) {
    a.Load(k64, rcx, kMark);
    GoIfInflated(a, vm, inflated);
  }
  a.Jump(slow);
  if (vm.inflated) {
    a.Bind(inflated);
    Inflated(a, *vm.inflated).Exit(slow);
  }
  a.Bind(done);
}

void Count(Assembler& a, const VmLayout::Monitors& vm, Alu operation) {
  if (vm.held_count) a.Do(operation, k64, At(r15, *vm.held_count), 1);
}

}  // namespace

void ChangeMonitor(Assembler& a, const VmLayout& vm, Stub stub, Label slow) {
  using Way = VmLayout::Monitors::Way;
  const bool enters = stub == Stub::kMonitorEnter;
  switch (vm.monitors.way) {
    case Way::kByVm:
      return a.Jump(slow);
    case Way::kStack:
      enters ? EnterByStack(a, vm, slow) : ExitByStack(a, vm, slow);
      return Count(a, vm.monitors, enters ? Alu::kAdd : Alu::kSub);
    case Way::kLockStack:
      return enters ? EnterByLockStack(a, vm.monitors, slow)
                    : ExitByLockStack(a, vm.monitors, slow);
  }
}

}  // namespace yp::compiler
