#include "recorder/part_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kPid = 4711;
// 26 November 2026, 07:14:02 UTC.
constexpr std::time_t kNow = 1'795'677'242;

class PartFilesTest : public testing::Test {
 protected:
  std::string Pattern(const std::string& name) const { return directory_ / name; }
  void Write(const std::string& name, size_t bytes) const {
    std::ofstream(directory_ / name) << std::string(bytes, 'x');
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }
  const spool::TemporaryDirectory directory_;
};

TEST_F(PartFilesTest, APatternHasTheProcessAndTheTime) {
  EXPECT_EQ(ExpandPattern("/a/%p-%t.x", kPid, kNow), "/a/4711-20261126-071402.x");
  EXPECT_EQ(ExpandPattern("%%p %q %", kPid, kNow), "%p %q %");
}

TEST_F(PartFilesTest, APatternOfTheProcesssFolderHoldsFromAnyOther) {
  EXPECT_EQ(AbsolutePattern("/a/%p"), "/a/%p");
  EXPECT_EQ(ExpandPattern(AbsolutePattern("%p/x"), kPid, kNow),
            std::filesystem::current_path() / "4711/x");
}

TEST_F(PartFilesTest, PartsOfOneSecondHaveDifferentNames) {
  const PartFiles parts(Pattern("a-%t.s"), kPid);
  for (const char* name : {"a-20261126-071402.s", "a-20261126-071402.2.s"}) {
    EXPECT_EQ(parts.NewPath(kNow), directory_ / name);
    Write(name, 1);
  }
  for (int i = 3; i <= 11; ++i) Write("a-20261126-071402." + std::to_string(i) + ".s", 1);
  const std::vector<PartFiles::File> found = parts.Find();
  ASSERT_EQ(found.size(), 11u);
  EXPECT_EQ(found.front().path, directory_ / "a-20261126-071402.s");
  EXPECT_EQ(found[1].path, directory_ / "a-20261126-071402.2.s");
  EXPECT_EQ(found.back().path, directory_ / "a-20261126-071402.11.s");
}

TEST_F(PartFilesTest, TheOldestAreRemovedAndNothingElse) {
  const PartFiles parts(Pattern("%p-%t.s"), kPid);
  const std::vector<std::string> others{"4711-20261126-071402.s.jfr",
                                        "4711-20261126-0714.s",
                                        "4712-20261126-071402.s",
                                        "4711-.s",
                                        "notes.txt",
                                        "4711-20261126-071402.x.s"};
  for (const std::string& name : others) Write(name, 5);
  for (const char* name :
       {"4711-20251231-235959.s", "4711-20261126-071400.s", "4711-20261126-071401.s"}) {
    Write(name, 10);
  }
  const auto left = parts.Prune({.keep = 2}, directory_ / "4711-20261126-071401.s");
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].path, directory_ / "4711-20261126-071400.s");
  parts.Prune({.keep = 2, .max_bytes = 15}, left[1].path);
  std::vector<std::string> expected = others;
  expected.push_back("4711-20261126-071401.s");
  std::ranges::sort(expected);
  EXPECT_EQ(Names(), expected);
  // Whatever the limits.
  parts.Prune({.keep = 1, .max_bytes = 0}, left[1].path);
  EXPECT_EQ(Names(), expected);
}

TEST_F(PartFilesTest, WithoutATimePartsCannotBeToldApart) {
  EXPECT_TRUE(PartFiles("/a/%p-%t", kPid).Check());
  for (const char* pattern : {"/a/%p", "/a/%t-%t", "/%t/a", "/%t/a-%t", "/a/%%t"}) {
    EXPECT_FALSE(PartFiles(pattern, kPid).Check()) << pattern;
  }
}

TEST_F(PartFilesTest, AFolderThatIsNotThereHasNoParts) {
  EXPECT_THAT(PartFiles("/no/such/folder/%t", kPid).Find(), IsEmpty());
}

}  // namespace
}  // namespace yp
