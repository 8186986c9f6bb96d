#include "compiler/ctb/stub_code.h"

#include <array>
#include <cstddef>

#include "compiler/x64/assembler.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::At;
using x64::Precision;
using x64::Xmm;

std::vector<uint8_t> AssembleProfilingStub(uint64_t find) {
  constexpr std::array kIntegers = {rsi, rdx, rcx, r8, r9, rdi};
  constexpr int32_t kFloats = 8;
  // With what is pushed and the return address, the stack is aligned to 16 bytes.
  constexpr int32_t kFloatBytes = 8 * kFloats + 8;
  x64::Assembler a;
  for (const x64::Reg reg : kIntegers) a.Push(reg);
  a.Do(x64::Alu::kSub, k64, rsp, kFloatBytes);
  for (int32_t i = 0; i < kFloats; ++i) {
    a.Store(Precision::kDouble, At(rsp, 8 * i), static_cast<Xmm>(i));
  }
  a.Mov(k64, rdi, rsi);
  a.Load(k64, rsi, At(rsp, kFloatBytes + 8 * static_cast<int32_t>(kIntegers.size())));
  a.MovImmediate(rax, static_cast<int64_t>(find));
  a.Call(rax);
  for (int32_t i = 0; i < kFloats; ++i) {
    a.Load(Precision::kDouble, static_cast<Xmm>(i), At(rsp, 8 * i));
  }
  a.Do(x64::Alu::kAdd, k64, rsp, kFloatBytes);
  for (size_t i = kIntegers.size(); i > 0; --i) a.Pop(kIntegers[i - 1]);
  a.Jump(rax);
  return a.TakeCode();
}

std::vector<uint8_t> AssembleThunk(uint64_t entry, int32_t compiled_entry) {
  x64::Assembler a;
  a.MovImmediate(rbx, static_cast<int64_t>(entry));
  a.Load(k64, rbx, At(rbx));
  a.Jump(At(rbx, compiled_entry));
  return a.TakeCode();
}

}  // namespace yp::compiler
