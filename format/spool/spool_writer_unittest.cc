#include "format/spool/spool_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "format/spool/spool_test_util.h"

namespace yp::spool {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Counts OneCount() { return Counts{{{EdgeId{1}, 5}}}; }

TEST(SpoolWriterTest, AFullDiskIsAClearErrorAtTheStart) {
  auto writer = SpoolWriter::Open("/dev/full", SpoolWriter::Mode::kTruncate);
  ASSERT_FALSE(writer);
  EXPECT_THAT(std::string(writer.message()),
              AllOf(HasSubstr("/dev/full"), HasSubstr("no space left"), HasSubstr("free some")));
}

// A limit on the file's size fails writes in the middle of a run, as a full disk does.
TEST(SpoolWriterTest, AFailureInTheMiddleIsToldOnceAndWhatWasWrittenStaysReadable) {
  const TemporaryDirectory directory;
  const std::string path = directory / "limited.yp-spool";
  auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(writer) << writer.message();
  ASSERT_TRUE((*writer)->Append(ThreadDefinition{ThreadId{1}, "kept"}));
  ASSERT_TRUE((*writer)->Flush());
  const uint64_t good_bytes = (*writer)->bytes_written();

  std::optional<FileSizeLimit> limit(good_bytes + 6);
  const Status append = (*writer)->Append(ThreadDefinition{ThreadId{2}, "lost in the write"});
  const Status first = (*writer)->Flush();
  const Status append_again = (*writer)->Append(OneCount());
  const Status second = (*writer)->Flush();
  limit.reset();

  EXPECT_TRUE(append);
  ASSERT_FALSE(first);
  EXPECT_THAT(std::string(first.message()),
              AllOf(HasSubstr(path), HasSubstr("size limit"), HasSubstr("ulimit -f")));
  EXPECT_EQ(first.message().find('\n'), std::string::npos);
  EXPECT_TRUE(append_again);
  EXPECT_TRUE(second);
  EXPECT_TRUE((*writer)->failed());
  const uint64_t lost = (*writer)->bytes_lost();
  EXPECT_GE(lost, std::string("lost in the write").size());
  EXPECT_TRUE((*writer)->Append(OneCount()));
  EXPECT_GT((*writer)->bytes_lost(), lost);
  // Even with room again nothing is written after a gap that nobody would notice.
  EXPECT_TRUE((*writer)->Flush());
  EXPECT_EQ((*writer)->bytes_written(), good_bytes + 6);

  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<ThreadDefinition>(records[0]).name, "kept");
  EXPECT_TRUE((*reader)->damage().cut_off);
}

TEST(SpoolWriterTest, AnUnwritablePlaceIsAClearError) {
  const auto writer = SpoolWriter::Open("/proc/nowhere/a.yp-spool", SpoolWriter::Mode::kTruncate);
  ASSERT_FALSE(writer);
  EXPECT_THAT(std::string(writer.message()),
              AllOf(HasSubstr("/proc/nowhere/a.yp-spool"), HasSubstr("no such file")));
}

TEST(SpoolWriterTest, CreatingDoesNotReplaceAFile) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.yp-spool";
  ASSERT_TRUE(SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew));
  const auto again = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
  ASSERT_FALSE(again);
  EXPECT_THAT(std::string(again.message()), HasSubstr("the file exists"));
  EXPECT_TRUE(SpoolWriter::Open(path, SpoolWriter::Mode::kTruncate));
}

TEST(SpoolWriterTest, AForkedChildWritesNothing) {
  const TemporaryDirectory directory;
  const std::string path = directory / "forked.yp-spool";
  auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(writer) << writer.message();
  ASSERT_TRUE((*writer)->Append(ThreadDefinition{ThreadId{1}, "parent"}));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool silent = (*writer)->Append(ThreadDefinition{ThreadId{2}, "child"}).ok() &&
                        (*writer)->Flush().ok() && (*writer)->bytes_lost() > 0;
    writer->reset();
    _exit(silent ? 0 : 1);
  }
  int wait_status = 0;
  ASSERT_EQ(waitpid(child, &wait_status, 0), child);
  EXPECT_EQ(wait_status, 0) << "the child's calls must succeed and count";
  writer->reset();

  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<ThreadDefinition>(records[0]).name, "parent");
  EXPECT_FALSE((*reader)->damage().any());
}

TEST(SpoolWriterTest, WhatWasFlushedSurvivesAKill) {
  const TemporaryDirectory directory;
  const std::string path = directory / "killed.yp-spool";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
    if (!writer || !(*writer)->Append(ThreadDefinition{ThreadId{1}, "flushed"}).ok() ||
        !(*writer)->Flush().ok() ||
        !(*writer)->Append(ThreadDefinition{ThreadId{2}, "pending"}).ok()) {
      _exit(1);
    }
    kill(getpid(), SIGKILL);
  }
  int wait_status = 0;
  ASSERT_EQ(waitpid(child, &wait_status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(wait_status));
  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<ThreadDefinition>(records[0]).name, "flushed");
}

}  // namespace
}  // namespace yp::spool
