#include "compiler/opt/lock_coarsening.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/value_numbering.h"

namespace yp::compiler {
namespace {

using ir::Op;

// Constant 1 is a synchronized method of the receiver's, which is inlined; 2 a static one, which is
// called.
class LockCoarsening : public testing::Test {
 protected:
  class Program : public FakeLinkage {
   public:
    explicit Program(const std::vector<uint8_t>& code) {
      callee_.signature = *Signature::Parse("()I");
      callee_.is_synchronized = true;
      callee_.code = code;
      callee_.max_locals = 1;
      callee_.max_stack = 4;
      CallLink call;
      call.signature = callee_.signature;
      call.resolved = true;
      call.dispatch = Dispatch::kSpecial;
      calls[1] = call;
      call.signature = *Signature::Parse("()V");
      call.dispatch = Dispatch::kStatic;
      calls[2] = call;
      FieldLink field;
      field.type = 'I';
      field.resolved = true;
      field.offset = 16;
      fields[1] = field;
    }
    std::optional<CalleeLink> OnlyCallee(uint32_t index, uint8_t, const CallLink&) override {
      if (index != 1) return std::nullopt;
      CalleeLink link;
      link.name = "Counter.next()I";
      link.bytes = static_cast<int32_t>(callee_.code.size());
      return link;
    }
    std::optional<OpenedMethod> Open(MethodNumber) override {
      return OpenedMethod{callee_, std::make_unique<Program>(callee_.code)};
    }

   private:
    Method callee_;
  };

  // return this.field;
  static std::vector<uint8_t> OneReturn() { return {42, 180, 0, 1, 172}; }
  // return this.field != 0 ? 1 : 0;
  static std::vector<uint8_t> TwoReturns() { return {42, 180, 0, 1, 153, 0, 5, 4, 172, 3, 172}; }

  // Of a static method with the objects a and b.
  void Build(const std::vector<uint8_t>& callee, std::vector<uint8_t> code) {
    linkage_ = std::make_unique<Program>(callee);
    method_.signature = *Signature::Parse("(Ljava/lang/Object;Ljava/lang/Object;I)I");
    method_.is_static = true;
    method_.code = std::move(code);
    method_.max_locals = 4;
    method_.max_stack = 4;
    auto planned = PlanInlining(method_, *linkage_, &rules_);
    ASSERT_TRUE(planned) << planned.message();
    tree_ = std::make_unique<InlineTree>(std::move(planned).value());
    auto built = ir::BuildGraph(*tree_, false);
    ASSERT_TRUE(built) << built.message();
    graph_ = std::move(built).value();
    NumberValues(*graph_);
  }
  size_t Count(Op op) const {
    size_t count = 0;
    for (const ir::Block* const block : graph_->order) {
      count += static_cast<size_t>(std::ranges::count(block->nodes, op, &ir::Node::op));
    }
    return count;
  }
  void Coarsen(size_t expected) {
    EXPECT_EQ(CoarsenLocks(*graph_), expected) << ir::Print(*graph_);
    NumberValues(*graph_);
    const Status status = ir::Verify(*graph_);
    EXPECT_TRUE(status) << status.message() << '\n' << ir::Print(*graph_);
  }

  InlineRules rules_;
  std::unique_ptr<Program> linkage_;
  Method method_;
  std::unique_ptr<InlineTree> tree_;
  std::unique_ptr<ir::Graph> graph_;
};

TEST_F(LockCoarsening, KeepsTheMonitorBetweenTwoCallsAndWhatWasReadInTheFirst) {
  Build(OneReturn(), {42, 183, 0, 1, 42, 183, 0, 1, 96, 172});  // a.next() + a.next()
  ASSERT_EQ(Count(Op::kMonitorEnter), 2u);
  EXPECT_EQ(Count(Op::kLoadField), 2u);
  Coarsen(1);
  EXPECT_EQ(Count(Op::kMonitorEnter), 1u);
  EXPECT_EQ(Count(Op::kMonitorExit), 1u);
  EXPECT_EQ(Count(Op::kLoadField), 1u);
}

TEST_F(LockCoarsening, KeepsItOverThreeCallsWithSeveralReturns) {
  Build(TwoReturns(), {42, 183, 0, 1, 42, 183, 0, 1, 96, 42, 183, 0, 1, 96, 172});
  ASSERT_EQ(Count(Op::kMonitorEnter), 3u);
  ASSERT_EQ(Count(Op::kMonitorExit), 6u);
  Coarsen(2);
  EXPECT_EQ(Count(Op::kMonitorEnter), 1u);
  EXPECT_EQ(Count(Op::kMonitorExit), 2u);
}

TEST_F(LockCoarsening, LeavesTheMonitorOfAnotherObjectAlone) {
  Build(OneReturn(), {42, 183, 0, 1, 43, 183, 0, 1, 96, 172});  // a.next() + b.next()
  Coarsen(0);
  EXPECT_EQ(Count(Op::kMonitorEnter), 2u);
  EXPECT_EQ(Count(Op::kMonitorExit), 2u);
}

TEST_F(LockCoarsening, LeavesTheMonitorBeforeACall) {
  Build(OneReturn(), {42, 183, 0, 1, 184, 0, 2, 42, 183, 0, 1, 96, 172});
  Coarsen(0);
  EXPECT_EQ(Count(Op::kMonitorExit), 2u);
}

TEST_F(LockCoarsening, LeavesTheMonitorWhereOnlyOneWayHasEnteredIt) {
  // int sum = 0; if (n != 0) sum = a.next(); return a.next() + sum;
  Build(OneReturn(),
        {42, 183, 0, 1, 87, 184, 0, 2, 28, 153, 0, 8, 42, 183, 0, 1, 87, 42, 183, 0, 1, 172});
  ASSERT_EQ(Count(Op::kMonitorEnter), 3u);
  Coarsen(0);
  EXPECT_EQ(Count(Op::kMonitorExit), 3u);
}

TEST_F(LockCoarsening, LeavesTheMonitorWhereOneWayOnDoesNotEnterItAgain) {
  // int sum = a.next(); return n == 0 ? sum : a.next();
  Build(OneReturn(), {42, 183, 0, 1, 62, 28, 153, 0, 8, 42, 183, 0, 1, 172, 29, 172});
  ASSERT_EQ(Count(Op::kMonitorEnter), 2u);
  Coarsen(0);
  EXPECT_EQ(Count(Op::kMonitorExit), 2u);
}

TEST_F(LockCoarsening, LeavesTheMonitorInEachIteration) {
  // while (true) { a.next(); }
  Build(OneReturn(), {42, 183, 0, 1, 87, 167, 255, 251});
  Coarsen(0);
  EXPECT_EQ(Count(Op::kMonitorExit), 1u);
}

}  // namespace
}  // namespace yp::compiler
