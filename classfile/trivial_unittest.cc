#include "classfile/trivial.h"

#include <gtest/gtest.h>

#include "classfile/class_builder.h"

namespace yp::classfile {
namespace {

class Trivial : public testing::Test {
 protected:
  bool Is(const ClassBuilder::MethodSpec& spec) {
    ClassBuilder b = builder_;
    b.AddMethod(spec);
    const std::vector<uint8_t> bytes = b.Build();
    const Result<ClassFile> file = ClassFile::Parse(bytes);
    EXPECT_TRUE(file.ok()) << file.message();
    return IsTrivial(*file, file->methods()[0]);
  }
  uint8_t Constant(uint16_t index) { return static_cast<uint8_t>(index); }

  ClassBuilder builder_;
};

TEST_F(Trivial, AreGettersSettersAndConstants) {
  const uint8_t field = Constant(builder_.Member(ConstantTag::kFieldref, "Test", "f", "I"));
  EXPECT_TRUE(Is({.code = {42, 180, 0, field, 172}}));
  EXPECT_TRUE(Is({.code = {42, 27, 181, 0, field, 177}}));
  EXPECT_TRUE(Is({.code = {4, 172}}));
  EXPECT_TRUE(Is({.code = {18, Constant(builder_.Integer(7)), 172}}));
  EXPECT_TRUE(Is({.code = {177}}));
}

TEST_F(Trivial, IsAConstructorThatOnlyCallsThatOfObject) {
  const uint8_t object =
      Constant(builder_.Member(ConstantTag::kMethodref, "java/lang/Object", "<init>", "()V"));
  const uint8_t other = Constant(builder_.Member(ConstantTag::kMethodref, "A", "<init>", "()V"));
  EXPECT_TRUE(Is({.name = "<init>", .access_flags = 1, .code = {42, 183, 0, object, 177}}));
  EXPECT_FALSE(Is({.name = "<init>", .access_flags = 1, .code = {42, 183, 0, other, 177}}));
  EXPECT_FALSE(Is({.name = "m", .code = {42, 183, 0, object, 177}}));
}

TEST_F(Trivial, IsNothingThatCallsBranchesThrowsLocksOrAllocates) {
  const uint8_t method = Constant(builder_.Member(ConstantTag::kMethodref, "A", "a", "()V"));
  const uint8_t type = Constant(builder_.Class("A"));
  EXPECT_FALSE(Is({.code = {184, 0, method, 177}}));
  EXPECT_FALSE(Is({.code = {167, 0, 3, 177}}));
  EXPECT_FALSE(Is({.code = {198, 0, 3, 177}}));
  EXPECT_FALSE(Is({.code = {42, 191}}));
  EXPECT_FALSE(Is({.code = {42, 194, 177}}));
  EXPECT_FALSE(Is({.code = {187, 0, type, 176}}));
  EXPECT_FALSE(Is({.code = {4, 188, 10, 176}}));
  EXPECT_FALSE(Is({.code = {4, 189, 0, type, 176}}));
  EXPECT_FALSE(Is({.code = {4, 197, 0, type, 1, 176}}));
  EXPECT_FALSE(Is({.code = {196, 169, 0, 1}}));
  EXPECT_FALSE(Is({.code = {0, 177}, .exceptions = {0, 1, 1, 0}}));
  EXPECT_FALSE(Is({.access_flags = kAccSynchronized, .code = {177}}));
  const uint8_t dynamic =
      Constant(builder_.Pair(ConstantTag::kDynamic, 0, builder_.NameAndType("condy", "I")));
  EXPECT_FALSE(Is({.code = {18, dynamic, 172}}));
}

TEST_F(Trivial, HasALimitOfBytes) {
  std::vector<uint8_t> code(kMaxTrivialCodeBytes - 1, 0);
  code.push_back(177);
  EXPECT_TRUE(Is({.code = code}));
  code.insert(code.begin(), 0);
  EXPECT_FALSE(Is({.code = code}));
}

TEST_F(Trivial, IsNoMethodWithoutCode) { EXPECT_FALSE(Is({.access_flags = kAccAbstract})); }

}  // namespace
}  // namespace yp::classfile
