#include "hotspot/threads/program_activity.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <semaphore>
#include <thread>
#include <utility>

namespace yp::hotspot {
namespace {

constexpr int64_t kMs = 1'000'000;

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
    const int64_t now_ns = activity_.CpuNs();
    return now_ns - std::exchange(told_ns_, now_ns);
  }

  ListingClock clock_;
  ProgramActivity activity_{clock_};
  int64_t told_ns_ = activity_.CpuNs();
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

}  // namespace
}  // namespace yp::hotspot
