#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "format/profile/profile.h"
#include "format/profile/profile_test_util.h"
#include "format/profile/schema.h"
#include "format/profile/sqlite_file.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using spool::FileBytes;
using spool::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void WriteBytes(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

size_t FilesIn(const TemporaryDirectory& directory) {
  const std::filesystem::directory_iterator files(directory.path());
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

// Saves a profile, changes the file by SQL, and loads it.
Result<Profile> LoadAfter(const char* sql) {
  const TemporaryDirectory directory;
  const std::string path = directory / "changed.yp";
  EXPECT_TRUE(SaveProfile(OddProfile(), path));
  Result<SqliteFile> file = SqliteFile::OpenForWriting(path);
  EXPECT_TRUE(file) << file.message();
  const Status status = file->Execute(sql);
  EXPECT_TRUE(status) << status.message();
  return LoadProfile(path);
}

TEST(ProfileFileTest, EverythingSavedIsLoaded) {
  const TemporaryDirectory directory;
  const std::string path = directory / "odd name é.yp";
  const Status saved = SaveProfile(OddProfile(), path);
  ASSERT_TRUE(saved) << saved.message();
  const Result<Profile> loaded = LoadProfile(path);
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfile()));
}

TEST(ProfileFileTest, AProfileOfNothingIsLoadedToo) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(SaveProfile(Profile(), directory / "empty.yp"));
  const Result<Profile> loaded = LoadProfile(directory / "empty.yp");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(Profile()));
}

// As versions before the eleventh have it: they knew nothing of calls that were not executed, and
// no controller decided anything.
Profile OddProfileBeforeVersion11() {
  Profile profile = OddProfile();
  profile.unexecuted_calls.clear();
  profile.jit.decisions.clear();
  return profile;
}

// As versions before the tenth have it: they knew nothing of tests.
Profile OddProfileBeforeVersion10() {
  Profile profile = OddProfileBeforeVersion11();
  profile.tests.clear();
  return profile;
}

// As versions before the ninth have it: of calls that the VM has counted it was told that there are
// some, what a sample stands for was not told, nor when and where stacks were taken.
Profile OddProfileBeforeVersion9() {
  Profile profile = OddProfileBeforeVersion10();
  for (EdgeStats& edge : profile.edges) edge.counted = 0;
  for (spool::Window& window : profile.windows) window.weight = 0;
  profile.stack_times = {};
  return profile;
}

// As versions before the eighth have it: each call counted down one step.
Profile OddProfileBeforeVersion8() {
  Profile profile = OddProfileBeforeVersion9();
  for (spool::Window& window : profile.windows) window.steps = 1;
  return profile;
}

// As versions before the seventh have it: for how much of the CPU time calls were sampled was not
// told, and no stack was taken in the period in which they were.
Profile OddProfileBeforeVersion7() {
  Profile profile = OddProfileBeforeVersion8();
  profile.jit.periods[1].open_samples = 0;
  return profile;
}

// As versions before the sixth have it: they knew nothing of ticks, and intervals were those of
// shares, times all calls.
Profile OddProfileBeforeVersion6() {
  Profile profile = OddProfileBeforeVersion7();
  profile.ticks.clear();
  profile.total_deviation.reset();
  profile.replicates.clear();
  SetSharesByNumbers(&profile);
  return profile;
}

// Written by the first version of the schema, which knew no contexts.
TEST(ProfileFileTest, AProfileOfVersion1IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v1.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  Profile expected = OddProfileBeforeVersion6();
  expected.contexts = {};
  expected.jit = {};
  for (spool::Window& window : expected.windows) window.near_calls = 0;
  EXPECT_EQ(Describe(*loaded), Describe(expected));
}

// The second knew no counts of the processor.
TEST(ProfileFileTest, AProfileOfVersion2IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v2.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  Profile expected = OddProfileBeforeVersion6();
  expected.jit = {};
  for (spool::Window& window : expected.windows) window.near_calls = 0;
  EXPECT_EQ(Describe(*loaded), Describe(expected));
}

// The third knew nothing of compilers.
TEST(ProfileFileTest, AProfileOfVersion3IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v3.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  Profile expected = OddProfileBeforeVersion6();
  expected.jit = {};
  EXPECT_EQ(Describe(*loaded), Describe(expected));
}

// Which knew nothing of the CPU time of compilations.
TEST(ProfileFileTest, AProfileOfVersion4IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v4.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  Profile expected = OddProfileBeforeVersion6();
  for (JitLog::Compilation& compilation : expected.jit.log.compilations) {
    compilation.cpu_ns.reset();
  }
  EXPECT_EQ(Describe(*loaded), Describe(expected));
}

TEST(ProfileFileTest, AProfileOfVersion5IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v5.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion6()));
}

TEST(ProfileFileTest, AProfileOfVersion6IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v6.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion7()));
}

TEST(ProfileFileTest, AProfileOfVersion7IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v7.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion8()));
}

TEST(ProfileFileTest, AProfileOfVersion8IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v8.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion9()));
}

TEST(ProfileFileTest, AProfileOfVersion9IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v9.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion10()));
}

TEST(ProfileFileTest, AProfileOfVersion10IsLoaded) {
  const Result<Profile> loaded = LoadProfile("testdata/v10.profile");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfileBeforeVersion11()));
}

// The fixture was written by this version of the schema. A new version keeps it and adds its own;
// YP_BLESS=1 writes it anew and is right only until version 11 is released.
TEST(ProfileFileTest, AProfileOfVersion11IsLoaded) {
  const std::string fixture = "testdata/v11.profile";
  if (std::getenv("YP_BLESS") != nullptr) {
    ASSERT_TRUE(SaveProfile(OddProfile(), fixture));
  }
  const Result<Profile> loaded = LoadProfile(fixture);
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfile()));
}

TEST(ProfileFileTest, StacksWhoseTimesAreNotThoseOfTheContextsHaveNone) {
  for (const char* sql :
       {"UPDATE stack_samples SET samples = 9 WHERE part = 0", "DELETE FROM stack_samples",
        "UPDATE stack_samples SET context = 99 WHERE part = 0", "DELETE FROM stack_groups",
        "UPDATE threads SET stack_group = 7", "DELETE FROM meta WHERE key = 'stack_part_ns'"}) {
    const Result<Profile> loaded = LoadAfter(sql);
    ASSERT_TRUE(loaded) << loaded.message();
    EXPECT_THAT(loaded->stack_times.samples, testing::IsEmpty()) << sql;
    EXPECT_EQ(loaded->stack_times.part_ns, 0) << sql;
  }
}

TEST(ProfileFileTest, AnUnexecutedCallOfNoMethodIsRefused) {
  const Result<Profile> loaded = LoadAfter("UPDATE unexecuted_calls SET caller = 99");
  ASSERT_FALSE(loaded);
  EXPECT_THAT(std::string(loaded.message()), HasSubstr("unexecuted call"));
}

TEST(ProfileFileTest, ATestThatReachedWhatIsNotThereIsRefused) {
  for (const char* sql :
       {"UPDATE test_edges SET edge = 99 WHERE edge = 0", "DELETE FROM tests WHERE id = 0"}) {
    const Result<Profile> loaded = LoadAfter(sql);
    ASSERT_FALSE(loaded) << sql;
    EXPECT_THAT(std::string(loaded.message()), HasSubstr("is not there")) << sql;
  }
  EXPECT_FALSE(LoadAfter("UPDATE test_edges SET alone = 2"));
  EXPECT_FALSE(LoadAfter("UPDATE tests SET begin_ns = 9223372036854775807"));
}

TEST(ProfileFileTest, ReplicatesAreOfAllEdgesOrOfNone) {
  const Result<Profile> merged = LoadAfter("UPDATE edges SET replicates = '' WHERE id = 1");
  ASSERT_TRUE(merged) << merged.message();
  EXPECT_TRUE(merged->replicates.empty());
  for (const char* text :
       {"1 2 3", "1 1 1 1 1 1 1 1 1 -1", "1 1 1 1 1 1 1 1 1 x", "1 1 1 1 1 1 1 1 1 1 1"}) {
    const std::string sql = "UPDATE edges SET replicates = '" + std::string(text) + "'";
    const Result<Profile> loaded = LoadAfter(sql.c_str());
    ASSERT_FALSE(loaded) << text;
    EXPECT_THAT(std::string(loaded.message()), HasSubstr("replicates that are no numbers"));
  }
}

TEST(ProfileFileTest, ATableOfCompilersThatNamesWhatIsNotThereIsRefused) {
  for (const char* sql :
       {"UPDATE compilations SET method = 99", "UPDATE inlinings SET callee = 99",
        "UPDATE inlinings SET reason = 99", "UPDATE deoptimizations SET method = 99",
        "UPDATE code_ends SET method = 99", "UPDATE decisions SET method = 99",
        "UPDATE code_contexts SET method = 99", "UPDATE code_contexts SET parent = 99 WHERE id = 3",
        "UPDATE code_samples SET period = 99", "UPDATE code_calls SET method = 99",
        "UPDATE code_counts SET period = 99"}) {
    const Result<Profile> loaded = LoadAfter(sql);
    ASSERT_FALSE(loaded) << sql;
    EXPECT_THAT(std::string(loaded.message()), HasSubstr("that is not there")) << sql;
  }
  for (const char* sql :
       {"UPDATE compilations SET start_ns = 9223372036854775807",
        "UPDATE compilations SET cpu_ns = -1", "UPDATE code_contexts SET level = 5",
        "UPDATE code_samples SET osr = 2", "UPDATE code_contexts SET compile_id = 67108864",
        "UPDATE code_calls SET calls = -1", "UPDATE code_periods SET end_ns = 'x'"}) {
    EXPECT_FALSE(LoadAfter(sql)) << sql;
  }
}

TEST(ProfileFileTest, SavingReplacesAnOlderProfileAndLeavesNothingElse) {
  const TemporaryDirectory directory;
  const std::string path = directory / "again.yp";
  ASSERT_TRUE(SaveProfile(Profile(), path));
  ASSERT_TRUE(SaveProfile(OddProfile(), path));
  EXPECT_EQ(LoadProfile(path)->edges.size(), OddProfile().edges.size());
  EXPECT_EQ(FilesIn(directory), 1u);
}

// A file-size limit fails writes as a full disk does.
TEST(ProfileFileTest, AFailedSaveKeepsTheOlderProfileAndLeavesNoPartOfTheNew) {
  const TemporaryDirectory directory;
  const std::string path = directory / "kept.yp";
  ASSERT_TRUE(SaveProfile(OddProfile(), path));
  std::optional<spool::FileSizeLimit> limit(8192);
  const Status status = SaveProfile(Profile(), path);
  limit.reset();
  ASSERT_FALSE(status);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(path), HasSubstr("size limit"), Not(HasSubstr("\n"))));
  EXPECT_EQ(FilesIn(directory), 1u);
  EXPECT_EQ(Describe(*LoadProfile(path)), Describe(OddProfile()));
}

TEST(ProfileFileTest, AMissingDirectoryIsAClearError) {
  const Status status = SaveProfile(Profile(), "/nonexistent/a.yp");
  ASSERT_FALSE(status);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("/nonexistent/a.yp"), HasSubstr("no such file or directory")));
}

TEST(ProfileFileTest, ADirectoryIsNotReplaced) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(SaveProfile(Profile(), directory.path().string()));
}

TEST(ProfileFileTest, AMissingFileIsAClearError) {
  const Result<Profile> loaded = LoadProfile("/nonexistent/a.yp");
  ASSERT_FALSE(loaded);
  EXPECT_THAT(std::string(loaded.message()), HasSubstr("no such file or directory"));
}

TEST(ProfileFileTest, OtherFilesAreRefusedByName) {
  const TemporaryDirectory directory;
  const std::string text = directory / "notes.txt";
  WriteBytes(text, {'h', 'e', 'l', 'l', 'o'});
  EXPECT_THAT(std::string(LoadProfile(text).message()),
              HasSubstr("notes.txt is no Yieldpoint profile"));
  const std::string empty = directory / "empty.yp";
  WriteBytes(empty, {});
  EXPECT_THAT(std::string(LoadProfile(empty).message()), HasSubstr("is empty"));
  const std::string other = directory / "other.db";
  ASSERT_TRUE(SqliteFile::OpenForWriting(other)->Execute("CREATE TABLE t(a)"));
  EXPECT_THAT(std::string(LoadProfile(other).message()),
              HasSubstr("a SQLite file, but not a Yieldpoint profile"));
  EXPECT_FALSE(LoadProfile(directory.path().string()));
}

TEST(ProfileFileTest, AProfileOfALaterVersionIsRefused) {
  const std::string later = std::to_string(kSchemaVersion + 1);
  const Result<Profile> loaded = LoadAfter(("PRAGMA user_version = " + later).c_str());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(std::string(loaded.message()), HasSubstr("version " + later));
}

TEST(ProfileFileTest, ContentsThatCannotBeAreRefused) {
  for (const char* sql : {
           "UPDATE edges SET calls = -1",
           "UPDATE edges SET calls = 9e999",
           "UPDATE edges SET calls = 'many'",
           "UPDATE edges SET bci = 70000",
           "UPDATE edges SET callee = 99",
           "UPDATE edges SET caller = 99 WHERE id = 2",
           "UPDATE edges SET bci = 5 WHERE id = 2",  // Equals edge 1 then.
           "UPDATE methods SET name = x'00ff'",
           "UPDATE lines SET line = 1.5",
           "UPDATE window_samples SET edge = 99 WHERE edge = 1",
           "UPDATE meta SET value = 'long' WHERE key = 'duration_ns'",
           "UPDATE contexts SET method = 99 WHERE id = 2",
           "UPDATE contexts SET parent = 99 WHERE id = 2",
           "UPDATE contexts SET parent = 2 WHERE id = 1",  // A circle.
           "UPDATE contexts SET samples = -1",
           "DROP TABLE contexts",
           "DROP TABLE drops",
           "ALTER TABLE edges RENAME COLUMN calls TO kalls",
       }) {
    SCOPED_TRACE(sql);
    const Result<Profile> loaded = LoadAfter(sql);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(std::string(loaded.message()),
                AllOf(HasSubstr("cannot read the profile"), Not(HasSubstr("\n"))));
  }
}

TEST(ProfileFileTest, ATruncatedProfileIsRefusedInOneLine) {
  const TemporaryDirectory directory;
  const std::string path = directory / "cut.yp";
  ASSERT_TRUE(SaveProfile(OddProfile(), path));
  const std::vector<uint8_t> whole = FileBytes(path);
  for (size_t size = 0; size < whole.size(); size += 509) {
    SCOPED_TRACE(size);
    WriteBytes(path, {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    const Result<Profile> loaded = LoadProfile(path);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.message().find('\n'), std::string::npos) << loaded.message();
  }
}

// Flipped bytes either give an error of one line or a profile that keeps the promises of profile.h:
// nothing crashes, and what loads can be saved and loaded again.
TEST(ProfileFileTest, FlippedBytesNeverCrashTheLoader) {
  const TemporaryDirectory directory;
  const std::string path = directory / "flipped.yp";
  ASSERT_TRUE(SaveProfile(OddProfile(), path));
  const std::vector<uint8_t> whole = FileBytes(path);
  Xoshiro256 random(20);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    std::vector<uint8_t> bytes = whole;
    // The used parts of a page are its ends; most of the file is zeros between them.
    for (uint64_t flips = random.UniformFromOneTo(8); flips > 0;) {
      uint8_t& byte = bytes[random.UniformFromOneTo(bytes.size()) - 1];
      if (byte == 0) continue;
      byte = static_cast<uint8_t>(random.Next());
      --flips;
    }
    WriteBytes(path, bytes);
    const Result<Profile> loaded = LoadProfile(path);
    if (!loaded) {
      ++refused;
      EXPECT_EQ(loaded.message().find('\n'), std::string::npos) << loaded.message();
      continue;
    }
    const std::string again = directory / "again.yp";
    const Status saved = SaveProfile(*loaded, again);
    ASSERT_TRUE(saved) << saved.message();
    const Result<Profile> reloaded = LoadProfile(again);
    ASSERT_TRUE(reloaded) << reloaded.message();
    EXPECT_EQ(Describe(*reloaded), Describe(*loaded));
  }
  EXPECT_GT(refused, 40);
}

TEST(ProfileFileTest, ContextsMayStandInAnyOrder) {
  const Result<Profile> loaded = LoadAfter(
      "UPDATE contexts SET id = 9 WHERE id = 1; UPDATE contexts SET parent = 9 WHERE parent = 1");
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(Describe(*loaded), Describe(OddProfile()));
}

// docs/formats.md promises that this works.
TEST(ProfileFileTest, ProfilesMergeByNameInPlainSql) {
  const TemporaryDirectory directory;
  Profile a;
  Profile b;
  const auto method = [](const char* name) { return Method{"A", name, "()V", "A.java", 0, {}}; };
  const auto add = [](Profile* p, MethodId caller, int bci, MethodId callee, double calls) {
    p->edges.push_back({.edge = {caller, bci, callee}, .calls = calls});
  };
  MethodId f = a.methods.Intern(method("f"));
  MethodId g = a.methods.Intern(method("g"));
  add(&a, f, 3, g, 10);
  add(&a, kNoMethod, kNoBci, f, 1);
  g = b.methods.Intern(method("g"));  // Other ids in b.
  f = b.methods.Intern(method("f"));
  add(&b, f, 3, g, 5);
  add(&b, f, 4, g, 7);
  add(&b, kNoMethod, kNoBci, f, 2);
  ASSERT_TRUE(SaveProfile(a, directory / "a.yp"));
  ASSERT_TRUE(SaveProfile(b, directory / "b.yp"));

  Result<SqliteFile> file = SqliteFile::OpenForReading(directory / "a.yp");
  ASSERT_TRUE(file) << file.message();
  ASSERT_TRUE(file->Execute(("ATTACH '" + (directory / "b.yp") + "' AS b").c_str()));
  SqliteStatement row = file->Prepare(
      "SELECT caller || ' ' || bci || ' ' || callee, sum(calls) FROM "
      "(SELECT * FROM main.named_edges UNION ALL SELECT * FROM b.named_edges) "
      "GROUP BY caller, bci, callee ORDER BY 1");
  std::vector<std::pair<std::string, double>> merged;
  while (row.Step()) {
    std::string edge = row.Text();
    merged.emplace_back(std::move(edge), row.NonNegative());
  }
  ASSERT_TRUE(row.ok()) << row.error();
  EXPECT_THAT(merged, ::testing::ElementsAre(std::pair("(root) -1 A.f()V", 3.0),
                                             std::pair("A.f()V 3 A.g()V", 15.0),
                                             std::pair("A.f()V 4 A.g()V", 7.0)));
}

TEST(ProfileFileTest, SqlReadsWholeNumbersOfCalls) {
  const spool::TemporaryDirectory directory;
  Profile profile;
  const MethodId f = profile.methods.Intern({"A", "f", "()V", "", 0, {}});
  const auto add = [&](double calls, double low, double high, uint32_t flags) {
    const auto bci = static_cast<int32_t>(profile.edges.size());
    profile.edges.push_back(
        {.edge = {f, bci, f}, .calls = calls, .low = low, .high = high, .flags = flags});
  };
  add(1234.5, 1000.9, 2000.1, kEdgeSampled);
  add(0.6, 0.2, 3, kEdgeInferred);
  add(1, 1, 1, kEdgeOnce);
  add(7, 5, 1e9, kEdgeCounted | kEdgeNoInterval);
  ASSERT_TRUE(SaveProfile(profile, directory / "p.yp"));
  Result<SqliteFile> file = SqliteFile::OpenForReading(directory / "p.yp");
  ASSERT_TRUE(file) << file.message();
  SqliteStatement row = file->Prepare(
      "SELECT coalesce(calls, '-') || ' ' || coalesce(low, '-') || ' ' || coalesce(high, '-') "
      "FROM named_edges ORDER BY bci");
  std::vector<std::string> numbers;
  while (row.Step()) numbers.push_back(row.Text());
  ASSERT_TRUE(row.ok()) << row.error();
  EXPECT_THAT(numbers, ::testing::ElementsAre("1235 1000 2001", "1 0 3", "- - -", "7 5 -"));
}

TEST(ProfileTest, NamesTheFiltersThatDiffer) {
  Profile a;
  Profile b;
  a.config = {{"scope", "app"}, {"exclude", "x.*"}, {"stride", "3"}};
  b.config = {{"scope", "all"}, {"exclude", "x.*"}, {"stride", "5"}, {"include", "y.*"}};
  EXPECT_THAT(DifferentFilters(a, b), ::testing::ElementsAre("scope", "include"));
  EXPECT_TRUE(DifferentFilters(a, a).empty());
}

}  // namespace
}  // namespace yp
