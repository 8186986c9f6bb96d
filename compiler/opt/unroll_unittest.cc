#include "compiler/opt/unroll.h"

#include <gtest/gtest.h>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/optimize_for_test.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using Bytes = std::vector<uint8_t>;
using ir::GraphForTest;
using ir::Op;

// Fields 1 and 2, which is volatile, and a call 3.
FakeLinkage FieldsAndACall() {
  FakeLinkage linkage;
  FieldLink field;
  field.type = 'I';
  field.resolved = true;
  field.offset = 16;
  linkage.fields[1] = field;
  field.is_volatile = true;
  linkage.fields[2] = field;
  CallLink call;
  call.signature = *Signature::Parse("()V");
  call.resolved = true;
  linkage.calls[3] = call;
  return linkage;
}

// for (int i = 0; i < n; i++) BODY, of a static method whose arguments are an array, n, and an
// object: locals 0 to 2; i is local 3.
bool IsUnrolled(const Bytes& body) {
  Bytes code = {3, 62, 29, 27, 162, 0, static_cast<uint8_t>(9 + body.size())};
  code.insert(code.end(), body.begin(), body.end());
  const auto back = static_cast<uint8_t>(0x100 - (8 + body.size()));
  const Bytes rest = {132, 3, 1, 167, 255, back, 177};
  code.insert(code.end(), rest.begin(), rest.end());
  const GraphForTest test("([IILjava/lang/Object;)V", code, FieldsAndACall());
  return OptimizeAndCheck(test).CountInLoops(Op::kPoll) == 2;
}

// a[i] = i
const Bytes kStore = {42, 29, 29, 79};

TEST(Unroll, MakesFourIterationsOfOneAndKeepsTheLoopForTheRest) {
  const GraphForTest test("([II)I", ir::SumLoop());
  OptimizeAndCheck(test);
  EXPECT_EQ(test.CountInLoops(Op::kLoadElement), 4u + 1u);
  EXPECT_EQ(test.CountInLoops(Op::kPoll), 1u + 1u);
  EXPECT_EQ(test.CountInLoops(Op::kIf), 1u + 1u);
  EXPECT_EQ(test.CountInLoops(Op::kConvert), 1u);
}

TEST(Unroll, PollsWithTheStateOfTheLastIteration) {
  const GraphForTest test("([II)I", ir::SumLoop());
  Optimize(*test.graph);
  std::vector<int64_t> counted;
  for (const ir::Block* const block : test.graph->order) {
    for (const ir::Node* const node : block->nodes) {
      if (node->op != Op::kPoll || block->loop_depth == 0) continue;
      const ir::Node* const counter = ir::Resolve(node->state->locals[3]);
      ASSERT_EQ(counter->op, Op::kAdd);
      EXPECT_EQ(counter->in[0]->op, Op::kPhi);
      counted.push_back(counter->in[1]->bits);
    }
  }
  EXPECT_EQ(counted, (std::vector<int64_t>{4, 1}));
}

TEST(Unroll, LeavesALoopWithChecks) {
  const GraphForTest test("([II)I", ir::SumLoop());
  EXPECT_EQ(UnrollLoops(*test.graph, LoopsOf(*test.graph)), 0u);
}

TEST(Unroll, TakesSmallLoopsOfOneBlock) {
  EXPECT_TRUE(IsUnrolled(kStore));
  Bytes large;
  for (int i = 0; i < 24; ++i) large.insert(large.end(), kStore.begin(), kStore.end());
  EXPECT_FALSE(IsUnrolled(large));
  // if (i != n) a[i] = i
  EXPECT_FALSE(IsUnrolled({29, 27, 159, 0, 7, 42, 29, 29, 79}));
}

TEST(Unroll, LeavesCallsAndVolatileFieldsAlone) {
  EXPECT_FALSE(IsUnrolled({184, 0, 3}));
  EXPECT_TRUE(IsUnrolled({44, 29, 181, 0, 1}));
  EXPECT_FALSE(IsUnrolled({44, 29, 181, 0, 2}));
}

TEST(Unroll, LeavesLoopsThatAreKnownToBeShort) {
  // static int sum() { int s = 0; for (int i = 0; i < N; i++) s += i; return s; }
  const auto unrolled = [](uint8_t n) {
    const GraphForTest test("()I", {3,  59, 3,  60,  27, 16, n,   162, 0,   13, 26,
                                    27, 96, 59, 132, 1,  1,  167, 255, 243, 26, 172});
    return UnrollLoops(*test.graph, LoopsOf(*test.graph));
  };
  EXPECT_EQ(unrolled(7), 0u);
  EXPECT_EQ(unrolled(100), 1u);
}

}  // namespace
}  // namespace yp::compiler
