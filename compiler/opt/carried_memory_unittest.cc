#include "compiler/opt/carried_memory.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/dead_code.h"
#include "compiler/opt/fields_for_test.h"
#include "compiler/opt/loop_invariants.h"
#include "compiler/opt/range_checks.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using Bytes = std::vector<uint8_t>;
using ir::GraphForTest;
using ir::Op;

void Carry(ir::Graph& graph) {
  NumberValues(graph);
  std::vector<Loop> loops = LoopsOf(graph);
  for (Loop& loop : loops) {
    MoveInvariants(graph, loop, true);
    MoveRangeChecks(graph, loop);
  }
  NumberValues(graph);
  const KnownMemory::AtHeaders at_headers = CarryMemory(graph, loops);
  NumberValues(graph, &at_headers);
  RemoveDeadCode(graph);
}

// for (int i = first; i < n; i += step) BODY, of a static method whose arguments are two objects
// and n: locals 0 to 2; i is local 3.
std::unique_ptr<GraphForTest> Carried(const char* descriptor, const Bytes& body, uint8_t first = 1,
                                      uint8_t step = 1) {
  Bytes code = {16, first, 62, 29, 28, 162, 0, static_cast<uint8_t>(9 + body.size())};
  code.insert(code.end(), body.begin(), body.end());
  const auto back = static_cast<uint8_t>(0x100 - (8 + body.size()));
  const Bytes rest = {132, 3, step, 167, 255, back, 177};
  code.insert(code.end(), rest.begin(), rest.end());
  auto test = std::make_unique<GraphForTest>(descriptor, code, FieldsForTest());
  Carry(*test->graph);
  test->Check();
  return test;
}

constexpr const char* kTwoArrays = "([I[II)V";
constexpr const char* kTwoObjects = "(Ljava/lang/Object;Ljava/lang/Object;I)V";

// a[i] = a[i - before] + 1
Bytes AddToElement(uint8_t before) { return {42, 29, 42, 29, 16, before, 100, 46, 4, 96, 79}; }
// a.field += i
Bytes AddToField(uint8_t field) { return {42, 42, 180, 0, field, 29, 96, 181, 0, field}; }
Bytes Then(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
// b[i + 0], b[i - 1] = i
const Bytes kStoreOther = {43, 29, 29, 79}, kStoreOtherBefore = {43, 29, 4, 100, 29, 79};
const Bytes kCall = {184, 0, 6};

size_t LoadsInLoop(const Bytes& body, const char* descriptor = kTwoArrays) {
  const auto test = Carried(descriptor, body);
  return test->CountInLoops(Op::kLoadElement) + test->CountInLoops(Op::kLoadField);
}

TEST(CarriedMemory, HasAnElementThatTheIterationBeforeHasStored) {
  const auto test = Carried(kTwoArrays, AddToElement(1));
  EXPECT_EQ(test->CountInLoops(Op::kLoadElement), 0u);
  EXPECT_EQ(test->CountInLoops(Op::kStoreElement), 1u);
  // Before the loop, behind the test whether there is a first iteration.
  EXPECT_EQ(test->Count(Op::kLoadElement), 1u);
  EXPECT_EQ(test->Count(Op::kIf), 2u);
  EXPECT_EQ(test->CountInLoops(Op::kIf), 1u);
}

TEST(CarriedMemory, LoadsAnElementBehindTheLoopAsThereMayHaveBeenNoIteration) {
  // for (i = 1; i < n; i++) a[i] = a[i - 1] + 1; return a[i - 1];
  Bytes code = {4, 62, 29, 28, 162, 0, 20};
  const Bytes body = AddToElement(1);
  code.insert(code.end(), body.begin(), body.end());
  const Bytes rest = {132, 3, 1, 167, 255, 237, 42, 29, 4, 100, 46, 172};
  code.insert(code.end(), rest.begin(), rest.end());
  GraphForTest test("([I[II)I", code, FieldsForTest());
  Carry(*test.graph);
  test.Check();
  EXPECT_EQ(test.CountInLoops(Op::kLoadElement), 0u);
  EXPECT_EQ(test.Count(Op::kLoadElement), 2u);
  for (const ir::Block* const block : test.graph->order) {
    if (block->end()->op != Op::kReturn) continue;
    EXPECT_EQ(ir::Resolve(block->end()->in[0])->op, Op::kLoadElement);
  }
}

TEST(CarriedMemory, LoadsAnElementTwiceWhereTheStepIsAnother) {
  EXPECT_EQ(LoadsInLoop(AddToElement(2)), 1u);
  EXPECT_EQ(Carried(kTwoArrays, AddToElement(2), 2, 2)->CountInLoops(Op::kLoadElement), 0u);
  EXPECT_EQ(Carried(kTwoArrays, AddToElement(1), 2, 2)->CountInLoops(Op::kLoadElement), 1u);
}

TEST(CarriedMemory, TakesAnotherArrayForTheSame) {
  // Stored at the same index behind the store; before the load.
  EXPECT_EQ(LoadsInLoop(Then(AddToElement(1), kStoreOther)), 1u);
  EXPECT_EQ(LoadsInLoop(Then(kStoreOtherBefore, AddToElement(1))), 1u);
  // At an index that is another one in any case.
  EXPECT_EQ(LoadsInLoop(Then(kStoreOther, AddToElement(1))), 0u);
  EXPECT_EQ(LoadsInLoop(Then(AddToElement(1), kStoreOtherBefore)), 0u);
}

TEST(CarriedMemory, LoadsAgainBehindACall) {
  EXPECT_EQ(LoadsInLoop(Then(AddToElement(1), kCall)), 1u);
  EXPECT_EQ(LoadsInLoop(Then(kCall, AddToElement(1))), 1u);
}

TEST(CarriedMemory, LeavesAnElementWhoseRangeIsCheckedInTheLoop) {
  // if (i != 5) a[i] = a[i - 1] + 1: not in each iteration.
  const Bytes body = Then({29, 8, 159, 0, 14}, AddToElement(1));
  EXPECT_EQ(LoadsInLoop(body), 1u);
}

TEST(CarriedMemory, HasAFieldThatTheIterationBeforeHasStored) {
  const auto test = Carried(kTwoObjects, AddToField(1));
  EXPECT_EQ(test->CountInLoops(Op::kLoadField), 0u);
  EXPECT_EQ(test->CountInLoops(Op::kStoreField), 1u);
  EXPECT_EQ(test->Count(Op::kLoadField), 1u);
}

TEST(CarriedMemory, LeavesFieldsThatOthersMayChangeOrThatHoldAPart) {
  EXPECT_EQ(LoadsInLoop(AddToField(3), kTwoObjects), 1u) << "volatile";
  EXPECT_EQ(LoadsInLoop(AddToField(4), kTwoObjects), 1u) << "a byte";
  // b.field = i
  const auto store_other = [](uint8_t field) { return Bytes{43, 29, 181, 0, field}; };
  EXPECT_EQ(LoadsInLoop(Then(AddToField(1), store_other(1)), kTwoObjects), 1u) << "b may be a";
  EXPECT_EQ(LoadsInLoop(Then(AddToField(1), store_other(3)), kTwoObjects), 1u);
  EXPECT_EQ(LoadsInLoop(Then(AddToField(1), store_other(2)), kTwoObjects), 0u);
}

TEST(CarriedMemory, WaitsForTheStoresOfOtherThreads) {
  // while (a.field1 < n) a.field2 = 3
  const auto test = std::make_unique<GraphForTest>(
      kTwoObjects, Bytes{42, 180, 0, 1, 28, 162, 0, 11, 42, 6, 181, 0, 2, 167, 255, 243, 177},
      FieldsForTest());
  Carry(*test->graph);
  test->Check();
  EXPECT_EQ(test->CountInLoops(Op::kLoadField), 1u);
}

TEST(CarriedMemory, LeavesAFieldThatIsStoredOnOneWayOnly) {
  // if (i != 5) a.field += i
  EXPECT_EQ(LoadsInLoop(Then({29, 8, 159, 0, 13}, AddToField(1)), kTwoObjects), 1u);
}

TEST(CarriedMemory, LoadsNothingOfAnObjectWhoseClassIsFoundOutLater) {
  // if (!(a instanceof 7)) return; a.field += i
  const Bytes body = Then({42, 193, 0, 7, 154, 0, 4, 177}, AddToField(1));
  EXPECT_EQ(LoadsInLoop(body, kTwoObjects), 1u);
}

}  // namespace
}  // namespace yp::compiler
