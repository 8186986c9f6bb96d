#ifndef YP_COMPILER_BASELINE_LEAF_FUNCTIONS_FOR_TEST_H_
#define YP_COMPILER_BASELINE_LEAF_FUNCTIONS_FOR_TEST_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "compiler/baseline/running_code_for_test.h"

namespace yp::compiler {

// What code does that calls functions in the place of the VM's, at any level. They lose every
// register that C lets them lose.
class LeafFunctionsForTest {
 public:
  explicit LeafFunctionsForTest(CompileForTest compile) : compile_(compile), vm_(Vm()) {
    vm_.compressed_oops = false;
    vm_.array_base['B'] = vm_.array_base['I'] = 16;
  }

  void KeepWhatIsNeededBehindThem() {
    // x * y + sin(x) + y, and i * i + crc32(5, bytes, i, 3) - i
    const Running doubles =
        CodeWith(Leaf::kSin, &Halve, "(D)D", "(DD)D",
                 {kDload0, kDload2, 107, kDload0, kInvokestatic, 0, 1, 99, kDload2, 99, kDreturn});
    EXPECT_EQ(doubles(0, 0, 3, 5).number, 3 * 5 + 1.5 + 5);
    const Running ints = CodeWith(Leaf::kCrc32, &Add, "(I[BII)I", "([BI)I",
                                  {kIload1, kIload1, 104, 8, kAload0, kIload1, 6, kInvokestatic, 0,
                                   1, 96, kIload1, 100, kIreturn});
    EXPECT_EQ(ints.Int(Address(array_), 4), 4 * 4 + (5 + 14 + 15 + 16) - 4);
    EXPECT_EQ(ints.Int(Address(array_), 0), 5 + 10 + 11 + 12);
  }

  void GiveWhatTheyReturn() {
    const Running time =
        CodeWith(Leaf::kNanoTime, &Time, "()J", "()J", {kInvokestatic, 0, 1, kLreturn});
    EXPECT_EQ(time(0).integer, Time());
    const Running power = CodeWith(Leaf::kPow, &Less, "(DD)D", "(DD)D",
                                   {kDload2, kDload0, kInvokestatic, 0, 1, kDreturn});
    EXPECT_EQ(power(0, 0, 3, 5).number, 2);
  }

  void TakeAnArrayOfTheReceivers() {
    // object.compress(bytes, 3), 1
    const Running compress = CodeWith(Leaf::kMd5, &Compress, "([BI)V", "(Ljava/lang/Object;[B)I",
                                      {kAload0, 43, 6, kInvokevirtual, 0, 1, 4, kIreturn});
    int64_t object[4] = {};
    uint8_t state[32] = {};
    const int64_t address = Address(state);
    std::memcpy(reinterpret_cast<char*>(object) + kStateOffset, &address, sizeof address);
    EXPECT_EQ(compress.Int(Address(object), Address(array_)), 1);
    EXPECT_EQ(state[16], 13);
    EXPECT_EQ(compress.Int(0, Address(array_)), Running::kTrapped);
  }

 private:
  static constexpr int32_t kStateOffset = 24;

  static int64_t Address(const void* of) { return reinterpret_cast<intptr_t>(of); }

  static void LoseRegisters() {
    asm volatile(
        "mov $-1, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"
        "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11;"
        "pcmpeqd %%xmm0, %%xmm0; movaps %%xmm0, %%xmm1; movaps %%xmm0, %%xmm2;"
        "movaps %%xmm0, %%xmm3; movaps %%xmm0, %%xmm4; movaps %%xmm0, %%xmm5;"
        "movaps %%xmm0, %%xmm6; movaps %%xmm0, %%xmm7; movaps %%xmm0, %%xmm8;"
        "movaps %%xmm0, %%xmm9; movaps %%xmm0, %%xmm10; movaps %%xmm0, %%xmm11;"
        "movaps %%xmm0, %%xmm12; movaps %%xmm0, %%xmm13; movaps %%xmm0, %%xmm14;"
        "movaps %%xmm0, %%xmm15;"
        :
        :
        : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2",
          "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
          "xmm13", "xmm14", "xmm15", "memory");
  }
  // Of a function: the stack that it was called with.
  static void ExpectAligned(const void* frame) { EXPECT_EQ(Address(frame) % 16, 0); }

  [[gnu::noinline]] static double Halve(double x) {
    ExpectAligned(__builtin_frame_address(0));
    LoseRegisters();
    return x / 2;
  }
  static double Less(double x, double y) { return x - y; }
  static int64_t Time() { return int64_t{1} << 40 | 7; }
  [[gnu::noinline]] static int32_t Add(int32_t to, const uint8_t* bytes, int32_t length) {
    ExpectAligned(__builtin_frame_address(0));
    for (int32_t i = 0; i < length; ++i) to += bytes[i];
    LoseRegisters();
    return to;
  }
  static void Compress(const uint8_t* bytes, uint8_t* state) { state[0] = bytes[0]; }

  // A static method that calls one for which the function is there.
  template <typename Function>
  Running CodeWith(Leaf leaf, Function* function, const char* callee, const char* descriptor,
                   std::vector<uint8_t> code) {
    vm_.leaves[static_cast<size_t>(leaf)] =
        static_cast<uint64_t>(reinterpret_cast<uintptr_t>(function));
    CallLink call;
    call.signature = *Signature::Parse(callee);
    call.resolved = true;
    call.intrinsic = {Intrinsic::Kind::kLeafCall, 0, false, kStateOffset, leaf};
    FakeLinkage linkage;
    linkage.calls[1] = call;
    return Running(vm_, MethodOf(descriptor, std::move(code)), {}, linkage, compile_);
  }

  const CompileForTest compile_;
  VmLayout vm_;
  // An array whose elements begin with 10, 11, 12.
  const uint8_t array_[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                              10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25};
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_LEAF_FUNCTIONS_FOR_TEST_H_
