// yp report and yp serve with a template that is as good as a UI for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/command_test_util.h"
#include "cli/output_path.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"
#include "server/page_server.h"

namespace yp {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr std::string_view kTemplate = "<script>main()</script><!--YP_DATA--><p>";

class PageCommandsTest : public CommandTest {
 protected:
  PageCommandsTest() { EXPECT_TRUE(SaveProfile(OddProfile(), Path("odd.yp"))); }

  std::string Path(const std::string& name) const { return directory_ / name; }
  std::string TextOf(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  int Yp(std::vector<std::string> arguments,
         const Result<std::string_view>& page = std::string_view(kTemplate)) {
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    return Run(std::move(argv), page);
  }

  spool::TemporaryDirectory directory_;
};

TEST_F(PageCommandsTest, AReportIsOnePageBesideTheProfile) {
  ASSERT_EQ(Yp({"report", Path("odd.yp")}), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("odd.html"));
  EXPECT_EQ(out_, "");
  EXPECT_THAT(TextOf("odd.html"),
              AllOf(StartsWith("<script>main()</script><script type="), EndsWith("</script><p>")));
}

TEST_F(PageCommandsTest, AReportGoesWhereOneSays) {
  ASSERT_EQ(Yp({"report", Path("odd.yp"), Path("odd.yp"), "-o", Path("x.html")}), 0) << err_;
  EXPECT_TRUE(std::filesystem::exists(Path("x.html")));
  ASSERT_EQ(Yp({"report", Path("odd.yp"), "-o", "-"}), 0) << err_;
  EXPECT_THAT(out_, StartsWith("<script>main()"));
  EXPECT_EQ(DefaultPagePath({"a/before.yp", "b/after.yp"}), "b/before-after.html");
  EXPECT_EQ(DefaultPagePath({"app"}), "app.html");
}

TEST_F(PageCommandsTest, SaysHowManySourcesWereFound) {
  std::filesystem::create_directories(Path("src/com/example"));
  std::ofstream(Path("src/com/example/App.java")) << "package com.example;\n";
  ASSERT_EQ(Yp({"report", Path("odd.yp"), "--sources", Path("src"), "--sources", Path("src")}), 0);
  EXPECT_THAT(err_, HasSubstr("sources: 1 of 3 files found"));
  EXPECT_EQ(Yp({"report", Path("odd.yp"), "--sources", Path("none")}), 2);
  EXPECT_THAT(err_, HasSubstr("none: there is no such folder or archive"));
}

TEST_F(PageCommandsTest, WithoutItsPageYpSaysSoInOneLine) {
  const Result<std::string_view> none = Status::Error("no page: install npm");
  for (const char* command : {"report", "serve"}) {
    EXPECT_EQ(Yp({command, Path("odd.yp")}, none), 2);
    EXPECT_EQ(err_, "yp: no page: install npm\n");
  }
}

TEST_F(PageCommandsTest, WhatCannotBeWrittenOrReadIsAnError) {
  EXPECT_EQ(Yp({"report", Path("odd.yp"), "-o", Path("no/x.html")}), 2);
  EXPECT_THAT(err_, HasSubstr("there is no directory"));
  EXPECT_EQ(Yp({"report", Path("none.yp")}), 2);
  EXPECT_THAT(err_, HasSubstr("none.yp"));
  EXPECT_EQ(Yp({"serve", Path("odd.yp"), "--port", "0"}), 2);
}

TEST_F(PageCommandsTest, APortInUseIsAnError) {
  const auto other = PageServer::Start({}, 0);
  ASSERT_TRUE(other);
  EXPECT_EQ(Yp({"serve", Path("odd.yp"), "--port", std::to_string((*other)->port())}), 2);
  EXPECT_THAT(err_, HasSubstr("another program has it"));
}

// Sent before it waits, the signal is kept until it does.
TEST_F(PageCommandsTest, AServerEndsWithASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    kill(getpid(), signal);
    EXPECT_EQ(Yp({"serve", Path("odd.yp")}), 0) << err_;
    EXPECT_THAT(out_, MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/[0-9a-f]{32}/\n"));
    EXPECT_THAT(err_, HasSubstr("Ctrl-C ends it"));
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

}  // namespace
}  // namespace yp
