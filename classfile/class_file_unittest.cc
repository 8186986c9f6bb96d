#include "classfile/class_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "classfile/check.h"
#include "classfile/class_builder.h"
#include "classfile/invokes.h"

namespace yp::classfile {
namespace {

using testing::HasSubstr;

// A class with a constant of every kind that exists.
ClassBuilder EveryConstant() {
  ClassBuilder b("a/b/C");
  b.Integer(1);
  b.Raw(4, {0, 0, 0, 0});
  b.Raw(5, {0, 0, 0, 0, 0, 0, 0, 1}, 2);
  b.Raw(6, {0, 0, 0, 0, 0, 0, 0, 0}, 2);
  b.Reference(ConstantTag::kString, b.Utf8("text"));
  const uint16_t field = b.Member(ConstantTag::kFieldref, "F", "f", "I");
  const uint16_t method = b.Member(ConstantTag::kMethodref, "M", "m", "()V");
  const uint16_t interface_method = b.Member(ConstantTag::kInterfaceMethodref, "I", "i", "()V");
  const auto handle = [&](uint8_t kind, uint16_t to) {
    b.Raw(15, {kind, static_cast<uint8_t>(to >> 8), static_cast<uint8_t>(to)});
  };
  handle(1, field);
  handle(5, method);
  handle(6, interface_method);
  handle(9, interface_method);
  b.Reference(ConstantTag::kMethodType, b.Utf8("()V"));
  b.Pair(ConstantTag::kDynamic, 0, b.NameAndType("condy", "I"));
  b.Pair(ConstantTag::kInvokeDynamic, 0, b.NameAndType("indy", "()V"));
  b.Reference(ConstantTag::kModule, b.Utf8("java.base"));
  b.Reference(ConstantTag::kPackage, b.Utf8("java/lang"));
  return b;
}

TEST(ClassFile, ReadsEveryKindOfConstant) {
  const std::vector<uint8_t> bytes = EveryConstant().Build(69);
  Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_TRUE(CheckClass(*file).ok());
  EXPECT_EQ(file->internal_name(), "a/b/C");
  EXPECT_EQ(file->DottedName(), "a.b.C");
  EXPECT_EQ(file->super_name(), "java/lang/Object");
  EXPECT_EQ(file->major_version(), 69);
  std::vector<std::string> members;
  for (uint16_t i = 0; i < file->pool().count(); ++i) {
    if (const std::optional<MemberRef> m = file->pool().Member(i)) {
      members.push_back(std::string(m->owner) + "." + std::string(m->name) +
                        std::string(m->descriptor));
    }
  }
  EXPECT_THAT(members, testing::ElementsAre("F.fI", "M.m()V", "I.i()V", ".condyI", ".indy()V"));
}

TEST(ClassFile, RefusesEveryPrefixOfAClassFile) {
  ClassBuilder b = EveryConstant();
  b.AddMethod({.code = {177}, .attributes = {{"LineNumberTable", {0, 1, 0, 0, 0, 9}}}});
  const std::vector<uint8_t> bytes = b.Build();
  ASSERT_TRUE(ClassFile::Parse(bytes).ok());
  for (size_t size = 0; size < bytes.size(); ++size) {
    // A copy of its own, so that AddressSanitizer sees a read past the end.
    const std::vector<uint8_t> prefix(bytes.begin(),
                                      bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(ClassFile::Parse(prefix).ok()) << size;
  }
}

TEST(ClassFile, RefusesBytesAfterTheEnd) {
  std::vector<uint8_t> bytes = ClassBuilder().Build();
  bytes.push_back(0);
  EXPECT_THAT(std::string(ClassFile::Parse(bytes).message()), HasSubstr("after its end"));
}

TEST(ClassFile, RefusesVersionsThatItDoesNotKnow) {
  EXPECT_TRUE(ClassFile::Parse(ClassBuilder().Build(69, 65535)).ok());
  EXPECT_TRUE(ClassFile::Parse(ClassBuilder().Build(45, 3)).ok());
  EXPECT_EQ(ClassFile::Parse(ClassBuilder().Build(70)).message(),
            "class file version 70.0 is not supported: 45.3 to 69 (JDK 25) are");
  EXPECT_FALSE(ClassFile::Parse(ClassBuilder().Build(45, 2)).ok());
  EXPECT_FALSE(ClassFile::Parse(ClassBuilder().Build(44)).ok());
}

TEST(ClassFile, RefusesConstantsThatReferToTheWrongKind) {
  ClassBuilder class_of_integer;
  class_of_integer.Reference(ConstantTag::kClass, class_of_integer.Integer(1));
  EXPECT_THAT(std::string(ClassFile::Parse(class_of_integer.Build()).message()),
              HasSubstr("another kind"));
  ClassBuilder handle;  // REF_invokeVirtual of a field
  const uint16_t field = handle.Member(ConstantTag::kFieldref, "F", "f", "I");
  handle.Raw(15, {5, 0, static_cast<uint8_t>(field)});
  EXPECT_FALSE(ClassFile::Parse(handle.Build()).ok());
  ClassBuilder past_end;
  past_end.Reference(ConstantTag::kString, 999);
  EXPECT_FALSE(ClassFile::Parse(past_end.Build()).ok());
  ClassBuilder half_of_long;
  const uint16_t number = half_of_long.Raw(5, {0, 0, 0, 0, 0, 0, 0, 1}, 2);
  half_of_long.Reference(ConstantTag::kString, static_cast<uint16_t>(number + 1));
  EXPECT_FALSE(ClassFile::Parse(half_of_long.Build()).ok());
  ClassBuilder unknown_tag;
  unknown_tag.Raw(2, {});
  EXPECT_THAT(std::string(ClassFile::Parse(unknown_tag.Build()).message()),
              HasSubstr("unknown tag 2"));
}

TEST(ClassFile, RefusesALongThatHasNoSecondEntry) {
  ClassBuilder b;
  b.Raw(5, {0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_THAT(std::string(ClassFile::Parse(b.Build()).message()), HasSubstr("two entries"));
}

TEST(ClassFile, RefusesMethodsWithoutBytesOfCode) {
  ClassBuilder b;
  b.AddMethod({.code = {177}});
  std::vector<uint8_t> bytes = b.Build();
  // code_length, behind max_stack and max_locals, comes 4 + 1 + 2 + 2 + 2 bytes before the end.
  bytes[bytes.size() - 8] = 0;
  EXPECT_FALSE(ClassFile::Parse(bytes).ok());
}

TEST(ClassFile, SortsLineNumbersByBytecodeAcrossTables) {
  ClassBuilder b;
  b.AddMethod({.code = {0, 0, 177},
               .attributes = {{"LineNumberTable", {0, 2, 0, 2, 0, 30, 0, 0, 0, 10}},
                              {"LineNumberTable", {0, 1, 0, 1, 0, 20}}}});
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok());
  std::vector<int> lines;
  for (const LineNumber& line : file->LineNumbers(file->methods()[0])) {
    lines.push_back(line.bci * 1000 + line.line);
  }
  EXPECT_THAT(lines, testing::ElementsAre(10, 1020, 2030));
}

TEST(InvokeCursor, ReportsEveryKindOfInvoke) {
  ClassBuilder b;
  const auto method = static_cast<uint8_t>(b.Member(ConstantTag::kMethodref, "A", "a", "()V"));
  const auto on_interface =
      static_cast<uint8_t>(b.Member(ConstantTag::kInterfaceMethodref, "B", "b", "()V"));
  const auto dynamic =
      static_cast<uint8_t>(b.Pair(ConstantTag::kInvokeDynamic, 0, b.NameAndType("run", "()LC;")));
  b.AddMethod({.code = {182,          0, method, 183, 0, method,  184, 0, on_interface, 185, 0,
                        on_interface, 1, 0,      186, 0, dynamic, 0,   0, 177}});
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok());
  std::vector<std::string> seen;
  InvokeCursor cursor(*file, file->methods()[0]);
  for (Invoke i; cursor.Next(i);) {
    seen.push_back(std::to_string(i.bci) + " " + std::to_string(i.opcode) + " " +
                   (i.is_interface ? "I " : "") + std::string(i.owner) + "." + std::string(i.name) +
                   std::string(i.descriptor));
  }
  EXPECT_THAT(seen, testing::ElementsAre("0 182 A.a()V", "3 183 A.a()V", "6 184 I B.b()V",
                                         "9 185 I B.b()V", "14 186 .run()LC;"));
}

}  // namespace
}  // namespace yp::classfile
