#include "format/profile/thread_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace yp {
namespace {

constexpr ThreadId kFirstOfPool{1}, kSecondOfPool{2}, kMain{3}, kYoung{4};

// Two threads of a pool, one that computes, one that was not followed, and one (kernel id 50) of
// which no call was sampled.
Profile WithThreads() {
  Profile profile;
  profile.threads = {{kFirstOfPool, "pool-1-thread-9", 10},
                     {kSecondOfPool, "pool-2-thread-10", 20},
                     {kMain, "main", 30},
                     {kYoung, "pool-2-thread-11", 40}};
  profile.thread_cpu_ns = {{10, 100}, {20, 200}, {30, 400}, {50, 60}};
  return profile;
}

TEST(ThreadGroupsTest, NamesThatDifferInNumbersAreOneGroup) {
  const Profile profile = WithThreads();
  const ThreadGroups groups(profile, 1000);
  const spool::Tick tick{.open_cpu_ns = 50, .thread_cpu_ns = {{10, 7}, {20, 8}, {30, 9}, {50, 3}}};
  const size_t pool = groups.Of(tick, kFirstOfPool), main = groups.Of(tick, kMain);
  EXPECT_EQ(groups.Of(tick, kSecondOfPool), pool);
  EXPECT_NE(main, pool);
  EXPECT_EQ(groups.ProgramCpuNs(pool), 300);
  EXPECT_EQ(groups.ProgramCpuNs(main), 400);
  const std::vector<double> in_tick = groups.CpuNsIn(tick);
  EXPECT_EQ(in_tick[pool], 15);
  EXPECT_EQ(in_tick[main], 9);
  // All that is left: of threads that nobody followed.
  const size_t rest = groups.Of(tick, kYoung);
  EXPECT_EQ(groups.ProgramCpuNs(rest), 1000 - 100 - 200 - 400 - 60);
  EXPECT_EQ(in_tick[rest], 50 - 7 - 8 - 9 - 3);
  double all = 0;
  for (size_t group = 0; group < groups.size(); ++group) all += groups.ProgramCpuNs(group);
  EXPECT_EQ(all, 1000);
}

TEST(ThreadGroupsTest, AThreadBelongsToTheRestInTicksThatDidNotFollowIt) {
  const Profile profile = WithThreads();
  const ThreadGroups groups(profile, 1000);
  const spool::Tick tick{.open_cpu_ns = 50, .thread_cpu_ns = {{10, 7}}};
  EXPECT_EQ(groups.Of(tick, kMain), groups.Of(tick, kYoung));
  EXPECT_NE(groups.Of(tick, kFirstOfPool), groups.Of(tick, kYoung));
}

TEST(ThreadGroupsTest, ClocksThatContradictEachOtherTakeNothingFromNobody) {
  const Profile profile = WithThreads();
  const ThreadGroups groups(profile, 250);  // Less than the threads' own say.
  for (size_t group = 0; group < groups.size(); ++group) EXPECT_GE(groups.ProgramCpuNs(group), 0);
  const spool::Tick tick{.open_cpu_ns = 5, .thread_cpu_ns = {{10, 7}}};
  EXPECT_EQ(groups.CpuNsIn(tick)[groups.Of(tick, kYoung)], 0);
}

TEST(ThreadGroupsTest, WithoutThreadsAllAreOneGroup) {
  const Profile profile;
  const ThreadGroups groups(profile, 1000);
  const spool::Tick tick{.open_cpu_ns = 50};
  EXPECT_EQ(groups.ProgramCpuNs(groups.Of(tick, kMain)), 1000);
  EXPECT_EQ(groups.CpuNsIn(tick)[groups.Of(tick, kMain)], 50);
}

}  // namespace
}  // namespace yp
