#include "hotspot/profiles/profile_pace.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/time_test_util.h"

namespace yp::hotspot {
namespace {

TEST(ProfilePaceTest, WithoutABudgetTheTimesOfReadingsGrowFourfold) {
  ProfilePace pace(0);
  EXPECT_FALSE(pace.IsDue(4 * kSecond, 0, 1'000'000));
  EXPECT_TRUE(pace.IsDue(5 * kSecond, 0, 1'000'000));
  pace.WereRead(6 * kSecond, kSecond);
  EXPECT_FALSE(pace.IsDue(23 * kSecond, 0, 1));
  EXPECT_TRUE(pace.IsDue(24 * kSecond, 0, 1));
}

TEST(ProfilePaceTest, ATenthOfTheBudgetPaysForAllReadings) {
  ProfilePace pace(0.01);  // A thousandth of the program's CPU time for them.
  constexpr int64_t kReadingNs = 17'400'000;
  EXPECT_FALSE(pace.IsDue(17 * kSecond, 17 * kSecond, kReadingNs));
  EXPECT_FALSE(pace.IsDue(19 * kSecond, 17 * kSecond, kReadingNs)) << "CPU time counts";
  EXPECT_TRUE(pace.IsDue(19 * kSecond, 18 * kSecond, kReadingNs));
  pace.WereRead(19 * kSecond, 50 * kMs);
  EXPECT_FALSE(pace.IsDue(76 * kSecond, 67 * kSecond, kReadingNs));
  EXPECT_TRUE(pace.IsDue(76 * kSecond, 68 * kSecond, kReadingNs));
  EXPECT_FALSE(pace.IsDue(75 * kSecond, 68 * kSecond, kReadingNs));
}

TEST(ProfilePaceTest, WhatAReadingTakesGrowsWithTheCompilations) {
  constexpr int64_t kAny = ProfilePace::kReadingNs;
  EXPECT_EQ(ProfilePace::ReadingNs(2000, 3), kAny + 2000 * ProfilePace::kCompilationNs);
  EXPECT_EQ(ProfilePace::ReadingNs(2000, 3000), ProfilePace::ReadingNs(2000, 3));
  EXPECT_EQ(ProfilePace::ReadingNs(0, 3), kAny + 3 * ProfilePace::kMethodNs) << "none is known";
}

}  // namespace
}  // namespace yp::hotspot
