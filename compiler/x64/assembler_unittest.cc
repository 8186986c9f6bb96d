#include "compiler/x64/assembler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "compiler/x64/executable_for_test.h"

namespace yp::x64 {
namespace {

using enum Reg;
using enum Width;
using A = Assembler;

std::string Hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x ", byte);
    text += digits;
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string Assemble(const std::function<void(A&)>& emit) {
  A a;
  emit(a);
  return Hex(a.TakeCode());
}

struct Case {
  const char* assembly;  // Intel's syntax
  std::function<void(A&)> emit;
  const char* bytes;
};

// What objdump 2.40 (-M intel) reads in the bytes is what stands before them.
TEST(Assembler, EncodesEachFormOfItsInstructions) {
  const Case cases[] = {
      {"mov rax, r9", [](A& a) { a.Mov(k64, rax, r9); }, "49 8b c1"},
      {"mov eax, ecx", [](A& a) { a.Mov(k32, rax, rcx); }, "8b c1"},
      {"mov eax, [rsp]", [](A& a) { a.Load(k32, rax, At(rsp)); }, "8b 04 24"},
      {"mov rax, [rsp+128]", [](A& a) { a.Load(k64, rax, At(rsp, 128)); },
       "48 8b 84 24 80 00 00 00"},
      {"mov r10, [r13+0]", [](A& a) { a.Load(k64, r10, At(r13)); }, "4d 8b 55 00"},
      {"mov rdx, [r12+8]", [](A& a) { a.Load(k64, rdx, At(r12, 8)); }, "49 8b 54 24 08"},
      {"mov eax, [rdx+rcx*4+16]", [](A& a) { a.Load(k32, rax, At(rdx, rcx, 2, 16)); },
       "8b 44 8a 10"},
      {"mov rax, [r8+r9*8+8]", [](A& a) { a.Load(k64, rax, At(r8, r9, 3, 8)); }, "4b 8b 44 c8 08"},
      {"movzx eax, byte ptr [rcx+12]", [](A& a) { a.LoadZeroExtended(k8, rax, At(rcx, 12)); },
       "0f b6 41 0c"},
      {"movsx eax, word ptr [rcx]", [](A& a) { a.LoadSignExtended(k16, rax, At(rcx)); },
       "0f bf 01"},
      {"mov byte ptr [rdx], al", [](A& a) { a.Store(k8, At(rdx), rax); }, "88 02"},
      {"mov byte ptr [rdx], sil", [](A& a) { a.Store(k8, At(rdx), rsi); }, "40 88 32"},
      {"mov word ptr [rdx], ax", [](A& a) { a.Store(k16, At(rdx), rax); }, "66 89 02"},
      {"mov [r15+880], r11", [](A& a) { a.Store(k64, At(r15, 880), r11); }, "4d 89 9f 70 03 00 00"},
      {"mov dword ptr [r15+4], -1", [](A& a) { a.StoreImmediate(k32, At(r15, 4), -1); },
       "41 c7 47 04 ff ff ff ff"},
      {"mov qword ptr [rax], 1", [](A& a) { a.StoreImmediate(k64, At(rax), 1); },
       "48 c7 00 01 00 00 00"},
      {"mov byte ptr [rsi], 0", [](A& a) { a.StoreImmediate(k8, At(rsi), 0); }, "c6 06 00"},
      {"xor eax, eax", [](A& a) { a.MovImmediate(rax, 0); }, "33 c0"},
      {"mov r8d, 5", [](A& a) { a.MovImmediate(r8, 5); }, "41 b8 05 00 00 00"},
      {"mov rax, -2", [](A& a) { a.MovImmediate(rax, -2); }, "48 c7 c0 fe ff ff ff"},
      {"movabs r9, 0x100000000", [](A& a) { a.MovImmediate(r9, int64_t{1} << 32); },
       "49 b9 00 00 00 00 01 00 00 00"},
      {"lea eax, [rcx+1]", [](A& a) { a.Lea(k32, rax, At(rcx, 1)); }, "8d 41 01"},
      {"cmp dword ptr [rsp+8], ecx", [](A& a) { a.Do(Alu::kCmp, k32, At(rsp, 8), rcx); },
       "39 4c 24 08"},
      {"imul eax, [rsp+8]", [](A& a) { a.Multiply(k32, rax, At(rsp, 8)); }, "0f af 44 24 08"},
      {"imul rax, rcx, 7", [](A& a) { a.Multiply(k64, rax, rcx, 7); }, "48 6b c1 07"},
      {"imul eax, ecx, 1000", [](A& a) { a.Multiply(k32, rax, rcx, 1000); }, "69 c1 e8 03 00 00"},
      {"addsd xmm9, [rsp+8]",
       [](A& a) { a.Do(Sse::kAdd, Precision::kDouble, Xmm::xmm9, At(rsp, 8)); },
       "f2 44 0f 58 4c 24 08"},
      {"movaps xmm1, xmm10", [](A& a) { a.Mov(Xmm::xmm1, Xmm::xmm10); }, "41 0f 28 ca"},
      {"andps xmm9, xmm1", [](A& a) { a.And(Xmm::xmm9, Xmm::xmm1); }, "44 0f 54 c9"},
      {"xorps xmm0, xmm15", [](A& a) { a.Xor(Xmm::xmm0, Xmm::xmm15); }, "41 0f 57 c7"},
      {"ucomisd xmm0, [rsp+8]", [](A& a) { a.Compare(Precision::kDouble, Xmm::xmm0, At(rsp, 8)); },
       "66 0f 2e 44 24 08"},
      {"movsd xmm0, [rip+0]",
       [](A& a) {
         const Label label = a.NewLabel();
         a.Load(Precision::kDouble, Xmm::xmm0, label);
         a.Bind(label);
       },
       "f2 0f 10 05 00 00 00 00"},
      {"mulss xmm8, [rip+0]",
       [](A& a) {
         const Label label = a.NewLabel();
         a.Do(Sse::kMul, Precision::kSingle, Xmm::xmm8, label);
         a.Bind(label);
       },
       "f3 44 0f 59 05 00 00 00 00"},
      {"call $+5",
       [](A& a) {
         const Label label = a.NewLabel();
         a.Call(label);
         a.Bind(label);
       },
       "e8 00 00 00 00"},
      {"lea rcx, [rax+rdx]", [](A& a) { a.Lea(rcx, At(rax, rdx, 0, 0)); }, "48 8d 0c 10"},
      {"movzx eax, sil", [](A& a) { a.ZeroExtend(k8, rax, rsi); }, "40 0f b6 c6"},
      {"movsx eax, ax", [](A& a) { a.SignExtend(k16, rax, rax); }, "0f bf c0"},
      {"movsxd rax, eax", [](A& a) { a.SignExtend(k32, rax, rax); }, "48 63 c0"},
      {"push rbp", [](A& a) { a.Push(rbp); }, "55"},
      {"pop r11", [](A& a) { a.Pop(r11); }, "41 5b"},
      {"add eax, ecx", [](A& a) { a.Do(Alu::kAdd, k32, rax, rcx); }, "03 c1"},
      {"cmp r8, r10", [](A& a) { a.Do(Alu::kCmp, k64, r8, r10); }, "4d 3b c2"},
      {"sub rsp, 256", [](A& a) { a.Do(Alu::kSub, k64, rsp, 256); }, "48 81 ec 00 01 00 00"},
      {"and eax, 1", [](A& a) { a.Do(Alu::kAnd, k32, rax, 1); }, "83 e0 01"},
      {"cmp rcx, [r15+280]", [](A& a) { a.Do(Alu::kCmp, k64, rcx, At(r15, 280)); },
       "49 3b 8f 18 01 00 00"},
      {"add dword ptr [rsp+8], 100", [](A& a) { a.Do(Alu::kAdd, k32, At(rsp, 8), 100); },
       "83 44 24 08 64"},
      {"cmp byte ptr [r15+56], 0", [](A& a) { a.Do(Alu::kCmp, k8, At(r15, 56), 0); },
       "41 80 7f 38 00"},
      {"test rcx, rcx", [](A& a) { a.Test(k64, rcx, rcx); }, "48 85 c9"},
      {"test [r10], eax", [](A& a) { a.Test(k32, At(r10), rax); }, "41 85 02"},
      {"test dword ptr [rax+8], 1024", [](A& a) { a.TestImmediate(k32, At(rax, 8), 1024); },
       "f7 40 08 00 04 00 00"},
      {"imul rax, rcx", [](A& a) { a.Multiply(k64, rax, rcx); }, "48 0f af c1"},
      {"neg eax", [](A& a) { a.Negate(k32, rax); }, "f7 d8"},
      {"imul rcx", [](A& a) { a.MultiplyHigh(k64, rcx); }, "48 f7 e9"},
      {"imul r9", [](A& a) { a.MultiplyHigh(k64, r9); }, "49 f7 e9"},
      {"cdq; idiv ecx", [](A& a) { a.Divide(k32, rcx); }, "99 f7 f9"},
      {"cqo; idiv rcx", [](A& a) { a.Divide(k64, rcx); }, "48 99 48 f7 f9"},
      {"shl eax, cl", [](A& a) { a.DoShift(Shift::kLeft, k32, rax); }, "d3 e0"},
      {"sar rax, cl", [](A& a) { a.DoShift(Shift::kRight, k64, rax); }, "48 d3 f8"},
      {"shr rdx, 9", [](A& a) { a.DoShift(Shift::kRightUnsigned, k64, rdx, 9); }, "48 c1 ea 09"},
      {"setg al", [](A& a) { a.Set(Condition::kGreater, rax); }, "0f 9f c0"},
      {"lock add dword ptr [rsp], 0", [](A& a) { a.Fence(); }, "f0 83 04 24 00"},
      {"lock cmpxchg qword ptr [rsi], rdx",
       [](A& a) { a.LockedCompareExchange(k64, At(rsi), rdx); }, "f0 48 0f b1 16"},
      {"lock cmpxchg qword ptr [r9+8], r11",
       [](A& a) { a.LockedCompareExchange(k64, At(r9, 8), r11); }, "f0 4d 0f b1 59 08"},
      {"lock cmpxchg dword ptr [rsi+rcx*1], edi",
       [](A& a) { a.LockedCompareExchange(k32, At(rsi, rcx, 0, 0), rdi); }, "f0 0f b1 3c 0e"},
      {"sqrtsd xmm1, xmm9", [](A& a) { a.SquareRoot(Xmm::xmm1, Xmm::xmm9); }, "f2 41 0f 51 c9"},
      {"movq xmm8, rax", [](A& a) { a.MovBits(k64, Xmm::xmm8, rax); }, "66 4c 0f 6e c0"},
      {"movd r9d, xmm2", [](A& a) { a.MovBits(k32, r9, Xmm::xmm2); }, "66 41 0f 7e d1"},
      {"lock add qword ptr [r10], 1", [](A& a) { a.LockedIncrement(At(r10)); }, "f0 49 83 02 01"},
      {"jmp r10", [](A& a) { a.Jump(r10); }, "41 ff e2"},
      {"call rax", [](A& a) { a.Call(rax); }, "ff d0"},
      {"movss xmm1, [rsp+8]", [](A& a) { a.Load(Precision::kSingle, Xmm::xmm1, At(rsp, 8)); },
       "f3 0f 10 4c 24 08"},
      {"movsd [rsp], xmm0", [](A& a) { a.Store(Precision::kDouble, At(rsp), Xmm::xmm0); },
       "f2 0f 11 04 24"},
      {"divsd xmm0, xmm1", [](A& a) { a.Do(Sse::kDiv, Precision::kDouble, Xmm::xmm0, Xmm::xmm1); },
       "f2 0f 5e c1"},
      {"ucomisd xmm0, xmm1", [](A& a) { a.Compare(Precision::kDouble, Xmm::xmm0, Xmm::xmm1); },
       "66 0f 2e c1"},
      {"ucomiss xmm0, xmm1", [](A& a) { a.Compare(Precision::kSingle, Xmm::xmm0, Xmm::xmm1); },
       "0f 2e c1"},
      {"cvtsi2sd xmm0, rax", [](A& a) { a.Convert(k64, Precision::kDouble, Xmm::xmm0, rax); },
       "f2 48 0f 2a c0"},
      {"cvttss2si eax, xmm0", [](A& a) { a.Truncate(Precision::kSingle, k32, rax, Xmm::xmm0); },
       "f3 0f 2c c0"},
      {"cvtsd2ss xmm0, xmm0",
       [](A& a) { a.ConvertPrecision(Precision::kDouble, Xmm::xmm0, Xmm::xmm0); }, "f2 0f 5a c0"},
      {"movups xmm9, [rdx+rcx*8+16]", [](A& a) { a.LoadVector(Xmm::xmm9, At(rdx, rcx, 3, 16)); },
       "44 0f 10 4c ca 10"},
      {"movups [rsp], xmm1", [](A& a) { a.StoreVector(At(rsp), Xmm::xmm1); }, "0f 11 0c 24"},
      {"unpcklpd xmm8, xmm8", [](A& a) { a.Broadcast(Precision::kDouble, Xmm::xmm8); },
       "66 45 0f 14 c0"},
      {"shufps xmm1, xmm1, 0", [](A& a) { a.Broadcast(Precision::kSingle, Xmm::xmm1); },
       "0f c6 c9 00"},
      {"punpcklqdq xmm2, xmm2", [](A& a) { a.Broadcast(k64, Xmm::xmm2); }, "66 0f 6c d2"},
      {"pshufd xmm9, xmm9, 0", [](A& a) { a.Broadcast(k32, Xmm::xmm9); }, "66 45 0f 70 c9 00"},
      {"subpd xmm0, xmm9",
       [](A& a) { a.DoVector(Sse::kSub, Precision::kDouble, Xmm::xmm0, Xmm::xmm9); },
       "66 41 0f 5c c1"},
      {"mulps xmm10, xmm1",
       [](A& a) { a.DoVector(Sse::kMul, Precision::kSingle, Xmm::xmm10, Xmm::xmm1); },
       "44 0f 59 d1"},
      {"paddd xmm1, xmm2", [](A& a) { a.DoVector(Packed::kAddInts, Xmm::xmm1, Xmm::xmm2); },
       "66 0f fe ca"},
      {"psubq xmm8, xmm2", [](A& a) { a.DoVector(Packed::kSubLongs, Xmm::xmm8, Xmm::xmm2); },
       "66 44 0f fb c2"},
      {"pxor xmm3, xmm15", [](A& a) { a.DoVector(Packed::kXor, Xmm::xmm3, Xmm::xmm15); },
       "66 41 0f ef df"},
      {"psrad xmm9, 5", [](A& a) { a.ShiftVector(Shift::kRight, k32, Xmm::xmm9, 5); },
       "66 41 0f 72 e1 05"},
      {"psllq xmm1, 33", [](A& a) { a.ShiftVector(Shift::kLeft, k64, Xmm::xmm1, 33); },
       "66 0f 73 f1 21"},
      {"psrld xmm1, 31", [](A& a) { a.ShiftVector(Shift::kRightUnsigned, k32, Xmm::xmm1, 31); },
       "66 0f 72 d1 1f"},
      {"xorps xmm1, xmm1", [](A& a) { a.Clear(Xmm::xmm1); }, "0f 57 c9"},
  };
  for (const Case& c : cases) EXPECT_EQ(Assemble(c.emit), c.bytes) << c.assembly;
}

TEST(Assembler, JumpsBackwardsShortAndForwardsLong) {
  EXPECT_EQ(Assemble([](A& a) {
              const Label back = a.NewLabel(), forward = a.NewLabel();
              a.Bind(back);
              a.Jump(forward);
              a.Jump(Condition::kEqual, back);
              a.Bind(forward);
            }),
            "e9 02 00 00 00 74 f9");
}

TEST(Assembler, JumpsBackwardsLongWhereShortDoesNotReach) {
  A a;
  const Label back = a.NewLabel();
  a.Bind(back);
  a.Nop(200);
  a.Jump(back);
  const std::vector<uint8_t> code = a.TakeCode();
  ASSERT_EQ(code.size(), 205u);
  EXPECT_EQ(Hex({code.begin() + 200, code.end()}), "e9 33 ff ff ff");
}

TEST(Assembler, AlignsToAPhase) {
  A a;
  a.Byte(0x90);
  a.Align(4, 3);
  EXPECT_EQ(a.size(), 3u);
  a.Align(16);
  EXPECT_EQ(a.size(), 16u);
  a.Align(16);
  EXPECT_EQ(a.size(), 16u);
}

using Runnable = Executable<int64_t(int64_t)>;

TEST(Assembler, ATableOfJumpsLeadsToItsTargets) {
  A a;
  const Label table = a.NewLabel();
  const Label targets[] = {a.NewLabel(), a.NewLabel(), a.NewLabel()};
  a.LeaLabel(rcx, table);
  a.Load(k32, rax, At(rcx, rdi, 2, 0));
  a.SignExtend(k32, rax, rax);
  a.Do(Alu::kAdd, k64, rax, rcx);
  a.Jump(rax);
  for (int i = 0; i < 3; ++i) {
    a.Bind(targets[i]);
    a.MovImmediate(rax, 10 * i + 7);
    a.Return();
    if (i == 1) {  // In the middle, so that distances have both signs.
      a.Align(4);
      a.Bind(table);
      for (const Label target : targets) a.Distance(table, target);
    }
  }
  const Runnable run(a.TakeCode());
  EXPECT_EQ(run(0), 7);
  EXPECT_EQ(run(1), 17);
  EXPECT_EQ(run(2), 27);
}

TEST(Assembler, ImmediatesOfAllSizesArriveWhole) {
  for (const int64_t value :
       {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{INT32_MAX}, int64_t{INT32_MAX} + 1,
        int64_t{UINT32_MAX}, int64_t{UINT32_MAX} + 1, int64_t{INT32_MIN}, int64_t{INT32_MIN} - 1,
        std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    A a;
    a.MovImmediate(rax, value);
    a.Return();
    EXPECT_EQ(Runnable(a.TakeCode())(0), value);
  }
}

}  // namespace
}  // namespace yp::x64
