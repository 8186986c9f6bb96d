#include "compiler/bytecode/switch_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace yp::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

SwitchCases CasesAt(const std::vector<uint8_t>& code, uint32_t bci) {
  return SwitchCasesOf(code, *classfile::DecodeInstruction(code, bci));
}

TEST(SwitchCases, OfATableAreOneForEachNumber) {
  // At 1: two bytes of padding; to 21, -1 to 1, to 11, 31 and 41.
  const std::vector<uint8_t> code = {0, 170, 0, 0, 0, 0,  0, 20, 0xff, 0xff, 0xff, 0xff, 0, 0,
                                     0, 1,   0, 0, 0, 10, 0, 0,  0,    30,   0,    0,    0, 40};
  const SwitchCases found = CasesAt(code, 1);
  EXPECT_EQ(found.otherwise, 21U);
  EXPECT_THAT(found.cases, ElementsAre(Pair(-1, 11U), Pair(0, 31U), Pair(1, 41U)));
}

TEST(SwitchCases, OfALookupAreItsPairs) {
  // At 3: no padding; to 2, two pairs: -5 to 8, 1000 to 13.
  const std::vector<uint8_t> code = {0, 0, 0,    171,  0xff, 0xff, 0xff, 0xff, 0, 0,
                                     0, 2, 0xff, 0xff, 0xff, 0xfb, 0,    0,    0, 5,
                                     0, 0, 3,    0xe8, 0,    0,    0,    10};
  const SwitchCases found = CasesAt(code, 3);
  EXPECT_EQ(found.otherwise, 2U);
  EXPECT_THAT(found.cases, ElementsAre(Pair(-5, 8U), Pair(1000, 13U)));
}

}  // namespace
}  // namespace yp::compiler
