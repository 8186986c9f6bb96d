#include "hotspot/arch/x64/barrier_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "hotspot/arch/x64/entry_samples_for_test.h"

namespace yp::hotspot {
namespace {

TEST(BarrierCodeTest, TheBarrierOfRealMethodsIsFound) {
  for (const EntrySample& sample : EntrySamples()) {
    const auto barrier = FindEntryBarrier(sample.address, sample.code);
    ASSERT_TRUE(barrier.has_value()) << sample.what;
    EXPECT_EQ(barrier->compare, sample.compare) << sample.what;
    EXPECT_EQ(barrier->displacement, sample.displacement) << sample.what;
    EXPECT_EQ(barrier->guard, sample.guard) << sample.what;
    EXPECT_EQ(barrier->stub, sample.stub) << sample.what;
  }
}

TEST(BarrierCodeTest, TheCompareIsFoundFromWhereTheBarrierReturnsTo) {
  for (const EntrySample& sample : EntrySamples()) {
    std::vector<uint8_t> memory(64, 0xcc);  // Code lies around a method.
    memory.insert(memory.end(), sample.code.begin(), sample.code.end());
    memory.resize(memory.size() + 64, 0xcc);
    const uintptr_t entry = reinterpret_cast<uintptr_t>(memory.data()) + 64;
    EXPECT_EQ(CompareOfReturn(entry + sample.returns_to, sample.displacement),
              entry + sample.compare)
        << sample.what;
    const auto other = static_cast<uint8_t>(sample.displacement + 8);
    EXPECT_EQ(CompareOfReturn(entry + sample.returns_to, other), 0u) << sample.what;
    // One byte of the compare, or of the jump behind it, spoilt.
    for (const size_t at : {sample.compare, sample.compare + 1, sample.compare + 2,
                            sample.compare + 3, sample.compare + 8, sample.compare + 9}) {
      memory[64 + at] ^= 0x10;
      EXPECT_EQ(CompareOfReturn(entry + sample.returns_to, sample.displacement), 0u)
          << sample.what << " " << at;
      memory[64 + at] ^= 0x10;
    }
  }
}

TEST(BarrierCodeTest, TheFrameOfRealMethodsIsAsLargeAsTheVmSays) {
  for (const EntrySample& sample : EntrySamples()) {
    const auto frame = FrameBytes(std::span(sample.code).first(sample.compare));
    ASSERT_TRUE(frame.has_value()) << sample.what;
    EXPECT_EQ(*frame + 8, sample.frame_words * 8) << sample.what;
  }
}

TEST(BarrierCodeTest, FramesOfEverySizeAndAlignment) {
  for (const std::vector<uint8_t>& nops :
       std::vector<std::vector<uint8_t>>{{},
                                         {0x90},
                                         {0x66, 0x90},
                                         {0x66, 0x66, 0x90},
                                         {0x0f, 0x1f, 0x00},
                                         {0x66, 0x66, 0x66, 0x90},
                                         {0x0f, 0x1f, 0x40, 0x00},
                                         {0x0f, 0x1f, 0x44, 0x00, 0x00},
                                         {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
                                         {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
                                         {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00}}) {
    for (size_t size = 16; size < 4096; size += 16) {
      std::vector<uint8_t> code = {0x55};
      if (size < 0x80) {
        code.insert(code.end(), {0x48, 0x83, 0xec, static_cast<uint8_t>(size)});
      } else {
        code.insert(code.end(), {0x48, 0x81, 0xec, static_cast<uint8_t>(size),
                                 static_cast<uint8_t>(size >> 8), 0, 0});
      }
      code.insert(code.end(), nops.begin(), nops.end());
      EXPECT_EQ(FrameBytes(code), size + 8);
    }
  }
}

TEST(BarrierCodeTest, ProloguesOfUnknownFormHaveNoFrame) {
  for (const std::vector<uint8_t>& code : std::vector<std::vector<uint8_t>>{
           {},
           {0x90},
           {0x48, 0x83, 0xec, 0x10},                                         // No push rbp.
           {0x55, 0x48, 0x83, 0xec, 0x90},                                   // A negative size.
           {0x55, 0x48, 0x83, 0xec},                                         // Cut off.
           {0x55, 0x48, 0x29, 0xc4},                                         // sub rsp, rax
           {0x48, 0x81, 0xec, 0x28, 0, 0, 0, 0x48, 0x89, 0x6c, 0x24, 0x10},  // rbp elsewhere.
           {0x48, 0x89, 0x6c, 0x24, 0x10},
           {0x48, 0x81, 0xec, 0x18, 0, 0, 0, 0x48, 0x89, 0x6c, 0x24, 0x10, 0x48, 0x83, 0xc5,
            0x10}}) {
    EXPECT_EQ(FrameBytes(code), std::nullopt) << code.size();
  }
}

TEST(BarrierCodeTest, CodeWithoutABarrierHasNone) {
  const EntrySample& c1 = EntrySamples()[0];
  std::vector<uint8_t> code = c1.code;
  for (size_t bytes = 0; bytes < c1.returns_to; ++bytes) {
    EXPECT_FALSE(FindEntryBarrier(c1.address, std::span(c1.code).first(bytes)).has_value());
  }
  code[c1.compare + 3] = 0xa0;  // A negative displacement.
  EXPECT_FALSE(FindEntryBarrier(c1.address, code).has_value());
  code = c1.code;
  code[c1.compare + 9] = 0x06;  // je elsewhere
  EXPECT_FALSE(FindEntryBarrier(c1.address, code).has_value());
  code = std::vector<uint8_t>(64, 0x90);  // Too far behind the entry.
  code.insert(code.end(), c1.code.begin(), c1.code.end());
  EXPECT_FALSE(FindEntryBarrier(c1.address, code).has_value());

  const EntrySample& c2 = EntrySamples()[4];
  for (size_t bytes = 0; bytes < c2.returns_to + 5; ++bytes) {
    EXPECT_FALSE(FindEntryBarrier(c2.address, std::span(c2.code).first(bytes)).has_value());
  }
  code = c2.code;
  code[c2.returns_to + 1] -= 4;  // The jump leads elsewhere.
  EXPECT_FALSE(FindEntryBarrier(c2.address, code).has_value());
}

TEST(BarrierCodeTest, OnlyTheKnownStubIsTaken) {
  // Both JDKs: push -1; push rbp; mov rbp, rsp.
  const std::vector<uint8_t> stub = {0x68, 0xff, 0xff, 0xff, 0xff, 0x55, 0x48, 0x8b, 0xec};
  for (uintptr_t address = 4096; address <= 4096 + 64; ++address) {
    EXPECT_EQ(CheckStub(address, stub).ok(), address % 32 == 0);
  }
  EXPECT_FALSE(CheckStub(0, stub).ok());
  EXPECT_FALSE(CheckStub(4096, {}).ok());
  EXPECT_FALSE(CheckStub(4096, std::span(stub).first(7)).ok());
  for (size_t at = 0; at < kStubHeadBytes; ++at) {
    std::vector<uint8_t> other = stub;
    other[at] ^= 1;
    EXPECT_FALSE(CheckStub(4096, other).ok());
  }
}

TEST(BarrierCodeTest, TheJumpTakesFiveBytesAndReachesTwoGigabytes) {
  constexpr uintptr_t kStub = uintptr_t{1} << 40;
  constexpr uint64_t kWord = 0x8b4855ffffffff68;
  EXPECT_EQ(StubWithJump(kStub, kWord, kStub + 5 + 0x12345678), 0x8b485512345678e9u);
  EXPECT_EQ(StubWithJump(kStub, kWord, kStub + 5 + 0x80000000u), std::nullopt);
}

}  // namespace
}  // namespace yp::hotspot
