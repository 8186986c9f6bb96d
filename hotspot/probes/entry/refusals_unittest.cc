#include "hotspot/probes/entry/refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RefusalsTest, OnlyTheJdksThatWereTriedAreTakenUnlessForced) {
  for (int jdk = 8; jdk < 40; ++jdk) {
    EXPECT_EQ(CheckJdk(jdk, false).ok(), jdk == 11 || jdk == 17 || jdk == 25) << jdk;
    EXPECT_TRUE(CheckJdk(jdk, true).ok());
  }
  EXPECT_THAT(std::string(CheckJdk(26, false).message()), HasSubstr("JDK 26 (--force"));
}

TEST(RefusalsTest, AShadowStackIsRefused) {
  EXPECT_TRUE(CheckNoShadowStack("").ok());
  EXPECT_TRUE(CheckNoShadowStack("Name:\tjava\nx86_Thread_features:\t\nThreads: 4\n").ok());
  EXPECT_TRUE(CheckNoShadowStack("x86_Thread_features_locked:\tshstk\n").ok());
  EXPECT_FALSE(CheckNoShadowStack("Name:\tjava\nx86_Thread_features:\tshstk wrss\n").ok());
}

// What is reserved has no access; the rest of the process is no matter.
constexpr char kMaps[] =
    "7f00000000-7f00010000 rwxp 00000000 00:00 0 \n"
    "7f00010000-7f00020000 ---p 00000000 00:00 0 \n"
    "7f00020000-7f00030000 rwxp 00000000 00:00 0 \n"
    "7f00030000-7f00040000 r-xp 00000000 00:00 0    /lib/libc.so\n"
    "nonsense\n"
    "7f00050000-7f0006";

TEST(RefusalsTest, CodeThatCanBeWrittenIsTaken) {
  EXPECT_TRUE(CheckCodeMemory(kMaps, {0x7f00000000, 0x7f00030000}).ok());
  EXPECT_TRUE(CheckCodeMemory(kMaps, {0x7f0000fff8, 0x7f00010000}).ok());
}

TEST(RefusalsTest, CodeThatCannotBeWrittenIsRefusedWithOneLine) {
  for (const AddressRange& range :
       {AddressRange{0x7f00000000, 0x7f00030001}, AddressRange{0x7f00030000, 0x7f00040000},
        AddressRange{0x7f00010000, 0x7f00020000}, AddressRange{0x100, 0x200},
        AddressRange{0x7f00000000, 0x7f00000000}, AddressRange{0, 0}}) {
    const Status status = CheckCodeMemory(kMaps, range);
    EXPECT_FALSE(status.ok()) << range.low;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\n")));
  }
  EXPECT_THAT(std::string(CheckCodeMemory(kMaps, {0x7f00030000, 0x7f00040000}).message()),
              HasSubstr("r-x"));
  EXPECT_FALSE(CheckCodeMemory("", {0x7f00000000, 0x7f00010000}).ok());
}

TEST(RefusalsTest, AFileThatIsNotThereHasNoText) {
  EXPECT_EQ(ReadProcFile("/proc/self/nothing"), "");
  EXPECT_THAT(ReadProcFile("/proc/self/status"), HasSubstr("Name:"));
}

}  // namespace
}  // namespace yp::hotspot
