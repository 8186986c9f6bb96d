#include "classfile/rewriter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "classfile/class_builder.h"
#include "classfile/instructions.h"
#include "classfile/invokes.h"
#include "classfile/rewriter_test_util.h"

namespace yp::classfile {
namespace {

using op::kInvokestatic;
using op::kReturn;
using testing::ElementsAre;
using testing::ElementsAreArray;

Rewritten WithEntry(const ClassBuilder::MethodSpec& spec) {
  ClassBuilder b;
  b.AddMethod(spec);
  return Rewrite(b, [](Rewriter& r) { r.AddEntryCall(0, 7); });
}

// The index of a method that code in a test may call: the first constant that the test adds.
uint16_t AddCallee(ClassBuilder& b) {
  return b.Member(ConstantTag::kMethodref, "Other", "call", "()V");
}

// A class with one method made by `make(low byte of the callee's index)`, and a site call before
// each of its invokes.
template <typename MakeSpec>
Rewritten WithSites(MakeSpec&& make, uint16_t major = 61) {
  ClassBuilder b;
  const auto callee = static_cast<uint8_t>(AddCallee(b));
  b.AddMethod(make(callee));
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  EXPECT_TRUE(file.ok()) << file.message();
  return Rewrite(
      b,
      [&](Rewriter& r) {
        InvokeCursor cursor(*file, file->methods()[0]);
        for (Invoke invoke; cursor.Next(invoke);) {
          r.AddSiteCall(0, invoke.bci, 9);
        }
      },
      0, major);
}

TEST(Rewriter, PutsEightBytesInFrontOfAMethod) {
  const Rewritten r = WithEntry({.code = {kReturn}});
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  EXPECT_EQ(r.result.probed, 1u);
  EXPECT_THAT(r.bytecode(),
              ElementsAre(17, 0, 7, kInvokestatic, 0, LastConstant(r), 0, 0, kReturn));
  const std::optional<MemberRef> callee = r.after->pool().Member(LastConstant(r));
  ASSERT_TRUE(callee);
  EXPECT_EQ(callee->owner, "yp/Check");
  EXPECT_EQ(callee->name, "check");
  EXPECT_EQ(callee->descriptor, "(I)V");
  EXPECT_EQ(r.code().max_stack, 1);
}

TEST(Rewriter, LoadsIdsFromTheConstantPoolThatSipushCannotPush) {
  for (const int32_t id : {32768, 1'000'000, -1}) {
    ClassBuilder b;
    b.AddMethod({.max_stack = 5, .code = {kReturn}});
    const Rewritten r = Rewrite(b, [&](Rewriter& rewriter) { rewriter.AddEntryCall(0, id); });
    EXPECT_THAT(r.bytecode(), ElementsAre(19, 0, LastConstant(r), kInvokestatic, 0,
                                          LastConstant(r, 1), 0, 0, kReturn));
    ASSERT_TRUE(r.after->pool().Is(LastConstant(r), ConstantTag::kInteger));
    EXPECT_EQ(static_cast<int32_t>(
                  LoadU4(&r.result.bytes[r.after->pool().ContentOffset(LastConstant(r))])),
              id);
    EXPECT_EQ(r.code().max_stack, 5);
  }
}

TEST(Rewriter, KeepsABranchToBytecodeZeroBehindTheEntryCall) {
  // for (;;);  with a frame at 0 and at the goto.
  const Rewritten r =
      WithEntry({.code = {0, 167, 255, 255}, .attributes = {{"StackMapTable", {0, 2, 0, 0}}}});
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin() + 8, code.end()), ElementsAre(0, 167, 255, 255));
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 8, 0));
}

TEST(Rewriter, GivesTheEntryCallToTheFirstLineAndToVariablesThatLiveFromTheStart) {
  const Rewritten r =
      WithEntry({.max_locals = 2,
                 .code = {3, 60, 0, kReturn},
                 .attributes = {{"LineNumberTable", {0, 2, 0, 0, 0, 10, 0, 2, 0, 11}},
                                {"LocalVariableTable", {0, 2, 0, 0, 0, 4, 0, 1, 0, 1, 0,
                                                        0, 0, 2, 0, 2, 0, 1, 0, 1, 0, 1}},
                                {"LocalVariableTypeTable", {0, 1, 0, 0, 0, 2, 0, 1, 0, 1, 0, 0}}}});
  EXPECT_THAT(r.Table("LineNumberTable"), ElementsAre(0, 2, 0, 0, 0, 10, 0, 10, 0, 11));
  EXPECT_THAT(r.Table("LocalVariableTable"),
              ElementsAre(0, 2, 0, 0, 0, 12, 0, 1, 0, 1, 0, 0, 0, 10, 0, 2, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(r.Table("LocalVariableTypeTable"), ElementsAre(0, 1, 0, 0, 0, 10, 0, 1, 0, 1, 0, 0));
}

TEST(Rewriter, LeavesTheEntryCallOutsideOfEveryExceptionRange) {
  const Rewritten r = WithEntry({.max_stack = 1,
                                 .code = {0, kReturn, 191},
                                 .exceptions = {0, 1, 2, 0},
                                 .attributes = {{"StackMapTable", {0, 1, 66, 6}}}});
  EXPECT_THAT(
      std::vector<uint8_t>(r.code().exception_table.begin(), r.code().exception_table.end()),
      ElementsAre(0, 8, 0, 9, 0, 10, 0, 0));
  // same_locals_1_stack_item at 10.
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 1, 74, 6));
}

TEST(Rewriter, MovesUninitializedTypesWithTheirNewInstruction) {
  ClassBuilder b;
  const auto type = static_cast<uint8_t>(b.Class("A"));
  // new A; nop, with a frame at the nop: stack [Uninitialized(0)], and one more at the return with
  // local 0 Uninitialized(0).
  b.AddMethod({.max_stack = 1,
               .max_locals = 1,
               .code = {187, 0, type, 0, 75, kReturn},
               .attributes = {{"StackMapTable", {0, 2, 67, 8, 0, 0, 252, 0, 1, 8, 0, 0}}}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) { rewriter.AddEntryCall(0, 1); });
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 75, 8, 0, 8, 252, 0, 1, 8, 0, 8));
}

TEST(Rewriter, MovesOffsetsThatStartNoInstructionWithTheBytesBeforeThem) {
  const Rewritten r = WithEntry(
      {.max_locals = 1,
       .code = {17, 0, 1, 87, 177},
       .attributes = {{"LineNumberTable", {0, 2, 0, 0, 0, 10, 0, 2, 0, 11}},
                      {"LocalVariableTable", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0}},
                      {"RuntimeVisibleTypeAnnotations", {0, 1, 0x43, 0, 2, 0, 0, 1, 0, 0}}}});
  EXPECT_THAT(r.Table("LineNumberTable"), ElementsAre(0, 2, 0, 0, 0, 10, 0, 10, 0, 11));
  EXPECT_THAT(r.Table("LocalVariableTable"), ElementsAre(0, 1, 0, 9, 0, 1, 0, 1, 0, 1, 0, 0));
  EXPECT_THAT(r.Table("RuntimeVisibleTypeAnnotations"),
              ElementsAre(0, 1, 0x43, 0, 10, 0, 0, 1, 0, 0));
}

TEST(Rewriter, NeverMakesARangeEndBeforeItStarts) {
  ClassBuilder b;
  const auto callee = static_cast<uint8_t>(AddCallee(b));
  // The tableswitch at 4 has three bytes of padding, of which a call of 6 bytes leaves one: the
  // padding's last byte comes to lie behind its operands' first, at which the range ends.
  b.AddMethod({.max_stack = 1,
               .max_locals = 1,
               .code = {184, 0, callee, 3, 170, 0, 0, 0, 0, 0, 0,  20, 0,
                        0,   0, 0,      0, 0,   0, 0, 0, 0, 0, 20, 177},
               .attributes = {{"LocalVariableTable", {0, 1, 0, 7, 0, 1, 0, 1, 0, 1, 0, 0}}}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) { rewriter.AddSiteCall(0, 0, 1); });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> table = r.Table("LocalVariableTable");
  ASSERT_EQ(table.size(), 12u);
  EXPECT_EQ(table[4] * 256 + table[5], 0);
}

TEST(Rewriter, CopiesStackMapsThatTheJvmDoesNotUse) {
  ClassBuilder b;
  b.AddMethod(
      {.max_stack = 1, .code = {17, 0, 1, 87, 177}, .attributes = {{"StackMapTable", {0, 1, 2}}}});
  const Rewritten r = Rewrite(
      b, [](Rewriter& rewriter) { rewriter.AddEntryCall(0, 1); }, 0, 49);
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 1, 2));
}

TEST(Rewriter, MovesTypeAnnotationsWithTheirInstruction) {
  const Rewritten r =
      WithEntry({.max_locals = 1,
                 .code = {0, 42, kReturn},
                 .attributes = {{"RuntimeVisibleTypeAnnotations",
                                 {0,    4,                       //
                                  0x47, 0, 1, 0, 0, 0, 1, 0, 0,  // cast at 1
                                  0x44, 0, 0, 0, 0, 1, 0, 0,     // new at 0
                                  0x42, 0, 0, 0, 0, 1, 0, 0,     // catch 0
                                  0x40, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, 2, 'I', 0, 3}}}});
  EXPECT_THAT(r.Table("RuntimeVisibleTypeAnnotations"),
              ElementsAreArray(std::vector<uint8_t>{0,    4,                         //
                                                    0x47, 0, 9, 0, 0, 0, 1,   0, 0,  //
                                                    0x44, 0, 8, 0, 0, 1, 0,   0,     //
                                                    0x42, 0, 0, 0, 0, 1, 0,   0,     //
                                                    0x40, 0, 1, 0, 0, 0, 10,  0, 0, 0,
                                                    0,    1, 0, 1, 0, 2, 'I', 0, 3}));
}

TEST(Rewriter, CopiesAttributesThatItDoesNotKnow) {
  const std::vector<uint8_t> info = {1, 2, 3, 0, 0};
  EXPECT_EQ(WithEntry({.code = {kReturn}, .attributes = {{"Custom", info}}}).Table("Custom"), info);
}

TEST(Rewriter, PutsSixBytesInFrontOfAnInvoke) {
  const Rewritten r = WithSites([](uint8_t callee) {
    return ClassBuilder::MethodSpec{.max_stack = 2,
                                    .code = {4, 184, 0, callee, 87, 184, 0, callee, kReturn}};
  });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  const uint8_t site = LastConstant(r);
  const uint8_t callee = code[9];
  EXPECT_THAT(code, ElementsAre(4, 17, 0, 9, 184, 0, site, 184, 0, callee, 87,  //
                                17, 0, 9, 184, 0, site, 184, 0, callee, kReturn));
  EXPECT_EQ(r.after->pool().Member(site)->name, "site");
  EXPECT_EQ(r.code().max_stack, 3);
}

TEST(Rewriter, LetsJumpsFramesAndRangesStartAtTheSiteCall) {
  // 0 goto 4; 3 nop; 4 invokestatic; 7 goto 3; 10 athrow
  const Rewritten r = WithSites([](uint8_t callee) {
    return ClassBuilder::MethodSpec{
        .max_stack = 1,
        .code = {167, 0, 4, 0, 184, 0, callee, 167, 255, 252, 191},
        .exceptions = {4, 7, 10, 0, 0, 4, 10, 0},
        .attributes = {{"LineNumberTable", {0, 2, 0, 0, 0, 1, 0, 4, 0, 2}},
                       {"StackMapTable", {0, 3, 3, 0, 69, 6}}}};
  });
  const std::vector<uint8_t> code = r.bytecode();
  ASSERT_EQ(code.size(), 17u);
  EXPECT_THAT(std::vector<uint8_t>(code.begin(), code.begin() + 5), ElementsAre(167, 0, 4, 0, 17));
  EXPECT_THAT(std::vector<uint8_t>(code.begin() + 13, code.end()), ElementsAre(167, 255, 246, 191));
  EXPECT_THAT(
      std::vector<uint8_t>(r.code().exception_table.begin(), r.code().exception_table.end()),
      ElementsAre(0, 4, 0, 13, 0, 16, 0, 0, 0, 0, 0, 4, 0, 16, 0, 0));
  EXPECT_THAT(r.Table("LineNumberTable"), ElementsAre(0, 2, 0, 0, 0, 1, 0, 4, 0, 2));
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 3, 3, 0, 64 + 11, 6));
}

TEST(Rewriter, UsesTheLongFormOfFramesThatMoveTooFarApart) {
  // 0 invokestatic; nops; frames at 63 (same) and 127 (same locals, one int on the stack).
  const Rewritten r = WithSites([](uint8_t callee) {
    std::vector<uint8_t> code(130, 0);
    code[0] = 184;
    code[2] = callee;
    code[100] = 184;
    code[102] = callee;
    code.back() = kReturn;
    return ClassBuilder::MethodSpec{
        .max_stack = 1, .code = code, .attributes = {{"StackMapTable", {0, 2, 63, 127, 1}}}};
  });
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 2, 251, 0, 69, 247, 0, 69, 1));
}

TEST(Rewriter, PadsSwitchesAnew) {
  // 0 invokestatic; 3 iconst_0; 4 tableswitch (3 bytes of padding) to 24 and default 25;
  // 24 return; 25 iconst_0, 26 lookupswitch (1 byte of padding), default and its only case 25.
  const Rewritten r = WithSites([](uint8_t callee) {
    return ClassBuilder::MethodSpec{
        .max_stack = 1,
        .code = {184,     0,  callee, 3,  //
                 170,     0,  0,      0,   0,   0,   0, 21, 0, 0, 0, 5, 0, 0, 0,   5,   0,   0,
                 0,       20,  //
                 kReturn, 3,   //
                 171,     0,  255,    255, 255, 255, 0, 0,  0, 1, 0, 0, 0, 3, 255, 255, 255, 255}};
  });
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  // The tableswitch at 10 has one byte of padding, the lookupswitch at 30 has one as before.
  EXPECT_THAT(std::vector<uint8_t>(code.begin() + 9, code.end()),
              ElementsAre(3,  //
                          170, 0, 0, 0, 0, 19, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 18, kReturn, 3, 171,
                          0, 255, 255, 255, 255, 0, 0, 0, 1, 0, 0, 0, 3, 255, 255, 255, 255));
  EXPECT_EQ(r.map().OriginalBci(10), 4);
  EXPECT_EQ(r.map().OriginalBci(28), 24);
  EXPECT_EQ(r.map().OriginalBci(30), 26);
}

TEST(Rewriter, KeepsSwitchTargetsAtEveryAlignment) {
  for (uint32_t before = 0; before < 8; ++before) {
    const Rewritten r = WithSites([&](uint8_t callee) {
      std::vector<uint8_t> code(before, 0);
      code.insert(code.end(), {184, 0, callee, 3});
      const auto at = static_cast<uint32_t>(code.size());
      code.push_back(171);
      code.resize(code.size() + SwitchPadding(at), 0);
      const auto end = static_cast<uint32_t>(code.size() + 16 - at);
      for (const uint32_t word : {end, 1u, 77u, end + 3}) {
        AppendU4(code, word);
      }
      code.insert(code.end(), {184, 0, callee, kReturn});
      return ClassBuilder::MethodSpec{.max_stack = 1, .code = code};
    });
    ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
    const std::vector<uint8_t> code = r.bytecode();
    const uint32_t at = before + 10;
    ASSERT_EQ(code[at], 171);
    const std::optional<Instruction> instruction = DecodeInstruction(r.code().bytecode, at);
    ASSERT_TRUE(instruction);
    std::vector<int64_t> targets;
    VisitJumps(r.code().bytecode, *instruction, [&](uint32_t, bool, int64_t target) {
      targets.push_back(target);
      return true;
    });
    const int64_t end = at + instruction->length;
    EXPECT_THAT(targets, ElementsAre(end, end + 9));
    EXPECT_EQ(code[static_cast<size_t>(end)], 17);
    EXPECT_EQ(code.size(), static_cast<size_t>(end) + 10);
  }
}

TEST(Rewriter, PutsBothKindsIntoAMethodWhoseFirstInstructionIsACall) {
  ClassBuilder b;
  const auto callee = static_cast<uint8_t>(AddCallee(b));
  b.AddMethod(
      {.code = {184, 0, callee, 167, 255, 253}, .attributes = {{"StackMapTable", {0, 1, 0}}}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) {
    rewriter.AddSiteCall(0, 0, 2);
    rewriter.AddEntryCall(0, 1);
  });
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin() + 6, code.end()),
              ElementsAre(0, 0, 17, 0, 2, 184, 0, LastConstant(r), 184, 0, callee, 167, 255, 247));
  EXPECT_THAT(r.Table("StackMapTable"), ElementsAre(0, 1, 8));
  EXPECT_EQ(r.map().OriginalBci(14), 0);
  EXPECT_EQ(r.map().OriginalBci(17), 3);
  EXPECT_EQ(r.map().OriginalBci(0), 0);
}

TEST(Rewriter, ShiftsIndicesByEightForEntryCalls) {
  const Rewritten r = WithEntry({.code = {0, 0, kReturn}});
  EXPECT_EQ(r.map().OriginalBci(8), 0);
  EXPECT_EQ(r.map().OriginalBci(10), 2);
  EXPECT_EQ(r.map().OriginalBci(3), 0);
  EXPECT_EQ(r.map().OriginalBci(-1), -1);
  EXPECT_EQ(BciMap().OriginalBci(10), 10);
}

TEST(Rewriter, KeepsWideInstructionsAndSubroutines) {
  // jsr to a subroutine that increments local 300 by 1000 and returns: legal up to version 49.
  const Rewritten r = WithSites(
      [](uint8_t callee) {
        return ClassBuilder::MethodSpec{
            .max_stack = 1, .max_locals = 302, .code = {168,     0,  7,       // jsr 7
                                                        184,     0,  callee,  // 3
                                                        kReturn,              // 6
                                                        196,     58, 1,      45,  196, 132, 1,
                                                        44,      3,  232,    196, 169, 1,   45}};
      },
      48);
  ASSERT_EQ(r.outcome(), ProbeOutcome::kProbed);
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin(), code.begin() + 3), ElementsAre(168, 0, 13));
  EXPECT_THAT(std::vector<uint8_t>(code.begin() + 12, code.end()),
              ElementsAre(kReturn, 196, 58, 1, 45, 196, 132, 1, 44, 3, 232, 196, 169, 1, 45));
}

// A method of `size` bytes that starts with a goto over a call, to the return at its end.
Rewritten JumpOver(uint32_t size, bool wide) {
  return WithSites([&](uint8_t callee) {
    std::vector<uint8_t> code(size, 0);
    const uint32_t offset = size - 1;
    if (wide) {
      code[0] = 200;
      StoreU4(&code[1], offset);
    } else {
      code[0] = 167;
      StoreU2(&code[1], offset);
    }
    code[5] = 184;
    code[7] = callee;
    code.back() = kReturn;
    return ClassBuilder::MethodSpec{.code = code};
  });
}

TEST(Rewriter, LeavesAMethodWhoseJumpWouldNeedMoreThanSixteenBits) {
  EXPECT_EQ(JumpOver(32768 - 6, false).outcome(), ProbeOutcome::kProbed);
  const Rewritten too_far = JumpOver(32768 - 5, false);
  EXPECT_EQ(too_far.outcome(), ProbeOutcome::kJumpTooFar);
  EXPECT_EQ(too_far.result.bytes, too_far.before_bytes);
  EXPECT_EQ(JumpOver(32768 - 5, true).outcome(), ProbeOutcome::kProbed);
}

TEST(Rewriter, LeavesAMethodWhoseBackwardJumpWouldNeedMoreThanSixteenBits) {
  for (const auto& [distance, outcome] :
       {std::pair(32762u, ProbeOutcome::kProbed), std::pair(32763u, ProbeOutcome::kJumpTooFar)}) {
    const Rewritten r = WithSites([&, d = distance](uint8_t callee) {
      std::vector<uint8_t> code(d + 3, 0);
      code[1] = 184;
      code[3] = callee;
      code[d] = 167;
      StoreU2(&code[d + 1], 0u - d);
      return ClassBuilder::MethodSpec{.code = code};
    });
    EXPECT_EQ(r.outcome(), outcome) << distance;
  }
}

TEST(Rewriter, FillsAMethodUpTo65535BytesAndLeavesItBeyond) {
  std::vector<uint8_t> code(65535 - 8, 0);
  code.back() = kReturn;
  EXPECT_EQ(WithEntry({.code = code}).code().bytecode.size(), 65535u);
  code.insert(code.begin(), 0);
  const Rewritten r = WithEntry({.code = code});
  EXPECT_EQ(r.outcome(), ProbeOutcome::kCodeTooLarge);
  EXPECT_EQ(r.result.bytes, r.before_bytes);
  EXPECT_EQ(r.map().OriginalBci(5), 5);
  const auto full = [](size_t size) {
    return WithSites([&](uint8_t callee) {
      std::vector<uint8_t> c(size, 0);
      c[size - 4] = 184;
      c[size - 2] = callee;
      c[size - 1] = kReturn;
      return ClassBuilder::MethodSpec{.code = c};
    });
  };
  EXPECT_EQ(full(65529).code().bytecode.size(), 65535u);
  EXPECT_EQ(full(65530).outcome(), ProbeOutcome::kCodeTooLarge);
}

TEST(Rewriter, LeavesAMethodThatWouldNoLongerBeCompiled) {
  for (const auto& [size, outcome] :
       {std::pair(7992u, ProbeOutcome::kProbed), std::pair(7993u, ProbeOutcome::kCompileLimit),
        std::pair(8000u, ProbeOutcome::kCompileLimit), std::pair(8001u, ProbeOutcome::kProbed)}) {
    ClassBuilder b;
    std::vector<uint8_t> code(size, 0);
    code.back() = kReturn;
    b.AddMethod({.code = code});
    EXPECT_EQ(Rewrite(
                  b, [](Rewriter& r) { r.AddEntryCall(0, 7); }, kHotSpotHugeMethodLimit)
                  .outcome(),
              outcome)
        << size;
  }
}

// A method with one virtual call of that descriptor and a receiver call in front of it.
Rewritten WithReceiver(const std::string& descriptor, uint16_t max_locals) {
  ClassBuilder b;
  const auto callee =
      static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "Other", "call", descriptor));
  b.AddMethod(
      {.max_stack = 4, .max_locals = max_locals, .code = {op::kInvokevirtual, 0, callee, kReturn}});
  return Rewrite(b, [&](Rewriter& r) { EXPECT_TRUE(r.AddReceiverCall(0, 0, descriptor, 9)); });
}

TEST(Rewriter, DuplicatesAReceiverOnTopOfTheStack) {
  const Rewritten r = WithReceiver("()V", 3);
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin(), code.end() - 4),
              ElementsAre(op::kDup, op::kSipush, 0, 9, kInvokestatic, 0, LastConstant(r), 0, 0, 0));
  EXPECT_EQ(r.after->pool().Member(LastConstant(r))->descriptor, "(Ljava/lang/Object;I)V");
  EXPECT_EQ(r.code().max_stack, 6);
  EXPECT_EQ(r.code().max_locals, 3);
}

TEST(Rewriter, MovesTheArgumentsAboveAReceiverIntoLocalsAndBack) {
  const Rewritten r = WithReceiver("(Z[JDLjava/lang/String;[[LX;F)V", 3);
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin(), code.end() - 4),
              ElementsAreArray({
                  56, 9,  58, 8,  58,  7, 57,
                  5,  58, 4,  54, 3,                             // fstore .. istore
                  89, 17, 0,  9,  184, 0, int{LastConstant(r)},  //
                  21, 3,  25, 4,  24,  5, 25,
                  7,  25, 8,  23, 9,  // iload .. fload
              }));
  EXPECT_EQ(r.code().max_locals, 10);
}

// By the size versions are told apart, also where a switch's padding takes up what was added.
TEST(Rewriter, GrowsWhereAReceiverCallTakesTheSiteCallsPlace) {
  constexpr uint8_t kIconst0 = 3;
  for (size_t nops = 0; nops < 4; ++nops) {
    ClassBuilder b;
    const auto callee =
        static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "Other", "call", "()V"));
    std::vector<uint8_t> code(nops, op::kNop);
    const auto bci = static_cast<uint32_t>(nops);
    code.insert(code.end(), {op::kInvokevirtual, 0, callee, kIconst0, op::kLookupswitch});
    const auto at = static_cast<uint32_t>(code.size()) - 1;
    code.insert(code.end(), SwitchPadding(at), 0);
    const auto target = static_cast<uint8_t>(code.size() + 8 - at);
    code.insert(code.end(), {0, 0, 0, target, 0, 0, 0, 0, kReturn});
    b.AddMethod({.max_stack = 1, .max_locals = 1, .code = code});
    const size_t with_site =
        Rewrite(b, [&](Rewriter& r) { r.AddSiteCall(0, bci, 9); }).code().bytecode.size();
    const size_t with_receiver =
        Rewrite(b, [&](Rewriter& r) { EXPECT_TRUE(r.AddReceiverCall(0, bci, "()V", 9)); })
            .code()
            .bytecode.size();
    EXPECT_GT(with_receiver, with_site) << nops;
  }
}

TEST(Rewriter, MovesArgumentsIntoLocalsBeyond255) {
  const Rewritten r = WithReceiver("(J)V", 300);
  const std::vector<uint8_t> code = r.bytecode();
  EXPECT_THAT(std::vector<uint8_t>(code.begin(), code.begin() + 4),
              ElementsAre(op::kWide, 55, 1, 44));
  EXPECT_THAT(std::vector<uint8_t>(code.end() - 8, code.end() - 4),
              ElementsAre(op::kWide, 22, 1, 44));
  EXPECT_EQ(r.code().max_locals, 302);
}

TEST(Rewriter, HasNoReceiverCallForMoreThanEightSlotsOfArguments) {
  ClassBuilder b;
  b.AddMethod({.max_locals = 65528, .code = {kReturn}});
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  Rewriter rewriter(*file, {{"yp/Check", "check", "site"}});
  EXPECT_TRUE(rewriter.AddReceiverCall(0, 0, "(IIIIIII)V", 1));
  EXPECT_FALSE(rewriter.AddReceiverCall(0, 0, "(JJJJI)V", 1));
  EXPECT_FALSE(rewriter.AddReceiverCall(0, 0, "(JJJJ)V", 1));  // No locals left.
}

TEST(Rewriter, LeavesAMethodWhoseStackIsFull) {
  const auto with_stack = [](uint16_t max_stack) {
    return WithSites([&](uint8_t callee) {
      return ClassBuilder::MethodSpec{.max_stack = max_stack, .code = {184, 0, callee, kReturn}};
    });
  };
  EXPECT_EQ(with_stack(65534).code().max_stack, 65535);
  EXPECT_EQ(with_stack(65535).outcome(), ProbeOutcome::kStackTooDeep);
}

TEST(Rewriter, LeavesMethodsWithoutCodeAndEmptyFinalizers) {
  ClassBuilder b;
  b.AddMethod({.access_flags = kAccAbstract});
  b.AddMethod({.name = "finalize", .access_flags = 4, .code = {kReturn}});
  b.AddMethod({.name = "finalize", .access_flags = 4, .code = {0, kReturn}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) {
    for (uint32_t m = 0; m < 4; ++m) {  // There is no method 3.
      rewriter.AddEntryCall(m, 1);
    }
  });
  ASSERT_EQ(r.result.methods.size(), 4u);
  EXPECT_EQ(r.outcome(0), ProbeOutcome::kNoCode);
  EXPECT_EQ(r.outcome(1), ProbeOutcome::kEmptyFinalizer);
  EXPECT_EQ(r.outcome(2), ProbeOutcome::kProbed);
  EXPECT_EQ(r.outcome(3), ProbeOutcome::kNoCode);
}

TEST(Rewriter, LeavesMethodsThatItCannotRead) {
  ClassBuilder b;
  const std::vector<uint8_t> bytes = [&] {
    b.AddMethod({.code = {167, 0, 1, kReturn}});
    b.AddMethod({.code = {kReturn}});
    return b.Build();
  }();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok());
  Rewriter rewriter(*file, {{"C", "check", "site"}});
  rewriter.AddEntryCall(0, 40'000);
  rewriter.AddSiteCall(1, 0, 1);
  const RewriteResult result = rewriter.Finish();
  EXPECT_EQ(result.methods[0].outcome, ProbeOutcome::kMalformedCode);
  EXPECT_EQ(result.methods[1].outcome, ProbeOutcome::kNoSuchInvoke);
  EXPECT_EQ(result.bytes, bytes);
}

TEST(Rewriter, RefusesSitesThatAreNotAtAnInvoke) {
  for (const uint32_t bci : {0u, 2u, 4u, 5u, 100'000u}) {
    ClassBuilder b;
    const auto callee = static_cast<uint8_t>(AddCallee(b));
    b.AddMethod({.code = {0, 184, 0, callee, kReturn}});
    const Rewritten r = Rewrite(b, [&](Rewriter& rewriter) {
      rewriter.AddSiteCall(0, 1, 1);
      rewriter.AddSiteCall(0, bci, 2);
    });
    EXPECT_EQ(r.outcome(), ProbeOutcome::kNoSuchInvoke) << bci;
    EXPECT_EQ(r.result.bytes, r.before_bytes);
  }
}

// A class whose constant pool has room for `room` more constants, with two empty methods.
ClassBuilder AlmostFull(uint32_t room) {
  ClassBuilder b;
  b.AddMethod({.name = "first", .code = {kReturn}});
  b.AddMethod({.name = "second", .code = {kReturn}});
  while (b.next_index() < 65535 - room) {
    b.Integer(0);
  }
  return b;
}

TEST(Rewriter, LeavesMethodsOneByOneWhenTheConstantPoolIsFull) {
  // The shared callee takes six constants: two names, a descriptor, class, pair, and method.
  const auto outcomes = [](uint32_t room, int32_t first_id, int32_t second_id) {
    const Rewritten r = Rewrite(AlmostFull(room), [&](Rewriter& rewriter) {
      rewriter.AddEntryCall(0, first_id);
      rewriter.AddEntryCall(1, second_id);
    });
    if (r.result.probed == 0) {
      EXPECT_EQ(r.result.bytes, r.before_bytes);
    }
    return std::pair(r.outcome(0), r.outcome(1));
  };
  constexpr ProbeOutcome kProbed = ProbeOutcome::kProbed;
  constexpr ProbeOutcome kPoolFull = ProbeOutcome::kPoolFull;
  EXPECT_EQ(outcomes(0, 1, 2), std::pair(kPoolFull, kPoolFull));
  EXPECT_EQ(outcomes(5, 1, 2), std::pair(kPoolFull, kPoolFull));
  EXPECT_EQ(outcomes(6, 1, 2), std::pair(kProbed, kProbed));
  EXPECT_EQ(outcomes(6, 1, 40'000), std::pair(kProbed, kPoolFull));
  EXPECT_EQ(outcomes(6, 40'000, 2), std::pair(kPoolFull, kProbed));
  EXPECT_EQ(outcomes(7, 40'000, 2), std::pair(kProbed, kProbed));
}

TEST(Rewriter, KeepsUnicodeNamesAndEverythingElseOfTheClass) {
  ClassBuilder b("日本/größe");
  b.AddMethod({.name = "первый", .code = {kReturn}});
  b.AddMethod({.name = "\xed\xa0\xbd\xed\xb8\x80", .code = {kReturn}});
  const Rewritten r = Rewrite(b, [](Rewriter& rewriter) { rewriter.AddEntryCall(1, 1); });
  EXPECT_EQ(r.after->internal_name(), "日本/größe");
  EXPECT_EQ(r.after->methods()[0].name, "первый");
  EXPECT_EQ(r.after->methods()[1].name, "\xed\xa0\xbd\xed\xb8\x80");
  EXPECT_THAT(r.bytecode(0), ElementsAre(kReturn));
  EXPECT_EQ(r.bytecode(1).size(), 9u);
}

TEST(StartsWithEntryCall, RecognisesWhatTheRewriterWrote) {
  const Rewritten small = WithEntry({.code = {kReturn}});
  const std::optional<EntryCall> call = StartsWithEntryCall(small.code().bytecode);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->id, 7);
  EXPECT_EQ(call->methodref, LastConstant(small));
  ClassBuilder b;
  b.AddMethod({.code = {kReturn}});
  const Rewritten large = Rewrite(b, [](Rewriter& r) { r.AddEntryCall(0, 99'999); });
  const std::optional<EntryCall> in_pool = StartsWithEntryCall(large.code().bytecode);
  ASSERT_TRUE(in_pool);
  EXPECT_FALSE(in_pool->id);
  EXPECT_EQ(in_pool->id_constant, LastConstant(large));
}

TEST(StartsWithEntryCall, RefusesOtherCode) {
  const std::vector<uint8_t> good = {17, 0, 7, 184, 0, 9, 0, 0};
  ASSERT_TRUE(StartsWithEntryCall(good));
  EXPECT_FALSE(StartsWithEntryCall(Bytes(good).first(7)));
  for (const size_t i : {0u, 3u, 6u, 7u}) {
    std::vector<uint8_t> other = good;
    other[i] = 4;
    EXPECT_FALSE(StartsWithEntryCall(other)) << i;
  }
  std::vector<uint8_t> negative = good;
  negative[1] = 0x80;
  EXPECT_FALSE(StartsWithEntryCall(negative));
}

}  // namespace
}  // namespace yp::classfile
