#ifndef YP_COMPILER_RUNTIME_HEAP_CODE_H_
#define YP_COMPILER_RUNTIME_HEAP_CODE_H_

#include <cstdint>
#include <functional>

#include "compiler/bytecode/linkage.h"
#include "compiler/install/site_writer.h"
#include "compiler/install/vm_layout.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// Code that works on objects as this VM lays them out. r15 is the thread everywhere.
// Registers not named in a comment keep their values; flags never do.
class HeapCode {
 public:
  // Of a card whose references are to be looked at.
  static constexpr int32_t kDirtyCard = 0;

  HeapCode(x64::Assembler& assembler, SiteWriter& sites, const VmLayout& vm)
      : a_(assembler), sites_(sites), vm_(vm) {}

  static x64::Mem Thread(int32_t offset) { return x64::At(x64::Reg::r15, offset); }

  // A class or object, whose address the VM fills in and keeps up to date.
  void LoadConstant(x64::Reg to, ConstantId constant);
  // The class of `object`; `to` is not r11, which is lost.
  void LoadKlass(x64::Reg to, x64::Reg object);
  // `to` is not r11, which is lost.
  void LoadOop(x64::Reg to, const x64::Mem& from);
  // Whether storing a reference needs no call: no collector looks at what was there, or is told at
  // once.
  bool StoresInLine() const { return vm_.collector != Collector::kG1; }
  // Stores the reference rax at the address rdx with the barriers of a collector for which that is
  // not so. Every register but rbx and r12 to r15 is lost.
  void StoreOop();
  // The same where it is. The registers r10 and r11, which it is not given, are lost.
  void StoreOopInLine(const x64::Mem& to, x64::Reg value);
  // The same without any barrier.
  void StoreOopUntold(const x64::Mem& to, x64::Reg value);
  // Stores the reference where rax, another one, is what is there: whether it has in rax, 0 or 1.
  // What the collector wants is done as by the two above: `to` and `value` where StoresInLine, then
  // r10 and r11 are lost; else the reference is rbx, the address rdx, and all are lost but rbx, rbp
  // and r12 to r15.
  void CompareAndSetOopInLine(const x64::Mem& to, x64::Reg value);
  // Its exchange, without any barrier: the flags say equal where it has stored. rax is lost.
  void ExchangeOop(const x64::Mem& to, x64::Reg value);
  void CompareAndSetOop();
  // What it says of the flags, in rax. `tell` is for the case that it has stored.
  void AnswerExchange(const std::function<void()>& tell);
  // Null, of which no collector but G1 wants to know. r10 and r11 are kept.
  void StoreNull(const x64::Mem& to);
  // rax, a reference that was loaded from Reference.referent, is kept alive where the collector
  // marks. Every register but rax, rbx and r12 to r15 is lost.
  void KeepReferent();

  // Goes on when the class is initialized, or this thread initializes it, else to `no`. r10 is
  // lost.
  void CheckInitialized(ConstantId klass, x64::Label no);
  // Goes to `yes` when the object, not null, is an instance of the class, else on. The registers
  // r10 and r11 are lost, and r9 where the class is not one of those above each class that the VM
  // finds at a place of its own (IsSecondary).
  void IsInstance(x64::Reg object, ConstantId klass, int32_t check_offset, x64::Label yes);
  // The same, but true: it is an instance if the flags say equal.
  bool CompareWithClass(x64::Reg object, ConstantId klass, int32_t check_offset, x64::Label yes);
  // Interfaces, and arrays of objects but java.lang.Object's, by Klass::_super_check_offset.
  bool IsSecondary(int32_t check_offset) const { return check_offset == vm_.secondary_super_cache; }
  // Asks what the guard asks of the object, not null: goes to `fails`, or on. True: it holds if
  // the flags say equal, else it holds. The same registers are lost as by IsInstance. Of a guard
  // that asks for something.
  bool CompareWithGuard(x64::Reg object, const GuardLink& guard, x64::Label fails);
  // Not 0 in `to`, and in the flags, when the object, not null, has a finalizer; `to` is not r11,
  // which is lost.
  void FindFinalizer(x64::Reg to, x64::Reg object);
  // The java.lang.Class of `object`, not null; `to` is not r11, which is lost.
  void LoadClass(x64::Reg to, x64::Reg object);
  // Goes to `no` when the object is null or no instance of the java.lang.Class `type`, not null.
  // The registers r9, r10, r11 are lost.
  void CheckInstance(x64::Reg type, x64::Reg object, x64::Label no);
  // Goes to `no` when the object, not null, may not be stored in the array. The registers r9, r10,
  // r11 are lost.
  void CheckArrayStore(x64::Reg array, x64::Reg object, x64::Label no);

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
  // G1's barriers (G1Barriers), in line.
  void KeepOld();
  void TellOfStore(x64::Reg stored);
  // Goes to `no` when the class of the object, not null, is neither the class r10 nor below it. The
  // registers r9 and r11 are lost.
  void CheckSubclass(x64::Reg object, x64::Label no);
  // Goes to `yes` when `super` is in the list of the class `klass`, or was found there by the VM
  // last. `klass` and `count` are lost.
  void ScanSecondarySupers(x64::Reg klass, x64::Reg super, x64::Reg count, x64::Label yes);
  void EncodeOop(x64::Reg to, x64::Reg oop);
  void MarkCard(const x64::Mem& of);

  x64::Assembler& a_;
  SiteWriter& sites_;
  const VmLayout& vm_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_HEAP_CODE_H_
