#include "format/page/source_files.h"

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

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
namespace fs = std::filesystem;

constexpr const char* kText = "package a.b;\n2\n3\n4\r\n5\n6\n7";

class SourceFilesTest : public testing::Test {
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
  SourceFiles Read(const std::vector<std::string>& places, const WantedSources& wanted,
                   size_t max_bytes = kMaxSourceBytes) {
    Result<SourceFiles> files = ReadSourceFiles(places, wanted, max_bytes);
    EXPECT_TRUE(files) << files.message();
    return files ? *files : SourceFiles();
  }
  std::string Error(const std::string& place) {
    const std::vector<std::string> places = {place};
    return std::string(ReadSourceFiles(places, {{"a/b/C.java", 1}}).message());
  }

  spool::TemporaryDirectory directory_;
};

TEST_F(SourceFilesTest, AreWhole) {
  Write("src/main/java/a/b/C.java", kText);
  const SourceFiles files = Read({directory_ / "src"}, {{"a/b/C.java", 1}, {"x/Y.java", 1}});
  EXPECT_EQ(files.missing, 1u);
  EXPECT_THAT(files.texts, ElementsAre(Pair("a/b/C.java", "package a.b;\n2\n3\n4\n5\n6\n7\n")));
  EXPECT_THAT(files.left_out, IsEmpty());
}

TEST_F(SourceFilesTest, AreFoundInModulesOfAnArchive) {
  const std::string zip = WriteZip("src.zip", {{"java.base/a/b/C.java", kText}, {"M", "x"}});
  EXPECT_THAT(Read({zip}, {{"a/b/C.java", 1}}).texts,
              ElementsAre(Pair("a/b/C.java", EndsWith("6\n7\n"))));
}

TEST_F(SourceFilesTest, TheFirstPlaceAndThereTheNearestWins) {
  Write("one/deep/er/a/b/C.java", "package a.b; // deep");
  Write("one/z/a/b/C.java", "package a.b; // near");
  Write("two/a/b/C.java", "package a.b; // two");
  const WantedSources wanted = {{"a/b/C.java", 1}};
  EXPECT_THAT(Read({directory_ / "one", directory_ / "two/"}, wanted).texts,
              ElementsAre(Pair("a/b/C.java", "package a.b; // near\n")));
  EXPECT_THAT(Read({directory_ / "two/", directory_ / "one"}, wanted).texts,
              ElementsAre(Pair("a/b/C.java", "package a.b; // two\n")));
}

TEST_F(SourceFilesTest, FilesOfOtherPackagesAreOthers) {
  Write("java/util/List.java", "/*\n * a package of util\n */\npackage java.util;");
  const SourceFiles files = Read({directory_ / ""}, {{"util/List.java", 1}, {"List.java", 1}});
  EXPECT_THAT(files.texts, IsEmpty());
  EXPECT_EQ(files.missing, 2u);
}

TEST_F(SourceFilesTest, NamesThatLeadOutOfAFolderFindNothing) {
  Write("secret.txt", "secret");
  Write("in/a/C.java", "package a;");
  const WantedSources wanted = {
      {"../secret.txt", 1}, {"a/../../secret.txt", 1}, {"/etc/passwd", 1}};
  EXPECT_THAT(Read({directory_ / "in"}, wanted).texts, IsEmpty());
}

TEST_F(SourceFilesTest, LongLinesAreCutAndHugeFilesLeftOut) {
  Write("C.java", std::string(10'000, 'x') + "\n2");
  Write("D.java", std::string(SourceArchive::kMaxFileBytes + 1, '\n'));
  const SourceFiles files = Read({directory_ / ""}, {{"C.java", 1}, {"D.java", 1}});
  EXPECT_EQ(files.texts.at("C.java"), std::string(500, 'x') + "…\n2\n");
  EXPECT_THAT(files.left_out, ElementsAre(Pair("D.java", HasSubstr("larger than 16 MiB"))));
  EXPECT_EQ(files.missing, 0u);
}

TEST_F(SourceFilesTest, WhereThereIsNoRoomForAllThoseWorthMostAreKept) {
  for (const char* name : {"A.java", "B.java", "C.java"}) Write(name, std::string(60, 'x'));
  const WantedSources wanted = {{"A.java", 1}, {"B.java", 3}, {"C.java", 2}, {"none.java", 9}};
  const SourceFiles files = Read({directory_ / ""}, wanted, 130);
  EXPECT_THAT(files.texts, ElementsAre(Pair("B.java", _), Pair("C.java", _)));
  EXPECT_THAT(files.left_out, ElementsAre(Pair("A.java", HasSubstr("no room"))));
  EXPECT_EQ(files.missing, 1u);
}

TEST_F(SourceFilesTest, WhatCannotBeReadIsAnErrorThatNamesIt) {
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
