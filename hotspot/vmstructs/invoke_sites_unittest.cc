#include "hotspot/vmstructs/invoke_sites.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace yp::hotspot {
namespace {

using SiteKind = InvokeSite::Kind;

TEST(InvokeSitesTest, ListsTheCallsOfEachKind) {
  const std::vector<uint8_t> code = {42,                               // aload_0
                                     182, 1, 0, 183, 2, 0, 184, 3, 1,  // virtual, special, static
                                     185, 4, 0, 1,   0,                // interface
                                     186, 5, 0, 0,   0,                // dynamic
                                     233, 6, 0,                        // invokehandle
                                     227, 7, 0,                        // fast_invokevfinal
                                     177};
  const std::optional<std::vector<InvokeSite>> sites = FindInvokeSites(code);
  ASSERT_TRUE(sites.has_value());
  const std::vector<InvokeSite> expected = {
      {1, SiteKind::kVirtual, 1},    {4, SiteKind::kSpecial, 2},  {7, SiteKind::kStatic, 0x103},
      {10, SiteKind::kInterface, 4}, {15, SiteKind::kDynamic, 5}, {20, SiteKind::kHandle, 6},
      {23, SiteKind::kVirtual, 7}};
  ASSERT_EQ(sites->size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*sites)[i].bci, expected[i].bci);
    EXPECT_EQ((*sites)[i].kind, expected[i].kind) << i;
    EXPECT_EQ((*sites)[i].cache_index, expected[i].cache_index) << i;
    const std::optional<InvokeSite> alone = InvokeSiteAt(code, expected[i].bci);
    ASSERT_TRUE(alone.has_value()) << i;
    EXPECT_EQ(alone->bci, expected[i].bci);
    EXPECT_EQ(alone->kind, expected[i].kind) << i;
    EXPECT_EQ(alone->cache_index, expected[i].cache_index) << i;
  }
}

TEST(InvokeSitesTest, WhereThereIsNoCallIsNoSite) {
  const std::vector<uint8_t> code = {42, 182, 1, 0, 202, 184, 0};
  for (const int32_t bci : {-1, INT32_MIN, 0, 4, 5, 6, 7, INT32_MAX}) {
    EXPECT_FALSE(InvokeSiteAt(code, bci).has_value()) << bci;
  }
  EXPECT_TRUE(InvokeSiteAt(code, 1).has_value());
  EXPECT_FALSE(InvokeSiteAt({}, 0).has_value());
}

// Where the interpreter has put one opcode for a pair, the second's bytes are still there.
TEST(InvokeSitesTest, TheInterpretersOwnOpcodesHaveTheLengthOfTheirOriginals) {
  const std::vector<uint8_t> code = {
      221, 208, 182, 182,  // fast_iaccess_0, fast_igetfield
      225, 184, 224, 184,  // fast_iload2, fast_iload
      230, 184,            // fast_aldc
      228, 0,              // fast_linearswitch and its padding
      0,   0,   0,   9,   0, 0, 0,   1, 0, 0,
      0,   184, 0,   0,   0, 8, 184, 1, 0, 232};  // return_register_finalizer
  const std::optional<std::vector<InvokeSite>> sites = FindInvokeSites(code);
  ASSERT_TRUE(sites.has_value());
  ASSERT_EQ(sites->size(), 1U);
  EXPECT_EQ((*sites)[0].bci, 28);
}

TEST(InvokeSitesTest, EveryOpcodeOfTheInterpretersHasAnOriginalButBreakpoints) {
  for (int opcode = 0; opcode < 256; ++opcode) {
    const uint8_t original = JavaOpcode(static_cast<uint8_t>(opcode));
    if (opcode < 202) {
      EXPECT_EQ(original, opcode);
    } else if (opcode == 202 || opcode >= 238) {
      EXPECT_EQ(original, 0xff) << opcode;
    } else {
      EXPECT_LT(original, 202) << opcode;
    }
  }
}

TEST(InvokeSitesTest, CodeThatMakesNoSenseHasNone) {
  EXPECT_FALSE(FindInvokeSites(std::vector<uint8_t>{184, 1}).has_value()) << "cut off";
  EXPECT_FALSE(FindInvokeSites(std::vector<uint8_t>{202, 177}).has_value()) << "a breakpoint";
  EXPECT_FALSE(FindInvokeSites(std::vector<uint8_t>{255}).has_value());
  const auto none = FindInvokeSites({});
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->empty());
}

TEST(InvokeSitesTest, RandomBytesDoNoHarm) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100'000; ++round) {
    std::vector<uint8_t> code(random() % 40);
    for (uint8_t& byte : code) byte = static_cast<uint8_t>(random());
    const auto sites = FindInvokeSites(code);
    if (!sites) continue;
    for (const InvokeSite& site : *sites)
      ASSERT_LT(site.bci + 2, static_cast<int32_t>(code.size()));
  }
}

}  // namespace
}  // namespace yp::hotspot
