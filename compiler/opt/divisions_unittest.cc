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

TEST(Divisions, ByConstantsAreNone) {
  constexpr uint8_t kDiv = 108, kRem = 112, kIload0 = 26, kBipush = 16, kIreturn = 172;
  for (const uint8_t opcode : {kDiv, kRem}) {
    for (const uint8_t constant : std::initializer_list<uint8_t>{2, 7, 64, 100, 128, 255}) {
      const GraphForTest test("(I)I", {kIload0, kBipush, constant, opcode, kIreturn});
      NumberValues(*test.graph);
      EXPECT_EQ(ReduceDivisions(*test.graph), 1u);
      NumberValues(*test.graph);
      RemoveDeadCode(*test.graph);
      test.Check();
      EXPECT_EQ(test.Count(Op::kDiv) + test.Count(Op::kRem), 0u);
    }
  }
  // By what is not known, and of longs.
  const GraphForTest unknown("(II)I", {kIload0, 27, kDiv, kIreturn});
  EXPECT_EQ(ReduceDivisions(*unknown.graph), 0u);
  const GraphForTest longs("(J)J", {30, 5, 133, 109, 173});  // lload_0, iconst_2, i2l, ldiv
  NumberValues(*longs.graph);
  EXPECT_EQ(ReduceDivisions(*longs.graph), 0u);
}

}  // namespace
}  // namespace yp::compiler
