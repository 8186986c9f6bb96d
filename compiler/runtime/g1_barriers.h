#ifndef YP_COMPILER_RUNTIME_G1_BARRIERS_H_
#define YP_COMPILER_RUNTIME_G1_BARRIERS_H_

#include "compiler/install/vm_layout.h"
#include "compiler/runtime/heap_code.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// G1's barriers in two parts each: what asks whether there is anything to do, which loses r10 and
// r11 only, and what does it and calls the VM, around which the caller saves what it needs. No
// argument is in r10 or r11.
class G1Barriers {
 public:
  G1Barriers(x64::Assembler& assembler, HeapCode& heap, const VmLayout& vm)
      : a_(assembler), heap_(heap), vm_(vm) {}

  // Before a store, or behind a load of what is referred to weakly: the flags say equal where the
  // collector does not mark.
  void CompareMarking();
  // There, before a store: leaves what the place holds in r10, or goes to `back` where that is
  // null.
  void LoadOld(const x64::Mem& place, x64::Label back);
  // The reference r10, not null, is kept alive (snapshot at the beginning). Calls the VM.
  void Keep();

  // Behind a store of a reference: goes to `done` where it is null or leads to the same region.
  // Else the card's address is in r10, and the flags say equal where it is that of a young region.
  void CompareCard(const x64::Mem& place, x64::Reg stored, x64::Label done);
  // There: marks the card r10, or goes to `back` where it is marked.
  void MarkCard(x64::Label back);
  // The card r10, which was not marked, is. Calls the VM.
  void TellOfCard();

 private:
  x64::Assembler& a_;
  HeapCode& heap_;
  const VmLayout& vm_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_G1_BARRIERS_H_
