#include "classfile/context_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "classfile/class_builder.h"

namespace yp::classfile {
namespace {

using testing::ElementsAre;

// Of ClassBuilder's classes.
constexpr uint8_t kThisClass = 2;
constexpr uint8_t kObjectClass = 4;
constexpr uint16_t kInstance = 0x0001;
constexpr uint16_t kStatic = 0x0009;

struct Input {
  std::vector<uint8_t> table;
  std::string descriptor = "()V";
  uint16_t max_locals = 0;
  uint16_t access_flags = kStatic;
  std::string name = "m";
  size_t max_bytes = kMaxContextFramesBytes;
  uint32_t room = 65535;  // At most, in the constant pool.
  std::string class_name = "Test";
};

struct Output {
  ProbeOutcome outcome = ProbeOutcome::kProbed;
  std::vector<uint8_t> table;
  uint16_t first_new_constant = 0;
  size_t new_constants = 0;
};

// The table with everything at its place.
Output Write(const Input& input) {
  ClassBuilder b(input.class_name);
  b.AddMethod({.name = input.name,
               .descriptor = input.descriptor,
               .access_flags = input.access_flags,
               .max_locals = input.max_locals,
               .code = {177}});
  while (b.next_index() < 65535 - input.room) b.Integer(0);
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  EXPECT_TRUE(file.ok()) << file.message();
  PoolExtension extension(file->pool());
  ClassConstants constants(file->pool(), extension);
  Output output;
  output.outcome = AppendContextFrames(*file, file->methods()[0], input.table, BciMap(),
                                       input.max_bytes, constants, output.table);
  output.first_new_constant = file->pool().count();
  output.new_constants = size_t{extension.count()} - file->pool().count();
  return output;
}

std::vector<uint8_t> TableOf(const Input& input) {
  const Output output = Write(input);
  EXPECT_EQ(output.outcome, ProbeOutcome::kProbed) << ToString(output.outcome);
  return output.table;
}

TEST(ContextFrames, AppendAnIntToTheFirstFrameAndKeepThoseThatAreTheSame) {
  EXPECT_THAT(TableOf({{0, 2, 0, 5}}), ElementsAre(0, 2, 252, 0, 0, 1, 5));
  EXPECT_THAT(TableOf({{0, 2, 251, 1, 0, 251, 0, 64}}),
              ElementsAre(0, 2, 252, 1, 0, 1, 251, 0, 64));
  EXPECT_THAT(TableOf({{0, 0}}), ElementsAre(0, 0));
}

TEST(ContextFrames, KeepOneStackEntryInTheShortFormsBehindTheFirstFrame) {
  EXPECT_THAT(
      TableOf({{0, 3, 64, 1, 64 + 9, 7, 0, kObjectClass, 247, 0, 99, 2}}),
      ElementsAre(0, 3, 255, 0, 0, 0, 1, 1, 0, 1, 1, 64 + 9, 7, 0, kObjectClass, 247, 0, 99, 2));
}

TEST(ContextFrames, PadWithTopsUpToTheNewLocal) {
  // By two, as many as an append frame has room for; by three.
  EXPECT_THAT(TableOf({{0, 1, 3}, "()V", 2}), ElementsAre(0, 1, 254, 0, 3, 0, 0, 1));
  EXPECT_THAT(TableOf({{0, 1, 3}, "()V", 3}), ElementsAre(0, 1, 255, 0, 3, 0, 4, 0, 0, 0, 1, 0, 0));
}

TEST(ContextFrames, PutAppendedLocalsInThePlaceOfTops) {
  EXPECT_THAT(TableOf({{0, 1, 252, 0, 3, 2}, "(I)V", 3}),
              ElementsAre(0, 1, 254, 0, 3, 2, 0, 1));  // A float, the Top, and the int.
  EXPECT_THAT(TableOf({{0, 2, 0, 254, 0, 3, 1, 2, 5}, "()V", 3}),
              ElementsAre(0, 2, 255, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0,  //
                          255, 0, 3, 0, 4, 1, 2, 5, 1, 0, 0));
}

TEST(ContextFrames, PutTopsInThePlaceOfChoppedLocals) {
  EXPECT_THAT(TableOf({{0, 2, 253, 0, 0, 1, 2, 249, 0, 7}, "()V", 2}),
              ElementsAre(0, 2, 254, 0, 0, 1, 2, 1, 255, 0, 7, 0, 3, 0, 0, 1, 0, 0));
  // Of the arguments.
  EXPECT_THAT(TableOf({{0, 1, 250, 0, 7}, "(IF)V", 2}),
              ElementsAre(0, 1, 255, 0, 7, 0, 3, 1, 0, 1, 0, 0));
}

TEST(ContextFrames, CountTwoSlotsForLongsAndDoubles) {
  EXPECT_THAT(TableOf({{0, 1, 0}, "(JD)V", 4}), ElementsAre(0, 1, 252, 0, 0, 1));
  EXPECT_THAT(TableOf({{0, 1, 64, 3}, "(JD)V", 5}),
              ElementsAre(0, 1, 255, 0, 0, 0, 4, 4, 3, 0, 1, 0, 1, 3));
  // Appended, and chopped again.
  EXPECT_THAT(TableOf({{0, 2, 252, 0, 0, 4, 250, 0, 0}, "()V", 3}),
              ElementsAre(0, 2, 254, 0, 0, 4, 0, 1, 255, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0));
}

TEST(ContextFrames, RewriteFullFrames) {
  EXPECT_THAT(TableOf({{0, 1, 255, 0, 9, 0, 1, 2, 0, 2, 1, 4}, "()V", 2}),
              ElementsAre(0, 1, 255, 0, 9, 0, 3, 2, 0, 1, 0, 2, 1, 4));
  // Without locals; with none on the stack but other locals; with two on the stack.
  EXPECT_THAT(TableOf({{0,   3, 255, 0, 9, 0, 0, 0, 0,  //
                        255, 0, 9,   0, 1, 1, 0, 0,     //
                        255, 0, 9,   0, 1, 1, 0, 2, 5, 2},
                       "(I)V",
                       1}),
              ElementsAre(0, 3, 255, 0, 9, 0, 2, 0, 1, 0, 0,  //
                          255, 0, 9, 0, 2, 1, 1, 0, 0,        //
                          255, 0, 9, 0, 2, 1, 1, 0, 2, 5, 2));
}

TEST(ContextFrames, ShortenFullFramesWithTheLocalsOfTheFrameBefore) {
  EXPECT_THAT(TableOf({{0,   3, 255, 0, 9, 0, 1, 1, 0, 0,  //
                        255, 0, 9,   0, 1, 1, 0, 0,        //
                        255, 0, 200, 0, 1, 1, 0, 1, 5},
                       "(I)V",
                       1}),
              ElementsAre(0, 3, 252, 0, 9, 1, 9, 247, 0, 200, 5));
}

TEST(ContextFrames, TakeTopsAtTheEndForNoChange) {
  // [I], [I, Top], [I], [I, Top, Top]
  EXPECT_THAT(
      TableOf({{0, 4, 0, 252, 0, 9, 0, 250, 0, 9, 255, 0, 9, 0, 3, 1, 0, 0, 0, 0}, "(I)V", 3}),
      ElementsAre(0, 4, 254, 0, 0, 0, 0, 1, 9, 9, 9));
}

TEST(ContextFrames, BeginAConstructorWithUninitializedThis) {
  const Input constructor{{0,   2, 255, 0, 4, 0, 2, 6,          1, 0, 1, 6,  //
                           255, 0, 4,   0, 2, 7, 0, kThisClass, 1, 0, 0},
                          "(I)V",
                          2,
                          kInstance,
                          "<init>"};
  EXPECT_THAT(TableOf(constructor), ElementsAre(0, 2, 255, 0, 4, 0, 3, 6, 1, 1, 0, 1, 6,  //
                                                255, 0, 4, 0, 3, 7, 0, kThisClass, 1, 1, 0, 0));
  Input same = constructor;
  same.table = {0, 1, 64, 6};
  EXPECT_THAT(TableOf(same), ElementsAre(0, 1, 255, 0, 0, 0, 3, 6, 1, 1, 0, 1, 6));
  // Object has no other constructor to call.
  same.class_name = "java/lang/Object";
  EXPECT_THAT(TableOf(same), ElementsAre(0, 1, 255, 0, 0, 0, 3, 7, 0, 2, 1, 1, 0, 1, 6));
}

TEST(ContextFrames, BeginAnInstanceMethodWithThis) {
  EXPECT_THAT(TableOf({{0, 1, 64, 5}, "()V", 1, kInstance}),
              ElementsAre(0, 1, 255, 0, 0, 0, 2, 7, 0, kThisClass, 1, 0, 1, 5));
}

TEST(ContextFrames, KnowEveryTypeOfAnArgument) {
  const Output output = Write({{0, 1, 64, 5}, "(ZBCSIFJDLTest;Ljava/lang/Object;)V", 12, kStatic});
  EXPECT_THAT(output.table, ElementsAre(0, 1, 255, 0, 0, 0, 11, 1, 1, 1, 1, 1, 2, 4, 3, 7, 0,
                                        kThisClass, 7, 0, kObjectClass, 1, 0, 1, 5));
  EXPECT_EQ(output.new_constants, 0u);
}

TEST(ContextFrames, AddConstantsForClassesThatHaveNone) {
  const Output output = Write({{0, 1, 64, 5}, "([[JLa/B;[La/B;La/B;[[J)V", 5});
  EXPECT_EQ(output.new_constants, 6u);  // A name and a class each.
  const auto longs = static_cast<uint8_t>(output.first_new_constant + 1);
  const auto b = static_cast<uint8_t>(longs + 2);
  const auto bs = static_cast<uint8_t>(b + 2);
  EXPECT_THAT(output.table, ElementsAre(0, 1, 255, 0, 0, 0, 6, 7, 0, longs, 7, 0, b, 7, 0, bs, 7, 0,
                                        b, 7, 0, longs, 1, 0, 1, 5));
  // Not for an append frame.
  EXPECT_EQ(Write({{0, 1, 0}, "(La/B;)V", 1}).new_constants, 0u);
  EXPECT_EQ(Write({{0, 1, 64, 5}, "(La/B;)V", 1, kStatic, "m", 1000, 1}).outcome,
            ProbeOutcome::kPoolFull);
  EXPECT_EQ(Write({{0, 1, 64, 5}, "(La/B;)V", 1, kStatic, "m", 1000, 2}).outcome,
            ProbeOutcome::kProbed);
}

TEST(ContextFrames, KnowAnArgumentAgainInAFullFrame) {
  const std::vector<uint8_t> object = {0, 1, 255, 0, 3, 0, 1, 7, 0, kObjectClass, 0, 0};
  EXPECT_THAT(TableOf({object, "(Ljava/lang/Object;)V", 1}), ElementsAre(0, 1, 252, 0, 3, 1));
  EXPECT_THAT(TableOf({object, "(La/B;)V", 1}),
              ElementsAre(0, 1, 255, 0, 3, 0, 2, 7, 0, kObjectClass, 1, 0, 0));
}

TEST(ContextFrames, RefuseFramesThatDoNotFollowFromEachOther) {
  const auto outcome = [](std::vector<uint8_t> table, const std::string& descriptor,
                          uint16_t max_locals) {
    return Write({std::move(table), descriptor, max_locals}).outcome;
  };
  constexpr ProbeOutcome kMalformed = ProbeOutcome::kMalformedCode;
  EXPECT_EQ(outcome({0, 1, 250, 0, 0}, "()V", 4), kMalformed);
  EXPECT_EQ(outcome({0, 1, 248, 0, 0}, "(IJ)V", 4), kMalformed);
  EXPECT_EQ(outcome({0, 1, 252, 0, 0, 1}, "(I)V", 1), kMalformed);
  EXPECT_EQ(outcome({0, 1, 252, 0, 0, 4}, "(I)V", 2), kMalformed);
  EXPECT_EQ(outcome({0, 1, 0}, "(JJ)V", 3), kMalformed);
  EXPECT_EQ(outcome({0, 1, 255, 0, 0, 0, 2, 1, 3, 0, 0}, "()V", 2), kMalformed);
  for (const char* descriptor :
       {"", "V", "(", "(I", "(L", "(L;)V", "(La)V", "([", "([)V", "(V)V"}) {
    EXPECT_EQ(outcome({0, 1, 0}, descriptor, 4), kMalformed) << descriptor;
  }
  EXPECT_EQ(outcome({0, 1, 0}, "(" + std::string(255, 'I') + ")V", 255), ProbeOutcome::kProbed);
  EXPECT_EQ(outcome({0, 1, 0}, "(" + std::string(256, 'I') + ")V", 256), kMalformed);
}

TEST(ContextFrames, StayBelowALimit) {
  Input input{{0, 2, 64, 5, 255, 0, 0, 0, 1, 1, 0, 0}, "()V", 65534};
  EXPECT_EQ(TableOf(input).size(), 2u + (7 + 65535 + 1) + (7 + 65535));
  input.max_bytes = 250'000;  // Each type is taken for three bytes.
  EXPECT_EQ(Write(input).outcome, ProbeOutcome::kFramesTooLarge);
}

}  // namespace
}  // namespace yp::classfile
