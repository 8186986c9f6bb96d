#ifndef YP_COMPILER_BASELINE_RUNNING_CODE_FOR_TEST_H_
#define YP_COMPILER_BASELINE_RUNNING_CODE_FOR_TEST_H_

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "classfile/instructions.h"
#include "compiler/baseline/base_compiler.h"
#include "compiler/bytecode/fake_linkage_for_test.h"
#include "compiler/install/site_writer.h"
#include "compiler/install/test_store_for_test.h"
#include "compiler/runtime/frame_layout.h"
#include "compiler/x64/assembler.h"

namespace yp::compiler {

// What the tests' methods consist of (JVMS 6.5).
using classfile::op::kInvokestatic;
using classfile::op::kInvokevirtual;
using classfile::op::kIreturn;
using classfile::op::kReturn;
inline constexpr uint8_t kIload0 = 26, kIload1 = 27, kLload0 = 30, kLload2 = 32, kDload0 = 38,
                         kDload2 = 40, kAload0 = 42, kLreturn = 173, kDreturn = 175;

// As JDK 17 lays itself out, or another of which the test data are.
inline VmLayout Vm(const char* store = "../install/testdata/jdk17.txt") {
  const auto vm = VmLayout::From(ReadTestStore(store));
  if (!vm) {
    ADD_FAILURE() << "run it in its source folder: " << vm.message();
    std::abort();  // What is compiled for no VM may never end.
  }
  return *vm;
}

inline Method MethodOf(const char* descriptor, std::vector<uint8_t> code) {
  Method method;
  method.signature = *Signature::Parse(descriptor);
  method.is_static = true;
  method.code = std::move(code);
  method.max_locals = 12;
  method.max_stack = 12;
  return method;
}

// BASE, or another level.
using CompileForTest = Result<CompiledCode> (*)(const Method&, Linkage&, const VmLayout&,
                                                const RuntimePlaces&);

// Code that calls nothing, run outside any VM: a thread that is only memory, and a page to poll.
// Where it leaves compiled code, it returns kTrapped.
class Running {
 public:
  Running(const VmLayout& vm, const Method& method, const RuntimePlaces& places = {},
          FakeLinkage linkage = {}, CompileForTest compile = &CompileBase) {
    const auto compiled = compile(method, linkage, vm, places);
    EXPECT_TRUE(compiled) << compiled.message();
    memory_ = static_cast<uint8_t*>(
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memcpy(memory_, compiled->code.data(), compiled->code.size());
    EmitTrap(compiled->sites[0], compiled->code.size());
    EmitEntry(compiled->verified_entry);
    mprotect(memory_, kBytes, PROT_READ | PROT_EXEC);
    void* page = page_;
    std::memcpy(thread_ + vm.polling_page, &page, sizeof page);
  }
  ~Running() { munmap(memory_, kBytes); }

  // Two integers and two doubles, as the method takes them; gives rax and xmm0.
  struct Results {
    int64_t integer;
    double number;
  };
  Results operator()(int64_t a, int64_t b = 0, double x = 0, double y = 0) const {
    using Entry =
        double (*)(void* thread, int64_t a, int64_t b, int64_t* integer, double x, double y);
    Entry entry;
    const void* at = memory_ + kEntry;
    std::memcpy(&entry, &at, sizeof entry);
    Results results{};
    results.number = entry(const_cast<uint8_t*>(thread_), a, b, &results.integer, x, y);
    return results;
  }
  int32_t Int(int64_t a, int64_t b = 0, double x = 0, double y = 0) const {
    return static_cast<int32_t>((*this)(a, b, x, y).integer);
  }

  // Something of the thread's, by its offset there.
  template <typename T>
  void Set(int32_t offset, T value) {
    std::memcpy(thread_ + offset, &value, sizeof value);
  }
  template <typename T>
  T Get(int32_t offset) const {
    T value;
    std::memcpy(&value, thread_ + offset, sizeof value);
    return value;
  }
  static constexpr int32_t kTrapped = -4711;
  // A value of the frame that was left last, of a method that passes nothing on the stack.
  int64_t TrappedValue(uint32_t slot) const {
    int64_t value;
    std::memcpy(&value, trapped_ + FrameLayout(0, 0, 0).Value(slot), sizeof value);
    return value;
  }
  // Where the call of the method returns to.
  const uint8_t* ReturnAddress() const { return memory_ + kEntry + return_offset_; }

 private:
  static constexpr size_t kBytes = 20480, kEntry = 12288, kTrap = 16384;

  // What all calls that the VM would link lead to: keeps the frame, and takes it away.
  void EmitTrap(int32_t frame_bytes, size_t code_bytes) {
    using enum x64::Reg;
    using enum x64::Width;
    x64::Assembler a;
    a.MovImmediate(rax, static_cast<int64_t>(reinterpret_cast<intptr_t>(trapped_)));
    const auto kept = std::min(frame_bytes, static_cast<int32_t>(sizeof trapped_));
    for (int32_t i = 0; i < kept; i += 8) {
      a.Load(k64, rcx, x64::At(rsp, 8 + i));
      a.Store(k64, x64::At(rax, i), rcx);
    }
    a.Do(x64::Alu::kAdd, k64, rsp, 8 + frame_bytes - 16);
    a.Pop(rbp);
    a.MovImmediate(rax, kTrapped);
    a.Return();
    const std::vector<uint8_t> code = a.TakeCode();
    std::memcpy(memory_ + kTrap, code.data(), code.size());
    constexpr uint8_t kCall[] = {0xe8, 0, 0, 0, 0};
    for (size_t i = 0; i + sizeof kCall <= code_bytes; ++i) {
      if (std::memcmp(memory_ + i, kCall, sizeof kCall) != 0) continue;
      const auto distance = static_cast<uint32_t>(kTrap - i - sizeof kCall);
      std::memcpy(memory_ + i + 1, &distance, sizeof distance);
    }
  }

  // From C++'s calling convention to Java's.
  void EmitEntry(size_t target) {
    using enum x64::Reg;
    using enum x64::Width;
    x64::Assembler a;
    for (const x64::Reg reg : {rbx, rbp, r12, r13, r14, r15}) a.Push(reg);
    a.Push(rcx);  // Seven words and the return address: the stack is aligned.
    a.Mov(k64, r15, rdi);
    a.MovImmediate(rax, static_cast<int64_t>(reinterpret_cast<intptr_t>(memory_ + target)));
    a.Call(rax);
    return_offset_ = a.size();
    a.Pop(rcx);
    a.Store(k64, x64::At(rcx), rax);
    for (const x64::Reg reg : {r15, r14, r13, r12, rbp, rbx}) a.Pop(reg);
    a.Return();
    const std::vector<uint8_t> code = a.TakeCode();
    std::memcpy(memory_ + kEntry, code.data(), code.size());
  }

  uint8_t* memory_;
  size_t return_offset_ = 0;
  uint8_t thread_[4096] = {};
  uint64_t page_[1] = {};
  uint8_t trapped_[512] = {};
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_RUNNING_CODE_FOR_TEST_H_
