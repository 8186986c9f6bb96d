#include "hotspot/arch/aarch64/call_code.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace yp::hotspot {
namespace {

// What an instruction calls, in bytes from where it lies; nothing when it is no call.
std::optional<intptr_t> DistanceOf(const uint32_t& instruction) {
  const auto address = reinterpret_cast<uintptr_t>(&instruction);
  const std::optional<uintptr_t> target = CallTarget(address + sizeof(instruction));
  if (!target) return std::nullopt;
  return static_cast<intptr_t>(*target - address);
}

TEST(CallCodeTest, ABranchWithLinkTellsItsTarget) {
  EXPECT_EQ(DistanceOf(0x94000001), 4);
  EXPECT_EQ(DistanceOf(0x95ffffff), (1 << 27) - 4);
  EXPECT_EQ(DistanceOf(0x97ffffff), -4);
  EXPECT_EQ(DistanceOf(0x96000000), -(1 << 27));
}

TEST(CallCodeTest, ACallThroughARegisterHasAnUnknownTarget) {
  const uint32_t blr_x9 = 0xd63f0120;
  EXPECT_EQ(CallTarget(reinterpret_cast<uintptr_t>(&blr_x9 + 1)), uintptr_t{0});
}

TEST(CallCodeTest, OthersAreNoCalls) {
  for (const uint32_t instruction : {0x14000001u,     // b
                                     0xd61f0120u,     // br x9
                                     0xd65f03c0u,     // ret
                                     0xd503201fu}) {  // nop
    EXPECT_EQ(DistanceOf(instruction), std::nullopt) << std::hex << instruction;
  }
}

}  // namespace
}  // namespace yp::hotspot
