#include "cli/attach/jvm_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/attach/fake_process_for_test.h"

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class InspectProcessTest : public testing::Test {
 protected:
  JvmProcess Inspect() {
    Result<JvmProcess> process = InspectProcess(FakeProcess::kPid, fake_.proc_root());
    EXPECT_TRUE(process) << process.message();
    return process ? *process : JvmProcess();
  }
  std::string WhyNot(const JvmProcess& process) {
    return std::string(CheckAttachable(process, geteuid()).message());
  }
  FakeProcess fake_;
};

TEST_F(InspectProcessTest, ReadsWhatTheKernelTellsOfAJvm) {
  const JvmProcess process = Inspect();
  EXPECT_EQ(process.euid, geteuid());
  EXPECT_EQ(process.inner_pid, 7);
  EXPECT_TRUE(process.has_libjvm);
  EXPECT_TRUE(process.handles_sigquit);
  EXPECT_THAT(process.options, ElementsAre("-cp"));
  EXPECT_TRUE(CheckAttachable(process, geteuid()));
}

TEST_F(InspectProcessTest, SeesThatNobodyHandlesSigquit) {
  fake_.Write("status", FakeProcess::Status("S (sleeping)", FakeProcess::kLeavesQuit));
  EXPECT_FALSE(Inspect().handles_sigquit);
}

TEST_F(InspectProcessTest, RefusesAProcessThatDoesNotExist) {
  const Result<JvmProcess> process = InspectProcess(FakeProcess::kPid + 1, fake_.proc_root());
  ASSERT_FALSE(process);
  EXPECT_THAT(std::string(process.message()), HasSubstr("no process 4243"));
}

TEST_F(InspectProcessTest, TakesAZombieForNoProcess) {
  fake_.Write("status", FakeProcess::Status("Z (zombie)", FakeProcess::kHandlesQuit));
  EXPECT_FALSE(InspectProcess(FakeProcess::kPid, fake_.proc_root()));
}

TEST_F(InspectProcessTest, TakesAProcessThatEndsWhileItIsReadForNone) {
  for (const char* name : {"maps", "status"}) {
    fake_.MakeUnreadable(name);
    EXPECT_FALSE(InspectProcess(FakeProcess::kPid, fake_.proc_root())) << name;
  }
}

TEST_F(InspectProcessTest, RefusesWhatIsNoJvm) {
  fake_.Write("maps", "7f00-7f01 r-xp 0 08:01 42 /usr/bin/cat\n");
  EXPECT_THAT(WhyNot(Inspect()), HasSubstr("is no JVM"));
}

TEST_F(InspectProcessTest, TellsOpenJ9FromHotSpot) {
  fake_.Write("maps",
              "7f00-7f01 r-xp 0 08:01 42 /opt/lib/server/libjvm.so\n"
              "7f02-7f03 r-xp 0 08:01 43 /opt/lib/default/libj9vm29.so\n");
  EXPECT_THAT(WhyNot(Inspect()), HasSubstr("OpenJ9"));
}

TEST_F(InspectProcessTest, FindsTheAgentsThatAreLoadedAlready) {
  EXPECT_TRUE(Inspect().agent_libraries.empty());
  fake_.Write("maps",
              "7f00-7f01 r-xp 0 08:01 42 /opt/lib/server/libjvm.so\n"
              "7f02-7f03 r--p 0 08:01 43 /opt/a b/libyieldpoint.so (deleted)\n"
              "7f03-7f04 r-xp 0 08:01 43 /opt/a b/libyieldpoint.so (deleted)\n"
              "7f05-7f06 r-xp 0 08:01 44 /new/libyieldpoint.so\n"
              "7f07-7f08 r-xp 0 08:01 45 /new/libyieldpoint.so.1\n");
  EXPECT_THAT(Inspect().agent_libraries,
              ElementsAre("/opt/a b/libyieldpoint.so", "/new/libyieldpoint.so"));
}

TEST_F(InspectProcessTest, FindsADisabledMechanismInTheEnvironmentToo) {
  const std::string environ = "JAVA_TOOL_OPTIONS=-Xmx1g -XX:+DisableAttachMechanism";
  fake_.Write("environ", environ + '\0');
  EXPECT_THAT(WhyNot(Inspect()), HasSubstr("-XX:+DisableAttachMechanism"));
}

TEST_F(InspectProcessTest, RefusesAnotherUsersJvmUnlessTheCallerIsRoot) {
  JvmProcess process = Inspect();
  process.euid = 1234;
  EXPECT_THAT(std::string(CheckAttachable(process, 1000).message()), HasSubstr("uid 1234"));
  EXPECT_TRUE(CheckAttachable(process, 0));
}

TEST_F(InspectProcessTest, RefusesAJvmInAContainerOfItsOwn) {
  JvmProcess process = Inspect();
  process.same_mount_namespace = false;
  EXPECT_THAT(WhyNot(process), HasSubstr("inside that container"));
}

}  // namespace
}  // namespace yp
