#include "classfile/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "classfile/class_builder.h"
#include "classfile/instructions.h"

namespace yp::classfile {
namespace {

using op::kReturn;
using testing::HasSubstr;

// The error of a class whose only method is `spec`; empty when there is none.
std::string ErrorOf(ClassBuilder b, const ClassBuilder::MethodSpec& spec) {
  b.AddMethod(spec);
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  EXPECT_TRUE(file.ok()) << file.message();
  return file.ok() ? std::string(CheckClass(*file).message()) : "not parsed";
}
std::string ErrorOf(const ClassBuilder::MethodSpec& spec) { return ErrorOf(ClassBuilder(), spec); }

TEST(Check, NamesClassMethodAndBytecodeInErrors) {
  EXPECT_EQ(ErrorOf(ClassBuilder("a/B"), {.name = "run", .code = {0, 202}}),
            "class a.B: method run()V: bytecode 1: no valid instruction");
}

TEST(Check, AcceptsEveryOpcodeOfItsLengthAndRefusesItCutOff) {
  struct Range {
    int first, last;
    uint8_t length;
  };
  // JVMS 6.5. Instructions with constants, jumps or variable length have tests of their own.
  const Range ranges[] = {{0, 15, 1},    {16, 16, 2},   {17, 17, 3},   {21, 25, 2},   {26, 53, 1},
                          {54, 58, 2},   {59, 131, 1},  {132, 132, 3}, {133, 152, 1}, {169, 169, 2},
                          {172, 177, 1}, {188, 188, 2}, {190, 191, 1}, {194, 195, 1}};
  for (const Range& range : ranges) {
    for (int opcode = range.first; opcode <= range.last; ++opcode) {
      std::vector<uint8_t> code(range.length, 0);
      code[0] = static_cast<uint8_t>(opcode);
      if (range.length > 1) {
        std::vector<uint8_t> cut(code.begin(), code.end() - 1);
        EXPECT_THAT(ErrorOf({.code = cut}), HasSubstr("no valid instruction")) << opcode;
      }
      code.push_back(kReturn);
      // A jump to the return shows that the length is neither shorter nor longer.
      std::vector<uint8_t> with_jump = {167, 0, static_cast<uint8_t>(3 + range.length)};
      with_jump.insert(with_jump.end(), code.begin(), code.end());
      EXPECT_EQ(ErrorOf({.code = with_jump}), "") << opcode;
    }
  }
  for (int opcode = 202; opcode <= 255; ++opcode) {
    EXPECT_NE(ErrorOf({.code = {static_cast<uint8_t>(opcode), 0, 0, 0, 0, 0, kReturn}}), "");
  }
}

TEST(Check, AcceptsWideInstructionsAndRefusesWideOfOthers) {
  EXPECT_EQ(ErrorOf({.code = {196, 132, 0, 1, 255, 255, 196, 21, 1, 0, kReturn}}), "");
  EXPECT_NE(ErrorOf({.code = {196, 132, 0, 1, 255}}), "");
  EXPECT_NE(ErrorOf({.code = {196, 96, 0, 0, kReturn}}), "");
  EXPECT_NE(ErrorOf({.code = {196}}), "");
}

TEST(Check, RefusesJumpsIntoAnInstructionAndOutOfTheMethod) {
  EXPECT_EQ(ErrorOf({.code = {167, 0, 3, kReturn}}), "");
  for (const uint8_t low : std::initializer_list<uint8_t>{1, 2, 4, 200}) {
    EXPECT_THAT(ErrorOf({.code = {167, 0, low, kReturn}}), HasSubstr("leads to no instruction"));
  }
  EXPECT_NE(ErrorOf({.code = {kReturn, 167, 255, 254}}), "");            // to -1
  EXPECT_EQ(ErrorOf({.code = {200, 0, 0, 0, 5, kReturn}}), "");          // goto_w
  EXPECT_NE(ErrorOf({.code = {200, 128, 0, 0, 0, kReturn}}), "");        // to -2^31
  EXPECT_NE(ErrorOf({.code = {198, 0, 9, kReturn}}), "");                // ifnull
  EXPECT_NE(ErrorOf({.code = {201, 127, 255, 255, 255, kReturn}}), "");  // jsr_w
}

TEST(Check, RefusesSwitchesWithWrongCountsOrTargets) {
  const std::vector<uint8_t> table = {170, 0, 0, 0, 0, 0, 0, 20, 0,  0,      0,
                                      5,   0, 0, 0, 5, 0, 0, 0,  20, kReturn};
  EXPECT_EQ(ErrorOf({.code = table}), "");
  std::vector<uint8_t> low_above_high = table;
  low_above_high[11] = 6;
  EXPECT_NE(ErrorOf({.code = low_above_high}), "");
  std::vector<uint8_t> too_many = table;
  too_many[12] = 0x7f;
  EXPECT_NE(ErrorOf({.code = too_many}), "");
  std::vector<uint8_t> bad_case = table;
  bad_case[19] = 19;
  EXPECT_NE(ErrorOf({.code = bad_case}), "");
  const std::vector<uint8_t> lookup = {171, 0, 0, 0, 0, 0, 0, 20, 0,  0,      0,
                                       1,   0, 0, 0, 7, 0, 0, 0,  20, kReturn};
  EXPECT_EQ(ErrorOf({.code = lookup}), "");
  std::vector<uint8_t> negative = lookup;
  negative[8] = 0xff;
  EXPECT_NE(ErrorOf({.code = negative}), "");
}

TEST(Check, RefusesConstantsThatAnInstructionDoesNotTake) {
  ClassBuilder b;
  const auto integer = static_cast<uint8_t>(b.Integer(5));
  const auto field = static_cast<uint8_t>(b.Member(ConstantTag::kFieldref, "F", "f", "I"));
  const auto method = static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "M", "m", "()V"));
  EXPECT_EQ(ErrorOf(b, {.code = {18, integer, 178, 0, field, 184, 0, method, kReturn}}), "");
  const std::vector<std::vector<uint8_t>> wrong = {
      {18, field},     {20, 0, integer},       {178, 0, method},       {184, 0, field},
      {187, 0, field}, {185, 0, method, 1, 0}, {186, 0, method, 0, 0}, {182, 0, 0},
      {19, 255, 255},  {197, 0, integer, 1},
  };
  for (const std::vector<uint8_t>& code : wrong) {
    EXPECT_THAT(ErrorOf(b, {.code = code}), HasSubstr("constant of the wrong kind"));
  }
}

TEST(Check, RefusesExceptionRangesThatAreEmptyOrCutAnInstruction) {
  const std::vector<uint8_t> code = {17, 0, 1, kReturn, kReturn};
  EXPECT_EQ(ErrorOf({.code = code, .exceptions = {0, 5, 4, 0}}), "");
  EXPECT_NE(ErrorOf({.code = code, .exceptions = {0, 0, 4, 0}}), "");
  EXPECT_NE(ErrorOf({.code = code, .exceptions = {1, 3, 4, 0}}), "");
  EXPECT_NE(ErrorOf({.code = code, .exceptions = {0, 2, 4, 0}}), "");
  EXPECT_NE(ErrorOf({.code = code, .exceptions = {0, 6, 4, 0}}), "");
  EXPECT_NE(ErrorOf({.code = code, .exceptions = {0, 3, 5, 0}}), "");
}

TEST(Check, RefusesStackMapsWithOffsetsThatAreNoInstruction) {
  const std::vector<uint8_t> code = {17, 0, 1, kReturn};
  struct Case {
    std::vector<uint8_t> good;
    std::vector<uint8_t> bad;
  };
  const std::vector<Case> cases = {
      {{0, 1, 3}, {0, 1, 2}},
      {{0, 2, 0, 2}, {0, 2, 0, 3}},
      // Uninitialized(0), where there is a sipush.
      {{0, 1, 67, 1}, {0, 1, 67, 8, 0, 0}},
      {{0, 1, 3}, {0, 1, 200}},
      {{0, 1, 3}, {0, 1, 3, 0}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ErrorOf({.code = code, .attributes = {{"StackMapTable", c.good}}}), "");
    EXPECT_THAT(ErrorOf({.code = code, .attributes = {{"StackMapTable", c.bad}}}),
                HasSubstr("StackMapTable"));
  }
}

TEST(Check, TakesWrongStackMapsOfClassesThatAreVerifiedWithoutThem) {
  ClassBuilder b;
  b.AddMethod({.code = {17, 0, 1, kReturn}, .attributes = {{"StackMapTable", {0, 1, 2}}}});
  for (const uint16_t major : {uint16_t{49}, uint16_t{50}, uint16_t{51}}) {
    const std::vector<uint8_t> bytes = b.Build(major);
    const Result<ClassFile> file = ClassFile::Parse(bytes);
    ASSERT_TRUE(file.ok()) << file.message();
    EXPECT_EQ(CheckClass(*file).ok(), major < 51);
  }
}

// As HotSpot does: what tools write there is for debuggers and for reflection.
TEST(Check, TakesDebugTablesAndAnnotationsAsTheyAre) {
  std::vector<uint8_t> nested = {0, 1, 0x42, 0, 0, 0, 0, 1, 0, 1, 0, 1};
  for (int i = 0; i < 20'000; ++i) nested.insert(nested.end(), {'[', 0, 1});
  const ClassBuilder::MethodSpec methods[] = {
      {.attributes = {{"LineNumberTable", {0, 1, 0, 2, 0, 1}}}},
      {.attributes = {{"LocalVariableTable", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0}}}},
      {.attributes = {{"LocalVariableTypeTable", {0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 0, 0}}}},
      // instanceof at 1.
      {.attributes = {{"RuntimeVisibleTypeAnnotations", {0, 1, 0x43, 0, 1, 0, 0, 1, 0, 0}}}},
      // class_extends, which no Code attribute has; a range past the end; nested without end.
      {.attributes = {{"RuntimeVisibleTypeAnnotations", {0, 1, 0x10, 0, 0, 0, 0, 1, 0, 0}}}},
      {.attributes = {{"RuntimeInvisibleTypeAnnotations",
                       {0, 1, 0x40, 0, 1, 0, 3, 0, 9, 0, 0, 0, 0, 1, 0, 0}}}},
      {.attributes = {{"RuntimeVisibleTypeAnnotations", nested}}},
  };
  for (ClassBuilder::MethodSpec method : methods) {
    method.code = {17, 0, 1, kReturn};
    EXPECT_EQ(ErrorOf(method), "");
  }
}

TEST(Check, ReadsEveryKindOfAnnotationValue) {
  const std::vector<uint8_t> info = {0, 1, 0x47, 0, 0, 5,   1, 3, 2,   0,   1, 0,
                                     4,                 // cast at 0, type argument 5, a type path
                                     0, 1, 's',  0, 1,  // a string
                                     0, 1, 'e',  0, 1, 0,   1,                  // an enum constant
                                     0, 1, '[',  0, 2, 'I', 0, 1, 'c', 0,   1,  // an array
                                     0, 1, '@',  0, 1, 0,   1, 0, 1,   'Z', 0, 1};  // an annotation
  EXPECT_EQ(ErrorOf({.code = {kReturn}, .attributes = {{"RuntimeVisibleTypeAnnotations", info}}}),
            "");
}

TEST(Check, RefusesNamesThatAreNotModifiedUtf8) {
  ClassBuilder b;
  b.Utf8("\xf0\x9f\x98\x80");
  EXPECT_THAT(ErrorOf(b, {.code = {kReturn}}), HasSubstr("not modified UTF-8"));
}

}  // namespace
}  // namespace yp::classfile
