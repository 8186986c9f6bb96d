#include "format/page/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <minizip/zip.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "format/page/source_archive.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
namespace fs = std::filesystem;

constexpr const char* kText = "package a.b;\n2\n3\n4\r\n5\n6\n7";

class SourceLinesTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const fs::path path = fs::path(directory_ / name);
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string WriteZip(const std::string& name, const std::map<std::string, std::string>& files) {
    const std::string path = directory_ / name;
    const zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
    EXPECT_NE(zip, nullptr);
    for (const auto& [file, text] : files) {
      const zip_fileinfo info{};
      EXPECT_EQ(zipOpenNewFileInZip(zip, file.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                                    Z_DEFLATED, Z_DEFAULT_COMPRESSION),
                ZIP_OK);
      EXPECT_EQ(zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size())), ZIP_OK);
      EXPECT_EQ(zipCloseFileInZip(zip), ZIP_OK);
    }
    EXPECT_EQ(zipClose(zip, nullptr), ZIP_OK);
    return path;
  }
  SourceLines Read(const std::vector<std::string>& places, const SourceSites& sites) {
    Result<SourceLines> lines = ReadSourceLines(places, sites);
    EXPECT_TRUE(lines) << lines.message();
    return lines ? *lines : SourceLines();
  }
  std::string Error(const std::string& place) {
    const std::vector<std::string> places = {place};
    return std::string(ReadSourceLines(places, {{"a/b/C.java", {4}}}).message());
  }

  spool::TemporaryDirectory directory_;
};

TEST_F(SourceLinesTest, AreThoseAroundTheSites) {
  Write("src/main/java/a/b/C.java", kText);
  const SourceLines lines = Read({directory_ / "src"}, {{"a/b/C.java", {1, 5}}, {"x/Y.java", {1}}});
  EXPECT_EQ(lines.missing, 1u);
  EXPECT_THAT(lines.files,
              ElementsAre(Pair("a/b/C.java", ElementsAre(Pair(1, "package a.b;"), Pair(2, "2"),
                                                         Pair(3, "3"), Pair(4, "4"), Pair(5, "5"),
                                                         Pair(6, "6"), Pair(7, "7")))));
}

TEST_F(SourceLinesTest, AreFoundInModulesOfAnArchive) {
  const std::string zip = WriteZip("src.zip", {{"java.base/a/b/C.java", kText}, {"M", "x"}});
  const SourceLines lines = Read({zip}, {{"a/b/C.java", {7}}});
  EXPECT_THAT(
      lines.files,
      ElementsAre(Pair("a/b/C.java", ElementsAre(Pair(5, "5"), Pair(6, "6"), Pair(7, "7")))));
}

TEST_F(SourceLinesTest, TheFirstPlaceAndThereTheNearestWins) {
  Write("one/deep/er/a/b/C.java", "package a.b; // deep");
  Write("one/z/a/b/C.java", "package a.b; // near");
  Write("two/a/b/C.java", "package a.b; // two");
  const SourceLines lines = Read({directory_ / "one", directory_ / "two/"}, {{"a/b/C.java", {1}}});
  EXPECT_THAT(lines.files.at("a/b/C.java"), ElementsAre(Pair(1, "package a.b; // near")));
  EXPECT_THAT(
      Read({directory_ / "two/", directory_ / "one"}, {{"a/b/C.java", {1}}}).files.at("a/b/C.java"),
      ElementsAre(Pair(1, "package a.b; // two")));
}

TEST_F(SourceLinesTest, FilesOfOtherPackagesAreOthers) {
  Write("java/util/List.java", "/*\n * a package of util\n */\npackage java.util;");
  const SourceLines lines = Read({directory_ / ""}, {{"util/List.java", {1}}, {"List.java", {1}}});
  EXPECT_THAT(lines.files, IsEmpty());
  EXPECT_EQ(lines.missing, 2u);
}

TEST_F(SourceLinesTest, NamesThatLeadOutOfAFolderFindNothing) {
  Write("secret.txt", "secret");
  Write("in/a/C.java", "package a;");
  const SourceSites sites = {
      {"../secret.txt", {1}}, {"a/../../secret.txt", {1}}, {"/etc/passwd", {1}}};
  EXPECT_THAT(Read({directory_ / "in"}, sites).files, IsEmpty());
}

TEST_F(SourceLinesTest, LongLinesAreCutAndHugeFilesLeftOut) {
  Write("C.java", std::string(10'000, 'x'));
  Write("D.java", std::string(SourceArchive::kMaxFileBytes + 1, '\n'));
  const SourceLines lines = Read({directory_ / ""}, {{"C.java", {1}}, {"D.java", {1}}});
  EXPECT_EQ(lines.files.at("C.java").at(1).size(), 500u);
  EXPECT_EQ(lines.left_out, 1u);
  EXPECT_EQ(lines.missing, 0u);
}

TEST_F(SourceLinesTest, WhatCannotBeReadIsAnErrorThatNamesIt) {
  EXPECT_THAT(Error(directory_ / "none"), HasSubstr("there is no such folder or archive"));
  const std::string text = Write("broken.jar", "PK no archive");
  EXPECT_THAT(Error(text), HasSubstr("broken.jar: neither a folder nor a jar or zip file"));
  // A byte of the compressed text is wrong.
  const std::string zip = WriteZip("bad.jar", {{"a/b/C.java", std::string(kText) + kText + kText}});
  std::fstream file(zip, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(44);
  file.put('\x55');
  file.close();
  EXPECT_THAT(Error(zip), HasSubstr("bad.jar cannot be read (a/b/C.java: "));
}

TEST(DeclaresPackageTest, KnowsTheLanguagesOfTheJvm) {
  EXPECT_TRUE(DeclaresPackage("package a.b;", "a.b"));
  EXPECT_TRUE(DeclaresPackage("// x\r\n\tpackage  a.b\r\n", "a.b"));  // Kotlin
  EXPECT_TRUE(DeclaresPackage("package a\npackage b\n", "a.b"));      // Scala
  EXPECT_FALSE(DeclaresPackage("package a;", "a.b"));
  EXPECT_FALSE(DeclaresPackage("package a.bc;", "a.b"));
  EXPECT_FALSE(DeclaresPackage("packages a.b;", "a.b"));
  EXPECT_TRUE(DeclaresPackage("class A {}", ""));
  EXPECT_FALSE(DeclaresPackage("package a;", ""));
}

}  // namespace
}  // namespace yp
