// Context calls, by Rewriter::AddContextCalls. Their frames are in context_frames_unittest.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "classfile/class_builder.h"
#include "classfile/instructions.h"
#include "classfile/invokes.h"
#include "classfile/rewriter_test_util.h"

namespace yp::classfile {
namespace {

using testing::ElementsAre;

Rewritten WithContext(const ClassBuilder::MethodSpec& spec, uint16_t major = 61) {
  ClassBuilder b;
  b.AddMethod(spec);
  return Rewrite(
      b, [](Rewriter& r) { r.AddContextCalls(0, 7, {}); }, 0, major);
}

// A class with one method made by `make(low byte of the index of a static method)`, in which each
// invoke is site 9.
template <typename MakeSpec>
Rewritten WithContextSites(MakeSpec&& make) {
  ClassBuilder b;
  const auto callee =
      static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "Other", "call", "()V"));
  b.AddMethod(make(callee));
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  EXPECT_TRUE(file.ok()) << file.message();
  std::vector<ContextSite> sites;
  InvokeCursor cursor(*file, file->methods()[0]);
  for (Invoke invoke; cursor.Next(invoke);) sites.push_back({invoke.bci, 9});
  return Rewrite(b, [&](Rewriter& r) { r.AddContextCalls(0, 7, sites); });
}

// The low byte of the index of that method of the probe owner.
uint8_t CalleeOf(const Rewritten& r, const std::string& name) {
  for (uint32_t i = 1; i < r.after->pool().count(); ++i) {
    const std::optional<MemberRef> member = r.after->pool().Member(static_cast<uint16_t>(i));
    if (member && member->owner == "yp/Check" && member->name == name) {
      return static_cast<uint8_t>(i);
    }
  }
  return 0;
}

std::vector<uint8_t> Part(const std::vector<uint8_t>& bytes, size_t begin, size_t size) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(begin + size)};
}

TEST(Context, IsKeptInALocalOfItsOwn) {
  const Rewritten r = WithContextSites([](uint8_t callee) {
    return ClassBuilder::MethodSpec{.max_locals = 2, .code = {184, 0, callee, op::kReturn}};
  });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  const uint8_t callee = code[18];
  EXPECT_THAT(code, ElementsAre(17, 0, 7, 184, 0, CalleeOf(r, "enter"), 54, 2,  //
                                21, 2, 17, 0, 9, 184, 0, CalleeOf(r, "at"),     //
                                184, 0, callee,                                 //
                                21, 2, 184, 0, CalleeOf(r, "leave"), op::kReturn));
  EXPECT_EQ(r.code().max_locals, 3);
  EXPECT_EQ(r.code().max_stack, 2);
  EXPECT_EQ(r.after->pool().Member(CalleeOf(r, "enter"))->descriptor, "(I)I");
  EXPECT_EQ(r.after->pool().Member(CalleeOf(r, "at"))->descriptor, "(II)V");
  EXPECT_EQ(r.after->pool().Member(CalleeOf(r, "leave"))->descriptor, "(I)V");
  EXPECT_EQ(r.map().OriginalBci(16), 0);
  EXPECT_EQ(r.map().OriginalBci(19), 3);
  EXPECT_EQ(r.map().OriginalBci(24), 3);
}

TEST(Context, IsLeftInFrontOfEveryKindOfReturn) {
  // iconst_0, lconst_0, fconst_0, dconst_0, aconst_null, nop
  const std::vector<uint8_t> values = {3, 9, 11, 14, 1, 0};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto opcode = static_cast<uint8_t>(op::kIreturn + i);
    const Rewritten r = WithContext({.max_stack = 2, .code = {values[i], opcode}});
    EXPECT_THAT(Part(r.bytecode(), 8, 7),
                ElementsAre(values[i], 21, 0, 184, 0, CalleeOf(r, "leave"), opcode));
    EXPECT_EQ(r.code().max_stack, 3);
  }
}

TEST(Context, IsOfferedByEveryKindOfInvoke) {
  ClassBuilder b;
  const auto method =
      static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "Other", "call", "()V"));
  const auto interface =
      static_cast<uint8_t>(b.Member(ConstantTag::kInterfaceMethodref, "Other", "call", "()V"));
  const auto dynamic =
      static_cast<uint8_t>(b.Pair(ConstantTag::kInvokeDynamic, 0, b.NameAndType("call", "()V")));
  b.AddMethod({.max_stack = 3,
               .max_locals = 1,
               .code = {42,  182, 0,         method, 42, 183, 0, method,  184, 0, method,     42,
                        185, 0,   interface, 1,      0,  186, 0, dynamic, 0,   0, op::kReturn}});
  const std::vector<ContextSite> sites = {{1, 0}, {5, 1}, {8, 2}, {12, 3}, {17, 40'000}};
  const Rewritten r =
      Rewrite(b, [&](Rewriter& rewriter) { rewriter.AddContextCalls(0, 7, sites); });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  for (const ContextSite& site : sites) {
    const size_t at = r.map().Target(site.bci);
    EXPECT_EQ(r.map().Moved(site.bci), at + 8);
    EXPECT_THAT(Part(code, at, 2), ElementsAre(21, 1));
    if (site.site == 40'000) {
      EXPECT_EQ(code[at + 2], 19);
      EXPECT_TRUE(r.after->pool().Is(code[at + 4], ConstantTag::kInteger));
    } else {
      EXPECT_THAT(Part(code, at + 2, 3), ElementsAre(17, 0, site.site));
    }
    EXPECT_THAT(Part(code, at + 5, 3), ElementsAre(184, 0, CalleeOf(r, "at")));
  }
  EXPECT_EQ(r.code().max_stack, 5);
}

TEST(Context, TakesWideInstructionsBeyond255) {
  const Rewritten narrow = WithContext({.max_locals = 255, .code = {op::kReturn}});
  EXPECT_THAT(Part(narrow.bytecode(), 6, 4), ElementsAre(54, 255, 21, 255));
  const Rewritten wide = WithContextSites([](uint8_t callee) {
    return ClassBuilder::MethodSpec{.max_locals = 256, .code = {184, 0, callee, op::kReturn}};
  });
  const std::vector<uint8_t> code = wide.bytecode();
  EXPECT_THAT(Part(code, 6, 10), ElementsAre(op::kWide, 54, 1, 0, 0, 0, op::kWide, 21, 1, 0));
  EXPECT_THAT(Part(code, 25, 8),
              ElementsAre(op::kWide, 21, 1, 0, 184, 0, CalleeOf(wide, "leave"), op::kReturn));
  EXPECT_EQ(wide.code().max_locals, 257);
}

TEST(Context, LeavesAMethodWithoutAFreeLocal) {
  EXPECT_EQ(WithContext({.max_locals = 65534, .code = {op::kReturn}}).code().max_locals, 65535);
  const Rewritten full = WithContext({.max_locals = 65535, .code = {op::kReturn}});
  EXPECT_EQ(full.outcome(), ProbeOutcome::kTooManyLocals);
  EXPECT_EQ(full.result.bytes, full.before_bytes);
}

TEST(Context, KeepsALoopToBytecodeZeroBehindTheEntry) {
  // 0 nop; 1 iload_0; 2 ifeq 0; 5 return, with frames at 0 and at 5.
  const Rewritten r = WithContext({.descriptor = "(I)V",
                                   .max_stack = 1,
                                   .max_locals = 1,
                                   .code = {0, 26, 153, 255, 254, op::kReturn},
                                   .attributes = {{"StackMapTable", {0, 2, 0, 4}}}});
  EXPECT_THAT(Part(r.bytecode(), 8, 6), ElementsAre(0, 26, 153, 255, 254, 21));
  // The second frame is that of the leave call.
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 252, 0, 8, 1, 4));
}

TEST(Context, LetsJumpsFramesAndRangesStartAtTheLeaveCall) {
  // 0 iconst_0; 1 ifeq 5; 4 return; 5 return; 6 athrow
  const Rewritten r = WithContext({.max_stack = 1,
                                   .code = {3, 153, 0, 4, op::kReturn, op::kReturn, 191},
                                   .exceptions = {0, 4, 6, 0, 4, 5, 6, 0, 5, 6, 5, 0},
                                   .attributes = {{"StackMapTable", {0, 2, 5, 64, 5}}}});
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  // 8 iconst_0; 9 ifeq 18; 12 leave; 17 return; 18 leave; 23 return; 24 athrow
  const std::vector<uint8_t> code = r.bytecode();
  ASSERT_EQ(code.size(), 25u);
  EXPECT_THAT(Part(code, 8, 5), ElementsAre(3, 153, 0, 9, 21));
  EXPECT_THAT(
      std::vector<uint8_t>(r.code().exception_table.begin(), r.code().exception_table.end()),
      ElementsAre(0, 8, 0, 12, 0, 24, 0, 0, 0, 12, 0, 18, 0, 24, 0, 0, 0, 18, 0, 24, 0, 18, 0, 0));
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 252, 0, 18, 1, 64 + 5, 5));
}

TEST(Context, MovesUninitializedTypesWithTheirNewInstruction) {
  ClassBuilder b;
  const auto type = static_cast<uint8_t>(b.Class("A"));
  b.AddMethod({.max_stack = 1,
               .max_locals = 1,
               .code = {187, 0, type, 0, 75, op::kReturn},
               .attributes = {{"StackMapTable", {0, 2, 67, 8, 0, 0, 252, 0, 1, 8, 0, 0}}}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) { rewriter.AddContextCalls(0, 7, {}); });
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 255, 0, 11, 0, 2, 0, 1, 0, 1, 8, 0, 8,  //
                                                    255, 0, 1, 0, 2, 8, 0, 8, 1, 0, 0));
}

TEST(Context, NeedsNoFramesInOldClasses) {
  // jsr 4; return; astore_0; ret 0
  const Rewritten r = WithContext(
      {.max_stack = 1, .max_locals = 1, .code = {168, 0, 4, op::kReturn, 75, 169, 0}}, 48);
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  EXPECT_THAT(Part(r.bytecode(), 8, 12),
              ElementsAre(168, 0, 9, 21, 1, 184, 0, CalleeOf(r, "leave"), op::kReturn, 75, 169, 0));
  EXPECT_EQ(r.code().attribute_count, 0);
}

TEST(Context, StandsBesideTheOtherCalls) {
  ClassBuilder b;
  const auto callee =
      static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "Other", "call", "(I)V"));
  b.AddMethod({.max_stack = 2,
               .max_locals = 4,
               .code = {1, 3, 182, 0, callee, op::kReturn},
               .attributes = {{"StackMapTable", {0, 1, 5}}}});
  const std::vector<ContextSite> sites = {{2, 9}};
  const Rewritten r = Rewrite(b, [&](Rewriter& rewriter) {
    rewriter.AddEntryCall(0, 1);
    rewriter.AddContextCalls(0, 7, sites);
    EXPECT_TRUE(rewriter.AddReceiverCall(0, 2, "(I)V", 3));
  });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(Part(code, 6, 4), ElementsAre(0, 0, 17, 0));
  EXPECT_THAT(Part(code, 14, 4), ElementsAre(54, 4, 1, 3));
  // The receiver call's argument goes into the local behind the context's.
  EXPECT_THAT(Part(code, 18, 11),
              ElementsAre(21, 4, 17, 0, 9, 184, 0, CalleeOf(r, "at"), 54, 5, 89));
  EXPECT_EQ(r.code().max_locals, 6);
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 1, 255, 0, 40, 0, 5, 0, 0, 0, 0, 1, 0, 0));
}

TEST(Context, LeavesMethodsThatTakeNoProbes) {
  ClassBuilder b;
  b.AddMethod({.access_flags = kAccAbstract});
  b.AddMethod({.name = "finalize", .access_flags = 4, .code = {op::kReturn}});
  b.AddMethod({.code = {167, 0, 1, op::kReturn}});
  b.AddMethod({.code = {0, op::kReturn}});
  b.AddMethod({.max_stack = 65535, .code = {0, op::kReturn}});
  // A chop frame, where there is no local.
  b.AddMethod({.code = {0, op::kReturn}, .attributes = {{"StackMapTable", {0, 1, 250, 0, 0}}}});
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  Rewriter rewriter(*file, {{"C", "check", "site", {}, {}, "enter", "at", "leave"}});
  const std::vector<ContextSite> at_a_return = {{1, 9}};
  for (uint32_t m = 0; m < 7; ++m) {  // There is no method 6.
    rewriter.AddContextCalls(m, 40'000, m == 3 ? at_a_return : std::vector<ContextSite>());
  }
  const RewriteResult result = rewriter.Finish();
  std::vector<ProbeOutcome> outcomes;
  for (const MethodOutcome& outcome : result.methods) outcomes.push_back(outcome.outcome);
  EXPECT_THAT(outcomes, ElementsAre(ProbeOutcome::kNoCode, ProbeOutcome::kEmptyFinalizer,
                                    ProbeOutcome::kMalformedCode, ProbeOutcome::kNoSuchInvoke,
                                    ProbeOutcome::kStackTooDeep, ProbeOutcome::kMalformedCode,
                                    ProbeOutcome::kNoCode));
  EXPECT_EQ(result.bytes, bytes);
}

TEST(Context, TakesBackTheConstantsOfAMethodThatStaysAsItIs) {
  // The second method's full frame needs the class a/B, which the first one's was to add.
  const auto method = [](const std::string& name, uint16_t max_stack) {
    return ClassBuilder::MethodSpec{.name = name,
                                    .descriptor = "(La/B;)V",
                                    .max_stack = max_stack,
                                    .max_locals = 1,
                                    .code = {0, op::kReturn},
                                    .attributes = {{"StackMapTable", {0, 1, 65, 5}}}};
  };
  ClassBuilder b;
  ClassBuilder::MethodSpec first = method("first", 1);
  // Its second table fails when the first one is written.
  first.attributes.push_back({"StackMapTable", {0, 1, 248, 0, 0}});
  b.AddMethod(first);
  b.AddMethod(method("second", 1));
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) {
    rewriter.AddContextCalls(0, 1, {});
    rewriter.AddContextCalls(1, 2, {});
  });
  EXPECT_EQ(r.outcome(0), ProbeOutcome::kMalformedCode);
  ASSERT_EQ(r.outcome(1), ProbeOutcome::kProbed);
  EXPECT_EQ(r.after->pool().ClassName(LastConstant(r)), "a/B");
  EXPECT_EQ(r.bytecode(0).size(), 2u);
}

}  // namespace
}  // namespace yp::classfile
