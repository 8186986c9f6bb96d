#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "compiler/baseline/running_code_for_test.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Bytes = std::vector<uint8_t>;

CodeTargetPlaces Places(uint32_t inlined, uint8_t words_log2) {
  return {.shadow = 0x7000'0000'0000,
          .words_log2 = words_log2,
          .inlined = inlined,
          .profiling_stub = 0x1234'5678,
          .first_direct_call = 0x2345'6789};
}

class Targets : public testing::TestWithParam<const char*> {
 protected:
  Bytes Compile(uint8_t opcode, const CallTarget& target, const CodeTargetPlaces& places) {
    FakeLinkage linkage;
    CallLink call;
    call.signature = *Signature::Parse("()V");
    call.resolved = true;
    call.dispatch = opcode == kInvokestatic ? Dispatch::kStatic : Dispatch::kVirtual;
    linkage.calls[1] = call;
    linkage.target = target;
    RuntimePlaces runtime;
    runtime.targets = places;
    const Bytes code = opcode == kInvokestatic ? Bytes{opcode, 0, 1, kReturn}
                                               : Bytes{kAload0, opcode, 0, 1, kReturn};
    const auto compiled =
        CompileBase(MethodOf("(Ljava/lang/Object;)V", code), linkage, vm_, runtime);
    EXPECT_TRUE(compiled) << compiled.message();
    Bytes padded = compiled->code;
    padded.resize(padded.size() + 16);
    return padded;
  }
  // Behind which calls there is a number: return addresses, as offsets.
  static std::vector<size_t> Marked(const Bytes& code, uint32_t number) {
    std::vector<size_t> found;
    for (size_t at = 5; at + 16 <= code.size(); ++at) {
      if (CallMarkedAt(&code[at]) == number && code[at - 2] == 0xff) found.push_back(at);
    }
    return found;
  }
  static bool Contains(const Bytes& code, const Bytes& part) {
    return std::search(code.begin(), code.end(), part.begin(), part.end()) != code.end();
  }

  VmLayout vm_ = Vm(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Jdks, Targets,
                         testing::Values("../install/testdata/jdk17.txt",
                                         "../install/testdata/jdk25.txt"));

Bytes Dword(uint32_t value) {
  Bytes bytes(4);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

TEST_P(Targets, AreLoadedFromTheReceiversDispatchSlot) {
  const CallTarget target{CallTarget::Kind::kIndexed, 77, 464 + 8 * 9, 1};
  // mov rax, [r11 + rax * 4 + words], the second of two that are inlined; then the array's address.
  const auto load = [](uint32_t displacement) {
    Bytes code = {0x49, 0x8b, 0x84, 0x83};
    for (const uint8_t byte : Dword(displacement)) code.push_back(byte);
    return code;
  };
  const auto words = static_cast<uint32_t>(4 * target.slot);
  EXPECT_TRUE(Contains(Compile(kInvokevirtual, target, Places(2, 2)), load(words + 8)));
  const Bytes in_array = Compile(kInvokevirtual, target, Places(1, 2));
  EXPECT_TRUE(Contains(in_array, load(words + 8)));
  EXPECT_TRUE(Contains(in_array, {0x48, 0x8b, 0x00}) || Contains(in_array, {0x48, 0x8b, 0x40, 0}))
      << "the array's first element";
}

TEST_P(Targets, AreCalledBeforeTheNumberOfTheCall) {
  const CallTarget target{CallTarget::Kind::kIndexed, 77, 464, 1};
  EXPECT_EQ(Marked(Compile(kInvokevirtual, target, Places(2, 2)), 77).size(), 1u);
}

// HotSpot takes what follows an e8 for the displacement of a call of its own, and may patch it.
TEST_P(Targets, AreNotCalledByWhatHotspotTakesForItsOwnCall) {
  for (const uint32_t index : {0u, 1u, 2u, 29u, 31u, 0xe8u, 0xe8e8u}) {
    for (const int32_t slot : {464, 0x1e8, 0xe8e8, 8}) {
      const CallTarget target{CallTarget::Kind::kIndexed, 77, slot, index};
      const Bytes code = Compile(kInvokevirtual, target, Places(2, 2));
      const std::vector<size_t> calls = Marked(code, 77);
      ASSERT_EQ(calls.size(), 1u);
      EXPECT_NE(code[calls[0] - 5], 0xe8) << index << " " << slot;
    }
  }
}

TEST_P(Targets, OfDirectCallsBeginWithAJumpThatOneByteMakesNone) {
  const CallTarget target{CallTarget::Kind::kDirect, 77};
  Bytes code = Compile(kInvokestatic, target, Places(2, 2));
  const Bytes plain = Compile(kInvokestatic, {}, Places(2, 2));
  EXPECT_THAT(Marked(code, 77), IsEmpty()) << "the VM links it";
  const auto [own, others] = std::mismatch(code.begin(), code.end(), plain.begin());
  ASSERT_EQ(*own, kTakenJump);
  int32_t distance = 0;
  std::memcpy(&distance, &own[1], sizeof distance);
  const auto taken = own + 5 + distance;
  // mov edi, 77; lea rsi, [the jump]
  EXPECT_THAT(Bytes(taken, taken + 8), ElementsAre(0xbf, 77, 0, 0, 0, 0x48, 0x8d, 0x35));
  int32_t to_jump = 0;
  std::memcpy(&to_jump, &taken[8], sizeof to_jump);
  EXPECT_EQ(taken + 12 + to_jump, own);
}

}  // namespace
}  // namespace yp::compiler
