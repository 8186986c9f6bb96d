#include "cli/agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
namespace fs = std::filesystem;

TEST(EncodeAgentValueTest, LeavesWhatMeansNothing) {
  EXPECT_EQ(EncodeAgentValue("/home/me/app-1.yp@p"), "/home/me/app-1.yp@p");
}

TEST(EncodeAgentValueTest, EncodesWhatWouldEndAValueOrAWord) {
  EXPECT_EQ(EncodeAgentValue("a b,c=d;e%f"), "a%20b%2Cc%3Dd%3Be%25f");
  EXPECT_EQ(EncodeAgentValue("\"'\\\t\n\x7f"), "%22%27%5C%09%0A%7F");
}

TEST(EncodeAgentValueTest, KeepsLettersOutsideAscii) {
  EXPECT_EQ(EncodeAgentValue("größe"), "größe");
}

TEST(AgentOptionsTest, TellsTheDefaults) {
  EXPECT_EQ(FormatAgentOptions(ProfilingOptions(), "/tmp/x-%p"),
            "spool=/tmp/x-%p,mode=cbs,policy=cbs,stride=127,samples=128,skip=random,"
            "delay=16384,stride_kind=random,tick_ns=10000000,correct=shrunk,scope=app");
}

TEST(AgentOptionsTest, LeavesSamplingOutOfExactMode) {
  ProfilingOptions options;
  options.mode = ProfilingOptions::Mode::kExact;
  EXPECT_EQ(FormatAgentOptions(options, "s"), "spool=s,mode=exact,scope=app");
}

TEST(JvmOptionsTest, KeepAllDebugInformationWhereInlinedCallsAreInferred) {
  ProfilingOptions options;
  EXPECT_THAT(JvmOptions(options, "/a/lib.so", "s"),
              ElementsAre(StartsWith("-agentpath:/a/lib.so=spool=s,mode=cbs")));
  options.probe = ProfilingOptions::Probe::kAuto;
  EXPECT_THAT(JvmOptions(options, "/a/lib.so", "s"),
              ElementsAre("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints",
                          StartsWith("-agentpath:/a/lib.so=spool=s,mode=cbs")));
  options.mode = ProfilingOptions::Mode::kPatching;
  EXPECT_THAT(JvmOptions(options, "/a/lib.so", "s"), SizeIs(1));
}

TEST(AgentOptionsTest, TellsTheCountdownsIntervalAndNoTick) {
  ProfilingOptions options;
  options.policy.kind = PolicyOptions::Kind::kCountdown;
  options.policy.mean_interval = 77;
  options.interval_is_given = true;
  const std::string text = FormatAgentOptions(options, "s");
  EXPECT_THAT(text, HasSubstr("policy=countdown,interval=77"));
  EXPECT_THAT(text, HasSubstr("budget_ppm=5000"));
  EXPECT_THAT(text, Not(HasSubstr("tick_ns")));
}

TEST(AgentOptionsTest, LeavesTheIntervalToTheAgentThatChoosesTheProbe) {
  ProfilingOptions options;
  options.probe = ProfilingOptions::Probe::kAuto;
  options.policy.kind = PolicyOptions::Kind::kCountdown;
  const std::string text = FormatAgentOptions(options, "s");
  EXPECT_THAT(text, HasSubstr("mode=cbs,policy=countdown,"));
  EXPECT_THAT(text, Not(HasSubstr("interval")));
}

TEST(AgentOptionsTest, TellsTheProbeOnCompiledEntriesAndItsBudget) {
  ProfilingOptions options;
  options.policy.kind = PolicyOptions::Kind::kCountdown;
  options.probe = ProfilingOptions::Probe::kPatch;
  EXPECT_THAT(FormatAgentOptions(options, "s"), HasSubstr("probe=patch,budget_ppm=5000,scope"));
  options.probe = ProfilingOptions::Probe::kAuto;
  options.budget_percent = 0.123;
  options.force = true;
  EXPECT_THAT(FormatAgentOptions(options, "s"), HasSubstr("probe=auto,force=true,budget_ppm=1230"));
}

TEST(AgentOptionsTest, TellsWhatTakesStacks) {
  ProfilingOptions options;
  options.mode = ProfilingOptions::Mode::kTimer;
  options.probe = ProfilingOptions::Probe::kNone;
  options.stacks = ProfilingOptions::Stacks::kIntervalTimer;
  EXPECT_EQ(FormatAgentOptions(options, "s"),
            "spool=s,mode=timer,probe=none,stacks=setitimer,stack_interval_ns=10000000,scope=app");
  EXPECT_THAT(JvmOptions(options, "/a/lib.so", "s"), SizeIs(3)) << "debug information";
  options.stacks = ProfilingOptions::Stacks::kHpm;
  EXPECT_THAT(FormatAgentOptions(options, "s"),
              HasSubstr("stacks=hpm,stack_interval_ns=10000000,event_period=10000000,"));
  options.event = {"cache-misses", {.type = 0, .config = 3}, 1000};
  EXPECT_THAT(FormatAgentOptions(options, "s"),
              HasSubstr("event=cache-misses,event_type=0,event_config=3,event_period=1000,"));
}

TEST(AgentOptionsTest, TellsWhatCountsCallsBetweenWindows) {
  ProfilingOptions options;
  options.call_counter = NamedPerfEvent{"calls", {.type = 4, .config = 0x2c4, .config1 = 7}};
  EXPECT_THAT(
      FormatAgentOptions(options, "s"),
      HasSubstr(
          ",call_event=calls,call_event_type=4,call_event_config=708,call_event_config1=7,s"));
  options.call_counter_is_wanted = true;
  EXPECT_THAT(FormatAgentOptions(options, "s"), HasSubstr(",call_event_wanted=true,"));
}

TEST(AgentOptionsTest, TellsPatchingItsNumberOfSamples) {
  ProfilingOptions options;
  options.mode = ProfilingOptions::Mode::kPatching;
  options.probe = ProfilingOptions::Probe::kPatch;
  options.policy.samples = 50;
  EXPECT_THAT(FormatAgentOptions(options, "s"), HasSubstr("mode=patching,samples=50,probe=patch"));
}

TEST(AgentOptionsTest, RepeatsGlobsAndRoundsTheDurationUp) {
  ProfilingOptions options;
  options.include = {"a.*", "b,c"};
  options.exclude = {"d"};
  options.trivial = false;
  options.seed = 5;
  options.duration_ns = 1'500'001;
  EXPECT_THAT(FormatAgentOptions(options, "s"),
              HasSubstr("seed=5,scope=app,include=a.*,include=b%2Cc,exclude=d,trivial=exclude,"
                        "duration_ms=2"));
}

class FindAgentLibraryTest : public testing::Test {
 protected:
  FindAgentLibraryTest() {
    std::string pattern = fs::temp_directory_path() / "yp-layout-XXXXXX";
    root_ = fs::canonical(mkdtemp(pattern.data()));
    Create("cli/yp");
  }
  ~FindAgentLibraryTest() override { fs::remove_all(root_); }
  void Create(const std::string& name) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << "x";
  }
  fs::path root_;
};

TEST_F(FindAgentLibraryTest, FindsItInTheBuildTree) {
  Create("hotspot/libyieldpoint.so");
  const Result<std::string> library = FindAgentLibrary(root_ / "cli/yp");
  ASSERT_TRUE(library) << library.message();
  EXPECT_EQ(*library, root_ / "hotspot/libyieldpoint.so");
}

TEST_F(FindAgentLibraryTest, FindsItInstalledAlsoThroughALink) {
  Create("lib/libyieldpoint.so");
  fs::create_symlink(root_ / "cli/yp", root_ / "link");
  const Result<std::string> library = FindAgentLibrary(root_ / "link");
  ASSERT_TRUE(library) << library.message();
  EXPECT_EQ(*library, root_ / "lib/libyieldpoint.so");
}

TEST_F(FindAgentLibraryTest, SaysWhereItLooked) {
  const Result<std::string> library = FindAgentLibrary(root_ / "cli/yp");
  ASSERT_FALSE(library);
  EXPECT_THAT(std::string(library.message()), HasSubstr((root_ / "cli").native()));
}

TEST_F(FindAgentLibraryTest, RefusesAPathThatAJvmWouldCutOff) {
  Create("a=b/hotspot/libyieldpoint.so");
  Create("a=b/cli/yp");
  EXPECT_FALSE(FindAgentLibrary(root_ / "a=b/cli/yp"));
}

}  // namespace
}  // namespace yp
