#include "compiler/inline/inline_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {
namespace {

constexpr uint8_t kIload0 = 26, kIload1 = 27, kAload0 = 42, kIadd = 96, kIreturn = 172,
                  kInvokevirtual = 182, kInvokestatic = 184;

// Methods by number: constant n of each is a call of method n.
class Program : public FakeLinkage {
 public:
  struct Callee {
    Method method;
    CalleeLink link;
    bool is_forbidden = false;
  };
  using Methods = std::map<uint32_t, Callee>;

  Program(std::shared_ptr<Methods> methods, std::string name)
      : methods_(std::move(methods)), name_(std::move(name)) {
    for (const auto& [number, callee] : *methods_) {
      CallLink call;
      call.signature = callee.method.signature;
      call.resolved = true;
      call.dispatch = callee.method.is_static ? Dispatch::kStatic : Dispatch::kVirtual;
      call.method = static_cast<MethodNumber>(number);
      calls[number] = call;
    }
  }

  std::optional<CalleeLink> OnlyCallee(uint32_t index, uint8_t opcode, const CallLink&) override {
    const CalleeLink& link = methods_->at(index).link;
    if (opcode == kInvokevirtual && link.guard.kind != GuardLink::Kind::kNone) return std::nullopt;
    return link;
  }
  std::optional<CalleeLink> CalleeOf(std::string_view class_name, uint32_t, uint32_t index, uint8_t,
                                     const CallLink&) override {
    const CalleeLink& link = methods_->at(index).link;
    if (!link.name.starts_with(class_name)) return std::nullopt;
    return link;
  }
  std::optional<OpenedMethod> Open(MethodNumber number) override {
    const Callee& callee = methods_->at(static_cast<uint32_t>(number));
    if (callee.is_forbidden) return std::nullopt;
    return OpenedMethod{callee.method, std::make_unique<Program>(methods_, callee.link.name)};
  }
  std::string FullName() override { return name_; }
  void Bind(MethodNumber method) override { assumed.push_back(method); }

  std::vector<MethodNumber> assumed;

 private:
  std::shared_ptr<Methods> methods_;
  std::string name_;
};

class InlineTreeTest : public testing::Test {
 protected:
  static Method MethodOf(const char* descriptor, std::vector<uint8_t> code, bool is_static = true) {
    Method method;
    method.signature = *Signature::Parse(descriptor);
    method.is_static = is_static;
    method.code = std::move(code);
    method.max_locals = 3;
    method.max_stack = 4;
    return method;
  }
  CalleeLink& Add(uint32_t number, const char* name, Method method) {
    Program::Callee& callee = (*methods_)[number];
    callee.link.method = static_cast<MethodNumber>(number);
    callee.link.name = name;
    callee.link.bytes = static_cast<int32_t>(method.code.size());
    callee.method = std::move(method);
    return callee.link;
  }
  InlineTree Plan(const Method& method) {
    linkage_ = std::make_unique<Program>(methods_, "A.root()I");
    Result<InlineTree> tree = PlanInlining(method, *linkage_, &rules_);
    EXPECT_TRUE(tree) << tree.message();
    return std::move(tree).value();
  }
  static std::string Reason(const InlineTree& tree, size_t record) {
    return std::string(InlineReasonTexts()[tree.records.at(record).reason]);
  }

  std::shared_ptr<Program::Methods> methods_ = std::make_shared<Program::Methods>();
  std::unique_ptr<Program> linkage_;
  InlineRules rules_;
  CallWeights weights_;
  // iload_0 iload_1 invokestatic 7 iload_0 iadd ireturn
  const Method caller_ =
      MethodOf("(II)I", {kIload0, kIload1, kInvokestatic, 0, 7, kIload0, kIadd, kIreturn});
  const Method add_ = MethodOf("(II)I", {kIload0, kIload1, kIadd, kIreturn});
};

TEST_F(InlineTreeTest, ArgumentsStayWhereTheCallersStackHasThem) {
  Add(7, "A.add(II)I", add_);
  const InlineTree tree = Plan(caller_);
  const auto& callees = tree.root->inlined.at(2);
  ASSERT_EQ(callees.size(), 1u);
  EXPECT_EQ(callees[0].body->first_slot, tree.root->StackSlot(0));
  // Of the callee: three locals, four stack slots, one for an exception.
  EXPECT_EQ(tree.slots, 3u + 3 + 4 + 1);
  EXPECT_TRUE(tree.records[0].is_inlined);
  EXPECT_FALSE(tree.records[0].is_guarded);
  EXPECT_EQ(Reason(tree, 0), "trivial");
}

TEST_F(InlineTreeTest, MonitorsOfACalleeLieAboveThoseAroundTheCall) {
  Method locked = add_;
  locked.is_synchronized = true;
  Add(7, "A.add(II)I", locked);
  Method caller = caller_;
  caller.is_synchronized = true;
  const InlineTree tree = Plan(caller);
  EXPECT_EQ(tree.root->inlined.at(2)[0].body->first_lock, 1u);
  EXPECT_EQ(tree.locks, 2u);
}

TEST_F(InlineTreeTest, AMethodThatCallsItselfIsInItselfOnce) {
  Add(7, "A.root()I", caller_);
  const InlineTree tree = Plan(caller_);
  const Body& inner = *tree.root->inlined.at(2)[0].body;
  EXPECT_TRUE(inner.inlined.empty());
  EXPECT_EQ(Reason(tree, 1), "recursive");
}

TEST_F(InlineTreeTest, WhatCannotBeInlinedIsCalledAndSaysWhy) {
  CalleeLink& link = Add(7, "A.add(II)I", add_);
  link.obstacle = CalleeLink::Obstacle::kNotInitialized;
  EXPECT_EQ(Reason(Plan(caller_), 0), "not initialized");
  link.obstacle = CalleeLink::Obstacle::kNone;
  (*methods_)[7].is_forbidden = true;
  EXPECT_EQ(Reason(Plan(caller_), 0), "forbidden");
  (*methods_)[7].is_forbidden = false;
  (*methods_)[7].method.code = {kIload0, 201, 0, 0, 0, 4, kIreturn};  // jsr_w
  const InlineTree tree = Plan(caller_);
  EXPECT_EQ(Reason(tree, 0), "not compiled");
  EXPECT_TRUE(tree.root->inlined.empty());
}

TEST_F(InlineTreeTest, OfSeveralTargetsThoseWithEnoughOfTheCallsAreInlinedBehindGuards) {
  // aload_0 iload_1 invokevirtual 7 ireturn
  Method caller =
      MethodOf("(Ljava/lang/Object;I)I", {kAload0, kIload1, kInvokevirtual, 0, 7, kIreturn});
  CalleeLink& link = Add(7, "B.f(I)I", MethodOf("(I)I", {kIload1, kIreturn}, false));
  link.guard.kind = GuardLink::Kind::kMethod;
  const InlineTree without = Plan(caller);
  EXPECT_EQ(Reason(without, 0), "several targets");
  weights_.Add("A.root()I", 2, "B.f(I)I", 55);
  weights_.Add("A.root()I", 2, "C.f(I)I", 45);
  rules_.weights = &weights_;
  const InlineTree tree = Plan(caller);
  ASSERT_EQ(tree.root->inlined.at(2).size(), 1u);
  EXPECT_TRUE(tree.records[0].is_guarded);
  EXPECT_EQ(Reason(tree, 1), "no guard") << "a class that the VM does not find";
  weights_.Add("A.root()I", 2, "C.f(I)I", 100);
  weights_.Add("A.root()I", 2, "D.f(I)I", 100);
  EXPECT_TRUE(Plan(caller).root->inlined.empty()) << "none has more than four tenths";
}

TEST_F(InlineTreeTest, AVirtualCallWithOneTargetIsBoundWhereItIsNotInlined) {
  std::vector<uint8_t> nops(200, 0);
  nops.insert(nops.end(), {kIload1, kIreturn});
  CalleeLink& large = Add(7, "B.f(I)I", MethodOf("(I)I", nops, false));
  Add(8, "B.g(I)I", MethodOf("(I)I", {kIload1, kIreturn}, false));
  // aload_0 aload_0 iload_1 invokevirtual 7 invokevirtual 8 ireturn
  const Method caller =
      MethodOf("(Ljava/lang/Object;I)I",
               {kAload0, kAload0, kIload1, kInvokevirtual, 0, 7, kInvokevirtual, 0, 8, kIreturn});
  EXPECT_TRUE(Plan(caller).root->bound.empty());
  rules_.binds = true;
  const InlineTree tree = Plan(caller);
  ASSERT_EQ(tree.root->bound.size(), 1u);
  EXPECT_EQ(tree.root->bound.at(3).dispatch, Dispatch::kSpecial);
  EXPECT_EQ(tree.root->bound.at(3).method, MethodNumber{7});
  EXPECT_EQ(linkage_->assumed, std::vector<MethodNumber>{MethodNumber{7}});
  large.is_abstract = true;
  EXPECT_TRUE(Plan(caller).root->bound.empty()) << "it throws";
  large.is_abstract = false;
  large.guard.kind = GuardLink::Kind::kMethod;
  EXPECT_TRUE(Plan(caller).root->bound.empty()) << "there are others";
}

TEST_F(InlineTreeTest, WithoutRulesNothingIsInlinedOrAsked) {
  Add(7, "A.add(II)I", add_);
  Program linkage(methods_, "A.root()I");
  const Result<InlineTree> tree = PlanInlining(caller_, linkage, nullptr);
  ASSERT_TRUE(tree);
  EXPECT_TRUE(tree->root->inlined.empty());
  EXPECT_TRUE(tree->records.empty());
}

}  // namespace
}  // namespace yp::compiler
