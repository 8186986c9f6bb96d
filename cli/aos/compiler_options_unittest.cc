#include "cli/aos/compiler_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace yp {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

JdkRelease Jdk(int feature) { return {feature, std::to_string(feature), "x86_64", true, true}; }

TEST(CheckJdk, TakesThoseThatHaveJvmci) {
  EXPECT_TRUE(CheckJdk(Jdk(17)));
  EXPECT_TRUE(CheckJdk(Jdk(26)));
  EXPECT_THAT(std::string(CheckJdk(Jdk(16)).message()), HasSubstr("this is JDK 16"));
  EXPECT_FALSE(CheckJdk(Jdk(27)));
}

TEST(CheckJdk, RefusesBuildsThatLackIt) {
  JdkRelease jdk = Jdk(17);
  jdk.has_jvmci = false;
  EXPECT_THAT(std::string(CheckJdk(jdk).message()), HasSubstr("no JVMCI"));
  jdk = Jdk(17);
  jdk.architecture = "aarch64";
  EXPECT_THAT(std::string(CheckJdk(jdk).message()), HasSubstr("x86-64"));
  jdk = Jdk(17);
  jdk.is_hotspot = false;
  EXPECT_FALSE(CheckJdk(jdk));
}

TEST(CheckJvmOptions, RefusesWhatTheCompilerDoesNotKnowByName) {
  EXPECT_TRUE(CheckJvmOptions({"-XX:+UseG1GC", "-Xmx1g"}));
  EXPECT_THAT(std::string(CheckJvmOptions({"-XX:+UseZGC"}).message()), HasSubstr("ZGC"));
  EXPECT_TRUE(CheckJvmOptions({"-XX:+UseZGC", "-XX:-UseZGC"})) << "the last one counts";
  EXPECT_FALSE(CheckJvmOptions({"-Xint"}));
  EXPECT_FALSE(CheckJvmOptions({"-XX:+UseCompactObjectHeaders"}));
  EXPECT_FALSE(CheckJvmOptions({"-XX:+UseBiasedLocking"}));
  EXPECT_FALSE(CheckJvmOptions({"-agentlib:jdwp=transport=dt_socket"}));
}

TEST(CompilerOptions, LeaveHotspotsThresholdsAloneWithItsTiers) {
  CompilerSetup setup{"/l/lib.so", "/l/c.jar", Tiers::kHotspot, false, false, 17};
  EXPECT_THAT(CompilerOptions(setup), Not(Contains(StartsWith("-XX:Tier"))));
  EXPECT_THAT(CompilerOptions(setup), Contains("-Xbootclasspath/a:/l/c.jar"));
  setup.tiers = Tiers::kOwn;
  EXPECT_THAT(CompilerOptions(setup), Contains("-XX:CompilationMode=high-only-quick-internal"));
  EXPECT_THAT(CompilerOptions(setup), Contains("-XX:+EagerJVMCI"));
}

TEST(CompilerOptions, LetTheLibraryBeLoadedWithoutAWarning) {
  CompilerSetup setup;
  EXPECT_THAT(CompilerOptions(setup), Not(Contains(StartsWith("--enable-native-access"))));
  setup.jdk = 25;
  EXPECT_THAT(CompilerOptions(setup), Contains(StartsWith("--enable-native-access")));
}

TEST(CompilerOptions, SayHowCallsAreInlinedUnlessNoneAre) {
  CompilerSetup setup;
  const auto has = [&](const std::string& option) {
    const std::vector<std::string> options = CompilerOptions(setup);
    return std::ranges::find(options, option) != options.end();
  };
  EXPECT_FALSE(has("-Dyieldpoint.compiler.inline=none"));
  setup.inlining = "/tmp/weights";
  EXPECT_TRUE(has("-Dyieldpoint.compiler.inline=/tmp/weights"));
}

}  // namespace
}  // namespace yp
