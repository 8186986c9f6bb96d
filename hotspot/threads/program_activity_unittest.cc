#include "hotspot/threads/program_activity.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <semaphore>
#include <thread>
#include <utility>

#include "base/time_test_util.h"

namespace yp::hotspot {
namespace {

// The test says when threads are listed; what they use is the kernel's to say.
class ListingClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns; }
  int64_t ThreadCpuNs() override { return clock_.ThreadCpuNs(); }
  int64_t ProcessCpuNs() override { return clock_.ProcessCpuNs(); }
  int64_t now_ns = 1;

 private:
  SystemClock clock_;
};

void Burn(int64_t cpu_ns) {
  SystemClock clock;
  const int64_t end_ns = clock.ThreadCpuNs() + cpu_ns;
  while (clock.ThreadCpuNs() < end_ns) {
  }
}

// A thread of that name, which uses CPU time when it is asked to, and else waits.
class NamedThread {
 public:
  explicit NamedThread(const char* name)
      : thread_([this, name] {
          pthread_setname_np(pthread_self(), name);
          done_.release();
          for (asked_.acquire(); cpu_ns_ > 0; asked_.acquire()) {
            Burn(cpu_ns_);
            done_.release();
          }
        }) {
    done_.acquire();
  }
  ~NamedThread() {
    cpu_ns_ = 0;
    asked_.release();
    thread_.join();
  }
  NamedThread(const NamedThread&) = delete;
  NamedThread& operator=(const NamedThread&) = delete;

  void Use(int64_t cpu_ns) {
    cpu_ns_ = cpu_ns;
    asked_.release();
    done_.acquire();
  }

 private:
  std::binary_semaphore asked_{0}, done_{0};
  int64_t cpu_ns_ = 0;
  std::thread thread_;
};

class ProgramActivityTest : public ::testing::Test {
 protected:
  // As long as to the next listing of a process with few threads, or a little longer.
  void PassTime() { clock_.now_ns += 500 * kMs; }
  // What the activity has grown by since the last time.
  int64_t Grown() {
    activity_.ListIfDue();
    const int64_t now_ns = activity_.CpuNs();
    return now_ns - std::exchange(told_ns_, now_ns);
  }

  ListingClock clock_;
  ProgramActivity activity_{clock_};
  int64_t told_ns_ = (activity_.ListIfDue(), activity_.CpuNs());
};

TEST_F(ProgramActivityTest, TheProgramsOwnThreadsCountFromTheirStart) {
  NamedThread worker("worker-1");
  worker.Use(30 * kMs);
  EXPECT_GE(Grown(), 30 * kMs);
  for (int listing = 0; listing < 3; ++listing) {
    PassTime();
    worker.Use(30 * kMs);
    EXPECT_GE(Grown(), 30 * kMs) << listing;
  }
}

TEST_F(ProgramActivityTest, ACompilersTimeIsTakenOffWhenItIsKnown) {
  NamedThread compiler("C2 CompilerThre");
  compiler.Use(50 * kMs);
  const int64_t unknown_ns = Grown();
  EXPECT_GE(unknown_ns, 50 * kMs) << "nobody has looked at its name";
  // In the second listing that has it; what was told before is not taken back.
  for (int listing = 0; listing < 2; ++listing) {
    PassTime();
    EXPECT_GE(Grown(), 0);
  }
  for (int i = 0; i < 4; ++i) {
    compiler.Use(50 * kMs);
    EXPECT_LT(Grown(), 40 * kMs) << "of 50 ms that it has used";
  }
}

TEST_F(ProgramActivityTest, WhatAThreadOfTheVmHasUsedStaysTakenOffWhenItHasEnded) {
  {
    NamedThread collector("GC Thread#7");
    for (int listing = 0; listing < 2; ++listing) {
      PassTime();
      Grown();
    }
    collector.Use(100 * kMs);
    PassTime();
    Grown();
  }
  PassTime();
  EXPECT_LT(Grown(), 80 * kMs) << "its 100 ms do not come back";
}

int64_t Sum(const CpuByThread& threads) {
  int64_t sum = 0;
  for (const auto& [id, cpu_ns] : threads) sum += cpu_ns;
  return sum;
}

TEST_F(ProgramActivityTest, ThreadsThatHaveWorkAreFollowed) {
  NamedThread busy("pool-1-thread-1"), idle("pool-1-thread-2"), compiler("C2 CompilerThre");
  // Who was looked at twice may be followed from the listing on that finds it at work.
  for (int listing = 0; listing < 3; ++listing) {
    PassTime();
    busy.Use(20 * kMs);
    compiler.Use(20 * kMs);
    activity_.ListIfDue();
  }
  activity_.FollowedCpuNs();
  activity_.TakeFollowedCpuNs();
  const CpuByThread before = activity_.FollowedCpuNs();
  busy.Use(30 * kMs);
  idle.Use(30 * kMs);
  compiler.Use(30 * kMs);
  const CpuByThread after = activity_.FollowedCpuNs();
  ASSERT_EQ(before.size(), after.size());
  EXPECT_GE(Sum(after) - Sum(before), 30 * kMs);
  EXPECT_LT(Sum(after) - Sum(before), 45 * kMs) << "of 30 that one has used that is followed";
  const int64_t told_ns = Sum(activity_.TakeFollowedCpuNs());
  EXPECT_GE(told_ns, Sum(after) - Sum(before));
  EXPECT_EQ(Sum(activity_.TakeFollowedCpuNs()), 0) << "told once";
}

TEST_F(ProgramActivityTest, WhatAThreadHasUsedUntilItsEndIsTold) {
  std::binary_semaphore is_known{0}, may_end{0};
  pid_t id = 0;
  int64_t cpu_ns = 0;
  std::thread thread([&] {
    pthread_setname_np(pthread_self(), "worker-1");
    id = gettid();
    for (int listing = 0; listing < 3; ++listing) {
      Burn(20 * kMs);
      is_known.release();
      may_end.acquire();
    }
    Burn(40 * kMs);
    cpu_ns = SystemClock().ThreadCpuNs();
  });
  for (int listing = 0; listing < 3; ++listing) {
    is_known.acquire();
    PassTime();
    activity_.ListIfDue();
    if (listing == 2) activity_.TakeFollowedCpuNs();
    may_end.release();
  }
  thread.join();
  activity_.OnEnded(id, cpu_ns);
  CpuByThread told = activity_.TakeFollowedCpuNs();
  std::erase_if(told, [id](const auto& used) { return used.first != id; });
  EXPECT_GE(Sum(told), 40 * kMs);
  EXPECT_LE(Sum(told), cpu_ns);
}

}  // namespace
}  // namespace yp::hotspot
