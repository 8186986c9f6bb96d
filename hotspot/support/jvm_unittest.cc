#include "hotspot/support/jvm.h"

#include <gtest/gtest.h>

#include <utility>

namespace yp::hotspot {
namespace {

TEST(JvmTest, TheUpdateIsTheThirdNumberOfTheVersion) {
  const std::pair<const char*, int> updates[] = {{"11.0.2+7-LTS", 2},
                                                 {"11.0.30+1", 30},
                                                 {"17.0.21.1+2-1-deb12u1-Debian", 21},
                                                 {"11+28", 0},
                                                 {"25", 0},
                                                 {"11.0", 0},
                                                 {"", 0},
                                                 {"x.y.3", 0}};
  for (const auto& [version, update] : updates) EXPECT_EQ(UpdateOf(version), update) << version;
}

TEST(JvmTest, OldUpdatesAreNotGivenOtherBytecodeOfRunningMethods) {
  EXPECT_FALSE(MayRewriteRunningMethods(11, 0));
  EXPECT_FALSE(MayRewriteRunningMethods(11, 3));
  EXPECT_TRUE(MayRewriteRunningMethods(11, 4));
  EXPECT_TRUE(MayRewriteRunningMethods(11, 30));
  EXPECT_FALSE(MayRewriteRunningMethods(12, 1));
  EXPECT_TRUE(MayRewriteRunningMethods(12, 2));
  EXPECT_TRUE(MayRewriteRunningMethods(17, 0));
}

}  // namespace
}  // namespace yp::hotspot
