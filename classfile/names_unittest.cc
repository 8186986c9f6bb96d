#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "classfile/class_builder.h"
#include "classfile/class_file.h"
#include "classfile/modified_utf8.h"
#include "classfile/rename.h"

namespace yp::classfile {
namespace {

using namespace std::string_literals;

TEST(ModifiedUtf8, BecomesUtf8) {
  EXPECT_EQ(ToUtf8("plain"), "plain");
  EXPECT_EQ(ToUtf8("gr\xc3\xb6\xc3\x9f"
                   "er"),
            "größer");
  EXPECT_EQ(ToUtf8("\xe6\x97\xa5\xe6\x9c\xac"), "日本");
  EXPECT_EQ(ToUtf8("a\xc0\x80z"), "a\0z"s);
  // U+1F600 as the surrogates D83D DE00.
  EXPECT_EQ(ToUtf8("\xed\xa0\xbd\xed\xb8\x80"), "😀");
}

TEST(ModifiedUtf8, ReplacesWhatUtf8CannotHold) {
  EXPECT_EQ(ToUtf8("\xed\xa0\xbd!"), "\uFFFD!");
  EXPECT_EQ(ToUtf8("\xed\xb8\x80!"), "\uFFFD!");
  EXPECT_EQ(ToUtf8("\xed\xa0\xbd"), "\uFFFD");
  EXPECT_EQ(ToUtf8("\xff"
                   "a\xc3"),
            "\uFFFD"
            "a\uFFFD");
}

TEST(ModifiedUtf8, IsToldFromUtf8AndFromGarbage) {
  EXPECT_TRUE(IsModifiedUtf8(""));
  EXPECT_TRUE(IsModifiedUtf8("a\xc0\x80\xc3\xb6\xe6\x97\xa5\xed\xa0\xbd"));
  EXPECT_FALSE(IsModifiedUtf8("\0"s));
  EXPECT_FALSE(IsModifiedUtf8("\xc1\xbf"));          // 'A' would be shorter
  EXPECT_FALSE(IsModifiedUtf8("\xe0\x82\x80"));      // so would U+0080
  EXPECT_FALSE(IsModifiedUtf8("\xf0\x9f\x98\x80"));  // four bytes
  EXPECT_FALSE(IsModifiedUtf8("\xe6\x97"));
  EXPECT_FALSE(IsModifiedUtf8("\x80"));
}

TEST(Rename, ReplacesAConstantAndNothingElse) {
  ClassBuilder b("old/Name");
  b.Utf8("Lold/Name;");
  b.AddMethod({.name = "größe", .code = {177}});
  const std::vector<uint8_t> bytes = b.Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok());
  const Result<std::vector<uint8_t>> renamed = RenameUtf8(*file, "old/Name", "a/much/longer/Name");
  ASSERT_TRUE(renamed.ok());
  const Result<ClassFile> after = ClassFile::Parse(*renamed);
  ASSERT_TRUE(after.ok()) << after.message();
  EXPECT_EQ(after->internal_name(), "a/much/longer/Name");
  EXPECT_EQ(after->methods()[0].name, "größe");
  const Result<std::vector<uint8_t>> back = RenameUtf8(*after, "a/much/longer/Name", "old/Name");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, bytes);
}

TEST(Rename, FailsForAConstantThatIsNotThereOrANameThatIsTooLong) {
  const std::vector<uint8_t> bytes = ClassBuilder("a/B").Build();
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(RenameUtf8(*file, "a/C", "x").message(), "class a.B: it has no constant a/C");
  EXPECT_FALSE(RenameUtf8(*file, "a/B", std::string(65536, 'x')).ok());
  EXPECT_TRUE(RenameUtf8(*file, "a/B", std::string(65535, 'x')).ok());
}

}  // namespace
}  // namespace yp::classfile
