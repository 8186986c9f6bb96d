#include "compiler/opt/known_memory.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;
using ir::Op;

// How many loads are left of a method with two objects and an int. A load of field f of the first
// object is "aload_0 getfield f", 42 180 0 f; a store is 181 0 f.
size_t LoadsOf(std::vector<uint8_t> code) {
  const GraphForTest test("(Ljava/lang/Object;Ljava/lang/Object;I)I", std::move(code),
                          FieldsForTest());
  NumberValues(*test.graph);
  test.Check();
  return test.Count(Op::kLoadField);
}

TEST(KnownMemory, HasAFieldThatWasReadOrStored) {
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 42, 180, 0, 1, 96, 172}), 1u);
  EXPECT_EQ(LoadsOf({42, 28, 181, 0, 1, 42, 180, 0, 1, 172}), 0u);
}

TEST(KnownMemory, ForgetsAFieldWhenOneAtTheSameOffsetIsStored) {
  // Of another object, which may be the same; of another class.
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 43, 28, 181, 0, 1, 42, 180, 0, 1, 96, 172}), 2u);
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 43, 28, 181, 0, 5, 42, 180, 0, 1, 96, 172}), 2u);
  // Of another field.
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 43, 28, 181, 0, 2, 42, 180, 0, 1, 96, 172}), 1u);
}

TEST(KnownMemory, TakesNoPartOfWhatWasStored) {
  EXPECT_EQ(LoadsOf({42, 28, 181, 0, 4, 42, 180, 0, 4, 172}), 1u);
}

TEST(KnownMemory, ForgetsAllWhereOthersAreHeardOf) {
  // A volatile field is read, and stored; a call.
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 42, 180, 0, 3, 96, 42, 180, 0, 1, 96, 172}), 3u);
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 42, 28, 181, 0, 3, 42, 180, 0, 1, 96, 172}), 2u);
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 184, 0, 6, 42, 180, 0, 1, 96, 172}), 2u);
  EXPECT_EQ(LoadsOf({42, 180, 0, 3, 42, 180, 0, 3, 96, 172}), 2u);
}

TEST(KnownMemory, ForgetsAllWhereALeafFunctionWrites) {
  const auto loads_around = [](Leaf leaf) {
    const GraphForTest test("(Ljava/lang/Object;)I",
                            {42, 180, 0, 1, 184, 0, 12, 42, 180, 0, 1, 96, 172},
                            FieldsForTest(leaf));
    NumberValues(*test.graph);
    return test.Count(Op::kLoadField);
  };
  EXPECT_EQ(loads_around(Leaf::kMismatch), 1u);
  EXPECT_EQ(loads_around(Leaf::kShiftLeft), 2u);
}

TEST(KnownMemory, HasWhereWaysJoinWhatAllOfThemHave) {
  // a.f1; if (i != 0) a.f2 = i; a.f1 + a.f2
  const auto joined = [](uint8_t stored) {
    return LoadsOf({42, 180, 0, 1, 28, 153, 0, 8, 42, 28, 181, 0, stored, 42, 180, 0, 1, 96, 172});
  };
  EXPECT_EQ(joined(2), 1u);
  EXPECT_EQ(joined(1), 2u);
}

TEST(KnownMemory, ReadsAgainInEachIteration) {
  // a.f1; while (a.f1 != 0) { }
  EXPECT_EQ(LoadsOf({42, 180, 0, 1, 87, 42, 180, 0, 1, 154, 255, 252, 3, 172}), 2u);
}

TEST(KnownMemory, TellsElementsOfTypesApart) {
  // int[] a, long[] b: a[i], b[i] = 1L or a[0] = i, a[i]
  const auto loads = [](std::vector<uint8_t> between) {
    std::vector<uint8_t> code = {42, 28, 46};
    code.insert(code.end(), between.begin(), between.end());
    const std::vector<uint8_t> rest = {42, 28, 46, 96, 172};
    code.insert(code.end(), rest.begin(), rest.end());
    const GraphForTest test("([I[JI)I", code);
    NumberValues(*test.graph);
    test.Check();
    return test.Count(Op::kLoadElement);
  };
  EXPECT_EQ(loads({}), 1u);
  EXPECT_EQ(loads({43, 28, 10, 80}), 1u);
  EXPECT_EQ(loads({42, 3, 28, 79}), 2u);
  // At another index in any case: a[i + 1] = i.
  EXPECT_EQ(loads({42, 28, 4, 96, 28, 79}), 1u);
}

}  // namespace
}  // namespace yp::compiler
