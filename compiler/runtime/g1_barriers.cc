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

void G1Barriers::CompareMarking() { a_.Do(Alu::kCmp, k8, HeapCode::Thread(vm_.satb_active), 0); }

void G1Barriers::LoadOld(const Mem& place, Label back) {
  heap_.LoadOop(r10, place);
  a_.Test(k64, r10, r10);
  a_.Jump(Condition::kEqual, back);
}

void G1Barriers::Keep() {
  a_.Mov(k64, rsi, r10);
  a_.Mov(k64, rdi, r15);
  heap_.CallLeaf(vm_.barrier_pre);
}

void G1Barriers::CompareCard(const Mem& place, Reg stored, Label done) {
  a_.Test(k64, stored, stored);
  a_.Jump(Condition::kEqual, done);
  a_.Lea(r10, place);
  a_.Mov(k64, r11, r10);
  a_.Do(Alu::kXor, k64, r11, stored);
  a_.DoShift(Shift::kRightUnsigned, k64, r11, vm_.region_shift);
  a_.Jump(Condition::kEqual, done);
  a_.DoShift(Shift::kRightUnsigned, k64, r10, vm_.card_shift);
  a_.MovImmediate(r11, static_cast<int64_t>(vm_.card_table));
  a_.Do(Alu::kAdd, k64, r10, r11);
  a_.Do(Alu::kCmp, k8, At(r10), vm_.young_card);
}

// The store comes before it is looked whether the card is marked: else who cleans the card may miss
// it.
void G1Barriers::MarkCard(Label back) {
  a_.Fence();
  a_.Do(Alu::kCmp, k8, At(r10), HeapCode::kDirtyCard);
  a_.Jump(Condition::kEqual, back);
  a_.StoreImmediate(k8, At(r10), HeapCode::kDirtyCard);
}

void G1Barriers::TellOfCard() {
  a_.Mov(k64, rsi, r10);
  a_.Mov(k64, rdi, r15);
  heap_.CallLeaf(vm_.barrier_post);
}

}  // namespace yp::compiler
