#include "compiler/ir/graph_builder.h"

#include <gmock/gmock.h>

#include "compiler/ir/graph_for_test.h"

namespace yp::compiler::ir {
namespace {

using testing::HasSubstr;

TEST(StateVisitor, LeavesOutWhatTheStateBeforeHasShown) {
  Graph graph;
  const auto state_of = [&](int32_t value, const State* caller) {
    State state;
    state.locals = {graph.Int(value), nullptr};
    state.stack = {graph.Int(value + 100)};
    state.caller = caller;
    return graph.NewState(std::move(state));
  };
  const State* const outer = state_of(1, nullptr);
  const State* const call = state_of(2, outer);
  const State* const inner = state_of(3, call);
  const State* const next = state_of(4, call);
  const State* const behind = state_of(5, outer);
  StateVisitor visitor;
  const auto visited = [&](const State* state) {
    std::vector<int64_t> values;
    visitor.Visit(state, [&](const Node* value) { values.push_back(value->bits); });
    return values;
  };
  EXPECT_THAT(visited(inner), testing::ElementsAre(3, 103, 2, 102, 1, 101));
  EXPECT_THAT(visited(next), testing::ElementsAre(4, 104));
  EXPECT_THAT(visited(next), testing::IsEmpty());
  EXPECT_THAT(visited(nullptr), testing::IsEmpty());
  EXPECT_THAT(visited(behind), testing::ElementsAre(5, 105));
  EXPECT_THAT(visited(outer), testing::IsEmpty());
  EXPECT_THAT(visited(inner), testing::ElementsAre(3, 103, 2, 102));
}

TEST(GraphBuilder, MakesPhisWhereValuesMeetAndNowhereElse) {
  // return a < b ? a : b
  const GraphForTest test("(II)I", {26, 27, 162, 0, 7, 26, 167, 0, 4, 27, 172});
  EXPECT_EQ(test.Count(Op::kPhi), 1u);
  EXPECT_EQ(test.Count(Op::kIf), 1u);
  EXPECT_THAT(Print(*test.graph), HasSubstr("if v0 >= v1"));
}

TEST(GraphBuilder, HasPhisOfALoopOnlyForWhatChanges) {
  const GraphForTest test("([II)I", SumLoop());
  EXPECT_EQ(test.Count(Op::kPhi), 2u);  // The sum and the counter; not the array and the limit.
  EXPECT_EQ(test.Count(Op::kPoll), 2u);
  EXPECT_EQ(test.CountInLoops(Op::kBoundsCheck), 1u);
}

TEST(GraphBuilder, HasInStatesWhatTheInterpreterWillRead) {
  const GraphForTest test("([II)I", SumLoop());
  for (const Block* const block : test.graph->order) {
    for (const Node* const node : block->nodes) {
      if (node->op != Op::kBoundsCheck) continue;
      // At iaload: array, limit and counter; the sum is on the stack, and written before it is
      // read.
      ASSERT_NE(node->state, nullptr);
      EXPECT_EQ(node->state->bci, 12u);
      EXPECT_EQ(std::ranges::count(node->state->locals, nullptr), 9);
      ASSERT_EQ(node->state->stack.size(), 3u);
      EXPECT_EQ(Resolve(node->state->stack[1]), Resolve(node->state->locals[0]));
    }
  }
}

TEST(GraphBuilder, LeavesWhatIsNotReadOutOfStates) {
  // static void f(int a) { poll of the return: a is dead }
  const GraphForTest test("(I)V", {177});
  const Node* const poll = test.graph->entry->succs[0]->nodes[0];
  ASSERT_EQ(poll->op, Op::kPoll);
  EXPECT_EQ(std::ranges::count(poll->state->locals, nullptr), 12);
}

TEST(GraphBuilder, EndsWithATrapWhereSomethingIsNotResolved) {
  FakeLinkage linkage;
  linkage.fields[1].type = 'I';
  const GraphForTest test("()I", {178, 0, 1, 172}, linkage);
  EXPECT_EQ(test.Count(Op::kTrap), 1u);
  EXPECT_EQ(test.Count(Op::kReturn), 0u);
}

TEST(GraphBuilder, TakesOnlyTheWayThatAFinalFieldHasDecidedOn) {
  FakeLinkage linkage;
  FieldLink field;
  field.type = 'Z';
  field.resolved = true;
  linkage.fields[1] = field;
  field.constant.kind = Kind::kInt;
  field.constant.resolved = true;
  field.constant.bits = 1;
  linkage.fields[2] = field;
  const auto method = [&](uint8_t index) {  // getstatic, ifeq, iconst_1, ireturn, iload_0, ireturn
    return GraphForTest("(I)I", {178, 0, index, 153, 0, 5, 4, 172, 26, 172}, linkage);
  };
  const GraphForTest any = method(1), decided = method(2);
  EXPECT_EQ(any.Count(Op::kLoadField), 1u);
  EXPECT_EQ(any.Count(Op::kReturn), 2u);
  EXPECT_EQ(decided.Count(Op::kLoadField), 0u);
  EXPECT_EQ(decided.Count(Op::kIf), 0u);
  ASSERT_EQ(decided.Count(Op::kReturn), 1u);
  EXPECT_EQ(decided.graph->order.back()->end()->in[0]->bits, 1);
}

TEST(GraphBuilder, KnowsHowLongAnArrayIsThatAFinalFieldHolds) {
  FakeLinkage linkage;
  FieldLink field;
  field.type = 'L';
  field.resolved = true;
  field.constant = {Kind::kReference, true, 0, false, ConstantId{3}, 0};
  linkage.fields[1] = field;
  const GraphForTest empty("()Ljava/lang/Object;", {178, 0, 1, 176}, linkage);
  EXPECT_EQ(empty.graph->order.back()->end()->in[0]->bits, 1);
}

TEST(GraphBuilder, ComparesAReferentWithoutACall) {
  FakeLinkage linkage;
  CallLink call;  // As Reference.refersTo0, but static.
  call.signature = *Signature::Parse("(Ljava/lang/Object;Ljava/lang/Object;)Z");
  call.resolved = true;
  call.intrinsic.kind = Intrinsic::Kind::kRefersTo;
  call.intrinsic.offset = 12;
  linkage.calls[1] = call;
  const GraphForTest method("(Ljava/lang/Object;Ljava/lang/Object;)I", {42, 43, 184, 0, 1, 172},
                            linkage);
  EXPECT_EQ(method.Count(Op::kCall), 0u);
  EXPECT_EQ(method.Count(Op::kLoadPlace), 1u);
  EXPECT_EQ(method.Count(Op::kPhi), 1u);
}

// The handler is before the second call in the order of the code's paths, as the first one may
// throw as far as its bytecode tells.
TEST(GraphBuilder, FollowsAHandlerThatOnlyALaterCallThrowsTo) {
  FakeLinkage linkage;
  CallLink first;  // Which becomes instructions that throw nothing.
  first.signature = *Signature::Parse("(Ljava/lang/Object;Ljava/lang/Object;)Z");
  first.resolved = true;
  first.intrinsic.kind = Intrinsic::Kind::kRefersTo;
  first.intrinsic.offset = 12;
  linkage.calls[1] = first;
  CallLink second;
  second.signature = *Signature::Parse("()V");
  second.resolved = true;
  linkage.calls[2] = second;
  // try { f(a, b); } catch (Throwable t) { } each time that it has thrown: g(); return 0;
  const GraphForTest method("(Ljava/lang/Object;Ljava/lang/Object;)I",
                            {42, 43, 184, 0, 1, 87,  // aload_0, aload_1, f, pop
                             184, 0, 2, 3, 172,      // 6: g, iconst_0, ireturn
                             87, 167, 255, 250},     // 11: pop, goto 6
                            linkage, {{0, 9, 11, true}});
  EXPECT_EQ(method.Count(Op::kTry), 1u);
  EXPECT_EQ(method.CountInLoops(Op::kTry), 1u);
  EXPECT_EQ(method.Count(Op::kReturn), 1u);
}

TEST(Verifier, FindsAUseThatItsDefinitionDoesNotDominate) {
  const GraphForTest test("(II)I", {26, 27, 96, 172});
  Node* add = nullptr;
  for (Block* const block : test.graph->order) {
    for (Node* const node : block->nodes) {
      if (node->op == Op::kAdd) add = node;
    }
  }
  ASSERT_NE(add, nullptr);
  add->in[1] = add;
  EXPECT_FALSE(Verify(*test.graph));
}

}  // namespace
}  // namespace yp::compiler::ir
