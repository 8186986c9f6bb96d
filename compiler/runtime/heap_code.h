#ifndef YP_COMPILER_RUNTIME_HEAP_CODE_H_
#define YP_COMPILER_RUNTIME_HEAP_CODE_H_

#include <cstdint>

#include "compiler/bytecode/linkage.h"
#include "compiler/install/site_writer.h"
#include "compiler/install/vm_layout.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// Code that works on objects as this VM lays them out. r15 is the thread everywhere.
// Registers not named in a comment keep their values; flags never do.
class HeapCode {
 public:
  HeapCode(x64::Assembler& assembler, SiteWriter& sites, const VmLayout& vm)
      : a_(assembler), sites_(sites), vm_(vm) {}

  static x64::Mem Thread(int32_t offset) { return x64::At(x64::Reg::r15, offset); }

  // A class or object, whose address the VM fills in and keeps up to date.
  void LoadConstant(x64::Reg to, ConstantId constant);
  // The class of `object`; `to` is not r11, which is lost.
  void LoadKlass(x64::Reg to, x64::Reg object);
  // `to` is not r11, which is lost.
  void LoadOop(x64::Reg to, const x64::Mem& from);
  // Stores the reference rax at the address rdx with the collector's barriers. Every register but
  // r12 and r15 is lost.
  void StoreOop();
  // rax, a reference that was loaded from Reference.referent, is kept alive where the collector
  // marks. Every register but rax, r12 and r15 is lost.
  void KeepReferent();

  // Goes on when the class is initialized, or this thread initializes it, else to `no`. r10 is
  // lost.
  void CheckInitialized(ConstantId klass, x64::Label no);
  // Goes to `yes` when the object rax, not null, is an instance of the class, else on. The
  // registers rcx, rdx, r8, r9, r11 are lost.
  void IsInstance(ConstantId klass, int32_t check_offset, x64::Label yes);
  // Asks what the guard asks of the object rax, not null: goes to `fails`, or on. True: it holds if
  // the flags say equal, else it holds. Every register but rax, rbx, rbp, rsi, rdi, r10 and r12 to
  // r15 is lost. Of a guard that asks for something.
  bool CompareWithGuard(const GuardLink& guard, x64::Label fails);
  // Not 0 in `to`, and in the flags, when the object, not null, has a finalizer; `to` is not r11,
  // which is lost.
  void FindFinalizer(x64::Reg to, x64::Reg object);
  // The java.lang.Class of `object`, not null; `to` is not r11, which is lost.
  void LoadClass(x64::Reg to, x64::Reg object);
  // Goes to `no` when the object rax is null or no instance of the java.lang.Class rdx, not null.
  // The registers r8, r9, r10, r11 are lost.
  void CheckInstance(x64::Label no);
  // Goes to `no` when the object rax, not null, may not be stored in the array rdx. The registers
  // r8, r9, r10, r11 are lost.
  void CheckArrayStore(x64::Label no);

  // A new object of `bytes` in rax, cleared; its class is in rsi. Goes to `slow` where the thread's
  // buffer has no room. rcx, rdx, r11 are lost, rsi is kept for `slow` only.
  void AllocateInstance(int32_t bytes, x64::Label slow);
  // A new array in rax, cleared; its class is in rsi, its length, not negative, in edx, both kept
  // for `slow` only. Elements take 2^shift bytes. r8, r9, rcx, r11 are lost.
  void AllocateArray(int32_t base, uint8_t shift, x64::Label slow);

  // Calls a function of the VM's that needs no frame; arguments are in their registers. The stack
  // is aligned to 16 bytes. All registers but rbx, rbp, r12 to r15 are lost.
  void CallLeaf(uint64_t function);

 private:
  void EncodeKlass(x64::Reg klass);
  void DecodeOop(x64::Reg oop);
  void EncodeOop(x64::Reg oop);
  void BarrierBefore();
  void BarrierAfter();
  // Goes to `no` when the class of the object rax, not null, is neither the class r10 nor below it.
  // The registers r8, r9, r11 are lost.
  void CheckSubclass(x64::Label no);
  // Goes to `yes` when the class rcx or one above it is rdx.
  void ScanSecondarySupers(x64::Reg klass, x64::Reg super, x64::Label yes);

  x64::Assembler& a_;
  SiteWriter& sites_;
  const VmLayout& vm_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_HEAP_CODE_H_
