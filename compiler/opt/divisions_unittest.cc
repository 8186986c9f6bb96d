#include "compiler/opt/divisions.h"

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <random>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/dead_code.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;
using ir::Op;

// By the definition of the fields.
int32_t Divided(int32_t n, const Reciprocal& by) {
  return static_cast<int32_t>(n * by.multiplier >> by.shift) + (n < 0 ? 1 : 0);
}

TEST(Reciprocal, DividesEachIntAsDivisionDoes) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    // Of all sizes.
    const auto d = static_cast<int32_t>((random() >> 1) >> random() % 29);
    if (d < 3 || std::has_single_bit(static_cast<uint32_t>(d))) continue;
    const Reciprocal by = Reciprocal::Of(d);
    ASSERT_GT(by.multiplier, INT64_C(1) << 31);
    ASSERT_LE(by.multiplier, INT64_C(1) << 32);
    // Where an error would show: beside multiples of d, the largest above all.
    const int32_t most = INT32_MAX / d * d;
    const auto some = static_cast<int32_t>(static_cast<int64_t>(random()) - (INT64_C(1) << 31));
    for (const int32_t n : {0, 1, -1, d - 1, d, -d, 1 - d, most, most - 1, -most, 1 - most,
                            INT32_MAX, INT32_MIN, INT32_MIN + 1, some}) {
      ASSERT_EQ(Divided(n, by), n / d) << n << " / " << d;
    }
  }
}

TEST(LongReciprocal, DividesEachLongAsDivisionDoes) {
  __extension__ using Wide = __int128;
  const auto divided = [](int64_t n, const LongReciprocal& by) {
    const auto high = static_cast<int64_t>(Wide{n} * by.multiplier >> 64);
    const uint64_t sum = static_cast<uint64_t>(high) + (by.adds ? static_cast<uint64_t>(n) : 0);
    return (static_cast<int64_t>(sum) >> by.shift) + (n < 0 ? 1 : 0);
  };
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    // Of all sizes, and beside powers of two.
    auto d = static_cast<int64_t>((random() >> 1) >> random() % 61);
    if (i % 4 == 0) d = (INT64_C(1) << (2 + random() % 61)) + (i % 8 == 0 ? 1 : -1);
    if (d < 3 || std::has_single_bit(static_cast<uint64_t>(d))) continue;
    const LongReciprocal by = LongReciprocal::Of(d);
    ASSERT_GE(by.shift, 0);
    ASSERT_LE(by.shift, 62);
    const int64_t most = INT64_MAX / d * d;
    const auto some = static_cast<int64_t>(random()), fewer = some >> random() % 63;
    for (const int64_t n :
         {INT64_C(0), INT64_C(1), INT64_C(-1), d - 1, d, -d, 1 - d, most, most - 1, -most, 1 - most,
          INT64_MAX, INT64_MIN, INT64_MIN + 1, some, fewer, some / d * d, some / d * d - 1}) {
      ASSERT_EQ(divided(n, by), n / d) << n << " / " << d;
    }
  }
}

void ExpectNoDivision(const char* descriptor, const std::vector<uint8_t>& code) {
  const GraphForTest test(descriptor, code);
  NumberValues(*test.graph);
  EXPECT_EQ(ReduceDivisions(*test.graph), 1u);
  NumberValues(*test.graph);
  RemoveDeadCode(*test.graph);
  test.Check();
  EXPECT_EQ(test.Count(Op::kDiv) + test.Count(Op::kRem), 0u);
}

TEST(Divisions, ByConstantsAreNone) {
  constexpr uint8_t kDiv = 108, kRem = 112, kIload0 = 26, kBipush = 16, kIreturn = 172;
  constexpr uint8_t kLongDiv = 109, kLongRem = 113, kLload0 = 30, kI2l = 133, kLreturn = 173;
  for (const uint8_t constant : std::initializer_list<uint8_t>{2, 7, 64, 100, 128, 255}) {
    for (const uint8_t opcode : {kDiv, kRem}) {
      ExpectNoDivision("(I)I", {kIload0, kBipush, constant, opcode, kIreturn});
    }
    for (const uint8_t opcode : {kLongDiv, kLongRem}) {
      ExpectNoDivision("(J)J", {kLload0, kBipush, constant, kI2l, opcode, kLreturn});
    }
  }
  // By what is not known.
  const GraphForTest unknown("(II)I", {kIload0, 27, kDiv, kIreturn});
  EXPECT_EQ(ReduceDivisions(*unknown.graph), 0u);
}

}  // namespace
}  // namespace yp::compiler
