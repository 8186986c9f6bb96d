// That what counting costs is said while the program runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "cli/counting_rule.h"
#include "format/spool/spool_test_util.h"
#include "format/spool/spool_writer.h"

namespace yp {
namespace {

using testing::HasSubstr;

TEST(CountingRuleTest, TheRuleIsSaidWhenTheSpoolHasIt) {
  const spool::TemporaryDirectory directory;
  const SpoolFiles spools(directory / "p.yp", "tag");
  auto writer = spool::SpoolWriter::Open(spools.PathOf(7), spool::SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->Append(spool::Config{
      {{"mode", "exact"}, {"counting.call_ps", "3000"}, {"counting.plain_call_ps", "1500"}}}));
  ASSERT_TRUE((*writer)->Flush());
  std::FILE* const file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  {
    const TellsCountingRule tells(spools);
    // It says nothing more: the end of its line is the end of the wait.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (lseek(fileno(file), 0, SEEK_END) == 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
  }
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text(4096, 0);
  const ssize_t size = pread(fileno(file), text.data(), text.size(), 0);
  std::fclose(file);
  ASSERT_GT(size, 0);
  text.resize(static_cast<size_t>(size));
  EXPECT_THAT(text, HasSubstr("yp: exact mode counts every call: about 3.0 ns"));
}

}  // namespace
}  // namespace yp
