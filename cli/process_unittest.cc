// process.h and java_command.h: starting the user's command.
#include "cli/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/java_command.h"
#include "cli/selfcheck.h"

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

ProcessResult RunShell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  const Result<ProcessResult> result = RunInForeground(spec);
  EXPECT_TRUE(result) << result.message();
  return result ? *result : ProcessResult();
}

TEST(RunInForegroundTest, PassesTheExitCodeOn) {
  EXPECT_EQ(RunShell("exit 0").exit_code, 0);
  EXPECT_EQ(RunShell("exit 42").exit_code, 42);
}

TEST(RunInForegroundTest, SaysASignalAsAShellDoes) {
  const ProcessResult result = RunShell("kill -9 $$");
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.interrupted);
}

TEST(RunInForegroundTest, HandsOnASignalThatAnotherProcessSent) {
  // The program itself sends it, so that it is ready for it: no time has to pass.
  const ProcessResult result =
      RunShell("trap 'exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.01; done");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_TRUE(result.interrupted);
}

TEST(RunInForegroundTest, DoesNotStartWhatDoesNotExist) {
  ProcessSpec spec;
  spec.argv = {"/nonexistent/program"};
  const Result<ProcessResult> result = RunInForeground(spec);
  ASSERT_FALSE(result);
  EXPECT_THAT(std::string(result.message()), HasSubstr("cannot start /nonexistent/program"));
}

TEST(RunInForegroundTest, ReplacesVariablesOfTheEnvironment) {
  setenv("YP_TEST_VARIABLE", "old", 1);
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "test \"$YP_TEST_VARIABLE\" = 'a new one' && test -n \"$PATH\""};
  spec.environment = {{"YP_TEST_VARIABLE", "a new one"}};
  const Result<ProcessResult> result = RunInForeground(spec);
  unsetenv("YP_TEST_VARIABLE");
  ASSERT_TRUE(result) << result.message();
  EXPECT_EQ(result->exit_code, 0);
}

TEST(RunInForegroundTest, TheProgramFindsSignalsAsTheyWere) {
  std::signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(RunShell("kill -PIPE $$; exit 0").exit_code, 128 + SIGPIPE);
    EXPECT_EQ(std::signal(SIGPIPE, SIG_IGN), SIG_IGN) << "this process goes on";
  }
}

TEST(RunInForegroundTest, MeasuresCpuTimeAlsoOfWhatTheProgramWaitedFor) {
  const ProcessResult busy = RunShell("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'");
  EXPECT_GT(busy.cpu_ns, 10'000'000);
  EXPECT_GT(busy.wall_ns, 0);
}

TEST(RunInForegroundTest, MeasuresPeakMemory) { EXPECT_GT(RunShell("exit 0").peak_bytes, 100'000); }

TEST(RunInForegroundTest, KillsWhatTakesTooLong) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "trap '' TERM INT; while :; do sleep 0.01; done"};
  spec.limit_ns = 50'000'000;
  const Result<ProcessResult> result = RunInForeground(spec);
  ASSERT_TRUE(result) << result.message();
  EXPECT_TRUE(result->over_limit);
  EXPECT_FALSE(result->interrupted);
  EXPECT_EQ(result->signal, SIGKILL);
  EXPECT_GE(result->wall_ns, spec.limit_ns);
}

TEST(RunInForegroundTest, LeavesNothingOfAGroupOfItsOwn) {
  std::string pattern = fs::temp_directory_path() / "yp-group-XXXXXX";
  const fs::path pid_file = fs::path(mkdtemp(pattern.data())) / "pid";
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "sleep 1000 & echo $! > '" + pid_file.native() + "'"};
  spec.own_group = true;
  const Result<ProcessResult> result = RunInForeground(spec);
  ASSERT_TRUE(result) << result.message();
  EXPECT_EQ(result->exit_code, 0);
  pid_t left = 0;
  std::ifstream(pid_file) >> left;
  ASSERT_GT(left, 0);
  // It has been killed, and whoever inherits it may take a moment to wait for it.
  const auto is_running = [&] {
    std::ifstream stat("/proc/" + std::to_string(left) + "/stat");
    std::string word, state;
    stat >> word >> word >> state;
    return !state.empty() && state != "Z";
  };
  while (is_running()) std::this_thread::yield();
  fs::remove_all(pattern);
}

TEST(RunInForegroundTest, HandsSignalsOnToAGroupOfItsOwn) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "trap 'exit 7' INT; kill -INT $PPID; while :; do sleep 0.01; done"};
  spec.own_group = true;
  const Result<ProcessResult> result = RunInForeground(spec);
  ASSERT_TRUE(result) << result.message();
  EXPECT_EQ(result->exit_code, 7);
  EXPECT_TRUE(result->interrupted);
}

class JavaCommandTest : public testing::Test {
 protected:
  JavaCommandTest() {
    std::string pattern = fs::temp_directory_path() / "yp-java-XXXXXX";
    root_ = mkdtemp(pattern.data());
    fs::create_directories(root_ / "jdk/bin");
    std::ofstream(root_ / "jdk/bin/java") << "#!/bin/sh\n";
    fs::permissions(root_ / "jdk/bin/java", fs::perms::owner_all);
    fs::create_symlink(root_ / "jdk/bin/java", root_ / "java17");
    unsetenv("JAVA_TOOL_OPTIONS");
  }
  ~JavaCommandTest() override {
    unsetenv("JAVA_TOOL_OPTIONS");
    fs::remove_all(root_);
  }
  fs::path root_;
};

TEST_F(JavaCommandTest, KnowsTheLauncherByNameAndThroughLinks) {
  EXPECT_TRUE(IsJavaLauncher("java", ""));
  EXPECT_TRUE(IsJavaLauncher("/opt/jdk/bin/java", ""));
  EXPECT_TRUE(IsJavaLauncher("java17", "/nonexistent:" + root_.native()));
  EXPECT_TRUE(IsJavaLauncher(root_ / "java17", ""));
  EXPECT_FALSE(IsJavaLauncher("javac", "/usr/bin"));
  EXPECT_FALSE(IsJavaLauncher("ecj", "/usr/bin:/bin"));
}

TEST_F(JavaCommandTest, PutsTheAgentBehindTheLauncher) {
  const CommandWithAgent command =
      AddJvmOptions({"java", "-cp", ".", "Main"}, {"-XX:+One", "-agentpath:/a/lib.so=mode=cbs"});
  EXPECT_THAT(command.argv,
              ElementsAre("java", "-XX:+One", "-agentpath:/a/lib.so=mode=cbs", "-cp", ".", "Main"));
  EXPECT_TRUE(command.environment.empty());
}

TEST_F(JavaCommandTest, GivesOtherCommandsTheAgentThroughTheEnvironment) {
  setenv("JAVA_TOOL_OPTIONS", "-Xmx1g", 1);
  const CommandWithAgent command =
      AddJvmOptions({"ecj", "A.java"}, {"-XX:+One", "-agentpath:/a b/l'ib.so=mode=cbs"});
  EXPECT_THAT(command.argv, ElementsAre("ecj", "A.java"));
  EXPECT_EQ(command.environment.at("JAVA_TOOL_OPTIONS"),
            "-Xmx1g -XX:+One -agentpath:/a' 'b/l\"'\"ib.so=mode=cbs");
}

TEST(SelfcheckTest, PutsEveryConfigurationInEveryPlace) {
  for (size_t place = 0; place < kConfigurations.size(); ++place) {
    std::vector<Configuration> seen;
    for (size_t round = 0; round < kConfigurations.size(); ++round) {
      seen.push_back(OrderOfRound(round)[place]);
    }
    EXPECT_THAT(seen, testing::UnorderedElementsAreArray(kConfigurations));
  }
}

TEST(SelfcheckTest, AllRunsSeeTheSameMethodsAndTheReferenceSeesEveryCall) {
  using Probe = ProfilingOptions::Probe;
  ProfilingOptions sampled;
  for (const Probe probe : {Probe::kAuto, Probe::kBytecode}) {
    sampled.probe = probe;
    const ProfilingOptions own = OptionsOf(Configuration::kSampled, sampled);
    const ProfilingOptions exact = OptionsOf(Configuration::kExact, sampled);
    const ProfilingOptions timer = OptionsOf(Configuration::kTimer, sampled);
    EXPECT_EQ(own.probe, probe);
    EXPECT_EQ(own.trivial, probe == Probe::kAuto) << "entries cannot tell";
    EXPECT_EQ(exact.trivial, own.trivial);
    EXPECT_EQ(timer.trivial, own.trivial);
    EXPECT_EQ(exact.mode, ProfilingOptions::Mode::kExact);
    EXPECT_EQ(exact.probe, Probe::kBytecode);
    EXPECT_EQ(timer.mode, ProfilingOptions::Mode::kTimer);
    EXPECT_EQ(timer.probe, Probe::kBytecode);
  }
  sampled.trivial = false;
  EXPECT_EQ(OptionsOf(Configuration::kExact, sampled).trivial, false);
}

TEST(SelfcheckTest, ComparesWithTheUnprofiledRunOfTheSameRound) {
  std::vector<Measurement> measurements;
  const auto add = [&](Configuration c, size_t round, int64_t cpu_ns,
                       std::optional<double> overlap) {
    Measurement m;
    m.configuration = c;
    m.round = round;
    m.cpu_ns = cpu_ns;
    m.overlap = overlap;
    measurements.push_back(m);
  };
  add(Configuration::kUnprofiled, 0, 100, std::nullopt);
  add(Configuration::kSampled, 0, 110, 80);
  add(Configuration::kSampled, 1, 240, 90);
  add(Configuration::kUnprofiled, 1, 200, std::nullopt);
  measurements.back().same_output = false;
  const ConfigurationResult cbs = Evaluate(measurements)[2];
  EXPECT_EQ(cbs.configuration, Configuration::kSampled);
  EXPECT_NEAR(cbs.cpu_ratio->low, 1.1, 1e-9);
  EXPECT_NEAR(cbs.cpu_ratio->high, 1.2, 1e-9);
  EXPECT_NEAR(cbs.cpu_ratio->median, 1.15, 1e-9);
  EXPECT_NEAR(cbs.overlap->median, 85, 1e-9);
  EXPECT_EQ(cbs.different_outputs, 0u);
  EXPECT_EQ(Evaluate(measurements)[0].different_outputs, 1u);
  EXPECT_FALSE(Evaluate(measurements)[3].cpu_s.has_value());
}

}  // namespace
}  // namespace yp
