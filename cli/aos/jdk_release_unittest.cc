#include "cli/aos/jdk_release.h"

#include <gtest/gtest.h>

namespace yp {
namespace {

TEST(JdkRelease, ReadsVersionModulesAndMaker) {
  const auto release = ParseRelease(
      "IMPLEMENTOR=\"Eclipse Adoptium\"\nJAVA_VERSION=\"25.0.3\"\n"
      "MODULES=\"java.base jdk.internal.vm.ci jdk.zipfs\"\nOS_ARCH=\"x86_64\"\n"
      "JVM_VARIANT=\"Hotspot\"\n");
  ASSERT_TRUE(release);
  EXPECT_EQ(release->feature, 25);
  EXPECT_EQ(release->version, "25.0.3");
  EXPECT_EQ(release->architecture, "x86_64");
  EXPECT_TRUE(release->has_jvmci);
  EXPECT_TRUE(release->is_hotspot);
}

TEST(JdkRelease, TakesNoOtherLineOrModuleForWhatItSeeks) {
  const auto release = ParseRelease(
      "JAVA_VERSION_DATE=\"2026-11-17\"\nJAVA_VERSION=\"1.8.0_402\"\n"
      "MODULES=\"xjdk.internal.vm.ci jdk.internal.vm.cix\"");
  ASSERT_TRUE(release);
  EXPECT_EQ(release->feature, 8);
  EXPECT_FALSE(release->has_jvmci);
}

TEST(JdkRelease, KnowsOtherVirtualMachines) {
  EXPECT_FALSE(ParseRelease("JAVA_VERSION=\"17.0.1\"\nJVM_VARIANT=\"Openj9\"\n")->is_hotspot);
}

TEST(JdkRelease, IsNoneWithoutAVersion) {
  EXPECT_FALSE(ParseRelease(""));
  EXPECT_FALSE(ParseRelease("JAVA_VERSION=\"\"\n"));
  EXPECT_FALSE(ParseRelease("JAVA_VERSION=17\n"));
}

}  // namespace
}  // namespace yp
