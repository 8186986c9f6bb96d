#include "compiler/runtime/heap_code.h"

#include "compiler/runtime/g1_barriers.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Mem;
using x64::Reg;
using x64::Shift;

namespace {

// markWord::unlocked_value, without a hash.
constexpr int32_t kUnlockedMark = 1;
// A longer array is allocated by the VM.
constexpr int32_t kLongestFastArray = 256;

}  // namespace

void HeapCode::LoadConstant(Reg to, ConstantId constant) {
  sites_.AddConstant(a_.size(), constant);
  a_.MovAbsolute(to, 1);
}

void HeapCode::LoadKlass(Reg to, Reg object) {
  if (!vm_.compressed_classes) return a_.Load(k64, to, At(object, vm_.klass_offset));
  a_.Load(k32, to, At(object, vm_.klass_offset));
  if (vm_.klass_shift != 0) a_.DoShift(Shift::kLeft, k64, to, vm_.klass_shift);
  if (vm_.klass_base != 0) {
    a_.MovImmediate(r11, static_cast<int64_t>(vm_.klass_base));
    a_.Do(Alu::kAdd, k64, to, r11);
  }
}

void HeapCode::EncodeKlass(Reg klass) {
  if (vm_.klass_base != 0) {
    a_.MovImmediate(r11, static_cast<int64_t>(vm_.klass_base));
    a_.Do(Alu::kSub, k64, klass, r11);
  }
  if (vm_.klass_shift != 0) a_.DoShift(Shift::kRightUnsigned, k64, klass, vm_.klass_shift);
}

void HeapCode::DecodeOop(Reg oop) {
  if (vm_.oop_base == 0) {
    if (vm_.oop_shift != 0) a_.DoShift(Shift::kLeft, k64, oop, vm_.oop_shift);
    return;
  }
  const Label done = a_.NewLabel();
  a_.Test(k64, oop, oop);
  a_.Jump(Condition::kEqual, done);
  if (vm_.oop_shift != 0) a_.DoShift(Shift::kLeft, k64, oop, vm_.oop_shift);
  a_.MovImmediate(r11, static_cast<int64_t>(vm_.oop_base));
  a_.Do(Alu::kAdd, k64, oop, r11);
  a_.Bind(done);
}

// `to` is not r11, which is lost where the heap has a base.
void HeapCode::EncodeOop(Reg to, Reg oop) {
  a_.Mov(k64, to, oop);
  const Label done = a_.NewLabel();
  if (vm_.oop_base != 0) {
    a_.Test(k64, to, to);
    a_.Jump(Condition::kEqual, done);
    a_.MovImmediate(r11, static_cast<int64_t>(vm_.oop_base));
    a_.Do(Alu::kSub, k64, to, r11);
  }
  if (vm_.oop_shift != 0) a_.DoShift(Shift::kRightUnsigned, k64, to, vm_.oop_shift);
  a_.Bind(done);
}

void HeapCode::LoadOop(Reg to, const Mem& from) {
  if (!vm_.compressed_oops) return a_.Load(k64, to, from);
  a_.Load(k32, to, from);
  DecodeOop(to);
}

void HeapCode::CallLeaf(uint64_t function) {
  a_.MovImmediate(rax, static_cast<int64_t>(function));
  a_.Call(rax);
}

// What the place rdx held. Keeps rax and rdx.
void HeapCode::KeepOld() {
  G1Barriers barriers(a_, *this, vm_);
  const Label done = a_.NewLabel();
  barriers.CompareMarking();
  a_.Jump(Condition::kEqual, done);
  barriers.LoadOld(At(rdx), done);
  a_.Push(rax);  // Two words: the stack stays aligned.
  a_.Push(rdx);
  barriers.Keep();
  a_.Pop(rdx);
  a_.Pop(rax);
  a_.Bind(done);
}

void HeapCode::KeepReferent() {
  if (vm_.collector != Collector::kG1) return;
  G1Barriers barriers(a_, *this, vm_);
  const Label done = a_.NewLabel();
  barriers.CompareMarking();
  a_.Jump(Condition::kEqual, done);
  a_.Test(k64, rax, rax);
  a_.Jump(Condition::kEqual, done);
  a_.Push(rax);
  a_.Push(rax);
  a_.Mov(k64, r10, rax);
  barriers.Keep();
  a_.Pop(rax);
  a_.Pop(rax);
  a_.Bind(done);
}

// Of the place rdx.
void HeapCode::TellOfStore(Reg stored) {
  G1Barriers barriers(a_, *this, vm_);
  const Label done = a_.NewLabel();
  barriers.CompareCard(At(rdx), stored, done);
  a_.Jump(Condition::kEqual, done);
  barriers.MarkCard(done);
  barriers.TellOfCard();
  a_.Bind(done);
}

void HeapCode::StoreOop() {
  KeepOld();
  StoreOopUntold(At(rdx), rax);
  TellOfStore(rax);
}

void HeapCode::StoreOopInLine(const Mem& to, Reg value) {
  StoreOopUntold(to, value);
  MarkCard(to);
}

void HeapCode::StoreOopUntold(const Mem& to, Reg value) {
  const bool is_as_it_is = vm_.oop_base == 0 && vm_.oop_shift == 0;
  if (!vm_.compressed_oops || is_as_it_is) {
    a_.Store(vm_.compressed_oops ? k32 : k64, to, value);
  } else {
    EncodeOop(r10, value);
    a_.Store(k32, to, r10);
  }
}

void HeapCode::MarkCard(const Mem& of) {
  a_.Lea(r10, of);
  a_.DoShift(Shift::kRightUnsigned, k64, r10, vm_.card_shift);
  a_.MovImmediate(r11, static_cast<int64_t>(vm_.card_table));
  a_.StoreImmediate(k8, At(r11, r10, 0, 0), kDirtyCard);
}

void HeapCode::ExchangeOop(const Mem& to, Reg value) {
  if (!vm_.compressed_oops) return a_.LockedCompareExchange(k64, to, value);
  EncodeOop(rax, rax);
  EncodeOop(r10, value);
  a_.LockedCompareExchange(k32, to, r10);
}

// A card that is marked though nothing was stored costs the collector a look.
void HeapCode::CompareAndSetOopInLine(const Mem& to, Reg value) {
  ExchangeOop(to, value);
  a_.Set(Condition::kEqual, rax);
  a_.ZeroExtend(k8, rax, rax);
  MarkCard(to);
}

void HeapCode::AnswerExchange(const std::function<void()>& tell) {
  const Label fails = a_.NewLabel(), done = a_.NewLabel();
  a_.Jump(Condition::kNotEqual, fails);
  tell();
  a_.MovImmediate(rax, 1);
  a_.Jump(done);
  a_.Bind(fails);
  a_.MovImmediate(rax, 0);
  a_.Bind(done);
}

// What another thread stores between the barrier and the exchange is told by that thread.
void HeapCode::CompareAndSetOop() {
  KeepOld();
  ExchangeOop(At(rdx), rbx);
  AnswerExchange([this] { TellOfStore(rbx); });
}

void HeapCode::StoreNull(const Mem& to) {
  a_.StoreImmediate(vm_.compressed_oops ? k32 : k64, to, 0);
}

// Array<Klass*>. JDK 23's hash table is a permutation of it, with all elements.
void HeapCode::ScanSecondarySupers(Reg klass, Reg super, Reg count, Label yes) {
  const Label next = a_.NewLabel(), none = a_.NewLabel();
  a_.Do(Alu::kCmp, k64, super, At(klass, vm_.secondary_super_cache));
  a_.Jump(Condition::kEqual, yes);
  a_.Load(k64, klass, At(klass, vm_.secondary_supers));
  a_.Load(k32, count, At(klass, vm_.array_count));
  a_.Bind(next);
  a_.Do(Alu::kSub, k32, count, 1);
  a_.Jump(Condition::kNegative, none);
  a_.Do(Alu::kCmp, k64, super, At(klass, count, 3, vm_.array_elements));
  a_.Jump(Condition::kNotEqual, next);
  a_.Jump(yes);
  a_.Bind(none);
}

void HeapCode::CheckInitialized(ConstantId klass, Label no) {
  const Label yes = a_.NewLabel();
  LoadConstant(r10, klass);
  a_.Do(Alu::kCmp, k8, At(r10, vm_.init_state), vm_.fully_initialized);
  a_.Jump(Condition::kEqual, yes);
  a_.Do(Alu::kCmp, k64, r15, At(r10, vm_.init_thread));
  a_.Jump(Condition::kNotEqual, no);
  a_.Bind(yes);
}

void HeapCode::IsInstance(Reg object, ConstantId klass, int32_t check_offset, Label yes) {
  if (CompareWithClass(object, klass, check_offset, yes)) a_.Jump(Condition::kEqual, yes);
}

// A class that is not secondary is in its own place among those above it.
bool HeapCode::CompareWithClass(Reg object, ConstantId klass, int32_t check_offset, Label yes) {
  LoadKlass(r10, object);
  LoadConstant(r11, klass);
  if (!IsSecondary(check_offset)) {
    a_.Do(Alu::kCmp, k64, r11, At(r10, check_offset));
    return true;
  }
  a_.Do(Alu::kCmp, k64, r10, r11);
  a_.Jump(Condition::kEqual, yes);
  ScanSecondarySupers(r10, r11, r9, yes);
  return false;
}

bool HeapCode::CompareWithGuard(Reg object, const GuardLink& guard, Label fails) {
  using enum GuardLink::Kind;
  if (guard.kind == kSubclass || guard.kind == kSubclassAndMethod) {
    const Label is_instance = a_.NewLabel();
    IsInstance(object, guard.klass, guard.super_check_offset, is_instance);
    a_.Jump(fails);
    a_.Bind(is_instance);
  }
  if (guard.kind == kSubclass) return false;
  LoadKlass(r10, object);
  if (guard.kind == kClass) {
    LoadConstant(r11, guard.klass);
    a_.Do(Alu::kCmp, k64, r10, r11);
  } else {
    LoadConstant(r11, guard.method);
    a_.Do(Alu::kCmp, k64, r11, At(r10, guard.vtable_offset));
  }
  return true;
}

void HeapCode::FindFinalizer(Reg to, Reg object) {
  LoadKlass(to, object);
  const Mem flags = At(to, vm_.finalizer_flags);
  if (vm_.finalizer_flags_are_bytes) {
    a_.LoadZeroExtended(k8, to, flags);
  } else {
    a_.Load(k32, to, flags);
  }
  a_.Do(Alu::kAnd, k32, to, vm_.finalizer_bit);
}

void HeapCode::LoadClass(Reg to, Reg object) {
  LoadKlass(to, object);
  a_.Load(k64, to, At(to, vm_.java_mirror));
  a_.Load(k64, to, At(to));
}

void HeapCode::CheckInstance(Reg type, Reg object, Label no) {
  a_.Test(k64, object, object);
  a_.Jump(Condition::kEqual, no);
  a_.Load(k64, r10, At(type, vm_.class_klass));
  a_.Test(k64, r10, r10);
  a_.Jump(Condition::kEqual, no);
  CheckSubclass(object, no);
}

void HeapCode::CheckArrayStore(Reg array, Reg object, Label no) {
  LoadKlass(r10, array);
  a_.Load(k64, r10, At(r10, vm_.element_klass));
  CheckSubclass(object, no);
}

void HeapCode::CheckSubclass(Reg object, Label no) {
  const Label yes = a_.NewLabel();
  LoadKlass(r9, object);
  a_.Do(Alu::kCmp, k64, r9, r10);
  a_.Jump(Condition::kEqual, yes);
  a_.Load(k32, r11, At(r10, vm_.super_check_offset));
  a_.Do(Alu::kCmp, k64, r10, At(r9, r11, 0, 0));
  a_.Jump(Condition::kEqual, yes);
  a_.Do(Alu::kCmp, k32, r11, vm_.secondary_super_cache);
  a_.Jump(Condition::kNotEqual, no);
  ScanSecondarySupers(r9, r10, r11, yes);
  a_.Jump(no);
  a_.Bind(yes);
}

void HeapCode::AllocateInstance(int32_t bytes, Label slow) {
  a_.Load(k64, rax, Thread(vm_.tlab_top));
  a_.Lea(rcx, At(rax, bytes));
  a_.Do(Alu::kCmp, k64, rcx, Thread(vm_.tlab_end));
  a_.Jump(Condition::kAbove, slow);
  a_.Store(k64, Thread(vm_.tlab_top), rcx);
  a_.StoreImmediate(k64, At(rax), kUnlockedMark);
  a_.MovImmediate(rcx, 0);
  if (vm_.compressed_classes) {
    EncodeKlass(rsi);
    a_.Store(k32, At(rax, 8), rsi);
    a_.Store(k32, At(rax, 12), rcx);
  } else {
    a_.Store(k64, At(rax, 8), rsi);
  }
  constexpr int32_t kHeader = 16, kUnrolled = 128;
  if (bytes <= kUnrolled) {
    for (int32_t offset = kHeader; offset < bytes; offset += 8) {
      a_.Store(k64, At(rax, offset), rcx);
    }
    return;
  }
  const Label next = a_.NewLabel();
  a_.MovImmediate(rdx, kHeader);
  a_.Bind(next);
  a_.Store(k64, At(rax, rdx, 0, 0), rcx);
  a_.Do(Alu::kAdd, k64, rdx, 8);
  a_.Do(Alu::kCmp, k64, rdx, bytes);
  a_.Jump(Condition::kBelow, next);
}

void HeapCode::AllocateArray(int32_t base, uint8_t shift, Label slow) {
  a_.Do(Alu::kCmp, k32, rdx, kLongestFastArray);
  a_.Jump(Condition::kAbove, slow);
  a_.Mov(k32, r8, rdx);
  if (shift != 0) a_.DoShift(Shift::kLeft, k64, r8, shift);
  a_.Do(Alu::kAdd, k64, r8, base + vm_.object_alignment - 1);
  a_.Do(Alu::kAnd, k64, r8, -vm_.object_alignment);
  a_.Load(k64, rax, Thread(vm_.tlab_top));
  a_.Lea(rcx, At(rax, r8, 0, 0));
  a_.Do(Alu::kCmp, k64, rcx, Thread(vm_.tlab_end));
  a_.Jump(Condition::kAbove, slow);
  a_.Store(k64, Thread(vm_.tlab_top), rcx);
  a_.StoreImmediate(k64, At(rax), kUnlockedMark);
  if (vm_.compressed_classes) {
    EncodeKlass(rsi);
    a_.Store(k32, At(rax, 8), rsi);
  } else {
    a_.Store(k64, At(rax, 8), rsi);
  }
  a_.Store(k32, At(rax, vm_.array_length), rdx);
  int32_t clear_from = vm_.array_length + 4;
  a_.MovImmediate(r8, 0);
  if (clear_from % 8 != 0) {
    a_.Store(k32, At(rax, clear_from), r8);
    clear_from += 4;
  }
  const Label next = a_.NewLabel(), done = a_.NewLabel();
  a_.Lea(r9, At(rax, clear_from));
  a_.Bind(next);
  a_.Do(Alu::kCmp, k64, r9, rcx);
  a_.Jump(Condition::kAboveOrEqual, done);
  a_.Store(k64, At(r9), r8);
  a_.Do(Alu::kAdd, k64, r9, 8);
  a_.Jump(next);
  a_.Bind(done);
}

}  // namespace yp::compiler
