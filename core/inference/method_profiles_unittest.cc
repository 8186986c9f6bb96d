#include "core/inference/method_profiles.h"

#include <gtest/gtest.h>

#include "core/inference/contexts_for_test.h"

namespace yp {
namespace {

TEST(MethodProfilesTest, ReceiverClassesOfOneCalleeAddUp) {
  const SiteProfile site{7, 100, {{kA, 50}, {kB, 20}, {kA, 30}}};
  EXPECT_EQ(site.CallsOf(kA), 80);
  EXPECT_EQ(site.CallsOf(kB), 20);
  EXPECT_EQ(site.CallsOf(MethodId{3}), 0);
  EXPECT_EQ(site.UnrecordedCalls(), 0);
}

TEST(MethodProfilesTest, SitesThatWereNeverReachedAreNotThere) {
  const MethodProfile profile{10, {{3, 5, {}}, {6, 0, {}}}};
  ASSERT_NE(profile.Site(3), nullptr);
  EXPECT_EQ(profile.Site(3)->calls, 5);
  EXPECT_EQ(profile.Site(6), nullptr);
  EXPECT_EQ(profile.Site(9), nullptr);
}

TEST(MethodProfilesTest, AnEmptyProfileIsNone) {
  MethodProfiles profiles;
  profiles.Add(kA, {0, {{3, 0, {}}}});
  profiles.Add(kB, {0, {{3, 1, {}}}});
  EXPECT_EQ(profiles.Find(kA), nullptr);
  EXPECT_NE(profiles.Find(kB), nullptr);
  EXPECT_EQ(profiles.Find(MethodId{3}), nullptr);
}

TEST(MethodProfilesTest, ALaterProfileOfAMethodReplacesTheEarlier) {
  MethodProfiles profiles;
  profiles.Add(kA, {10, {}});
  profiles.Add(kA, {20, {}});
  EXPECT_EQ(profiles.Find(kA)->invocations, 20);
}

}  // namespace
}  // namespace yp
