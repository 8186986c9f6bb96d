#include "recorder/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <vector>

#include "base/clock.h"

namespace yp {
namespace {

constexpr int64_t kForeverNs = 3'600'000'000'000;

TEST(WorkerTest, SleepsAsLongAsItIsToldTo) {
  std::promise<std::chrono::nanoseconds> slept;
  Worker worker("sleeper", [&](Worker& self) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(self.SleepFor(30'000'000));
    slept.set_value(std::chrono::steady_clock::now() - begin);
  });
  ASSERT_TRUE(worker.Start().ok());
  EXPECT_GE(slept.get_future().get(), std::chrono::milliseconds(30));
}

TEST(WorkerTest, WakesEachTimeThatItIsWoken) {
  std::atomic<int> rounds{0};
  Worker worker("waker", [&](Worker& self) {
    while (self.SleepFor(kForeverNs)) {
      ++rounds;
      rounds.notify_all();
    }
  });
  ASSERT_TRUE(worker.Start().ok());
  for (int i = 0; i < 5; ++i) {
    worker.Wake();
    rounds.wait(i);
    EXPECT_EQ(rounds, i + 1);
  }
}

// Else what comes between a round's end and the sleep after it would wait for a whole interval.
TEST(WorkerTest, DoesNotSleepWhenItWasWokenBefore) {
  std::promise<void> woken, slept;
  Worker worker("early", [&](Worker& self) {
    woken.get_future().wait();
    EXPECT_TRUE(self.SleepFor(kForeverNs));
    slept.set_value();
  });
  ASSERT_TRUE(worker.Start().ok());
  worker.Wake();
  woken.set_value();
  slept.get_future().wait();
}

TEST(WorkerTest, EndsItsSleepWhenItIsStoppedAndCanBeStartedAgain) {
  std::atomic<int> ended{0};
  Worker worker("stopper", [&](Worker& self) {
    EXPECT_FALSE(self.SleepFor(kForeverNs));
    ++ended;
  });
  for (int i = 1; i <= 2; ++i) {
    ASSERT_TRUE(worker.Start().ok());
    worker.Stop();
    EXPECT_EQ(ended, i);
    worker.Stop();
  }
}

int64_t CpuNow() { return SystemClock().ProcessCpuNs(); }

// The CPU time that the process uses, on the test's thread, while a worker sleeps for `cpu_ns` of
// it.
int64_t UsedInSleepForCpu(int64_t cpu_ns) {
  std::promise<int64_t> used;
  Worker worker("sleeper", [&](Worker& self) {
    const int64_t begin_ns = CpuNow();
    EXPECT_TRUE(self.SleepForCpu(cpu_ns, kForeverNs));
    used.set_value(CpuNow() - begin_ns);
  });
  EXPECT_TRUE(worker.Start().ok());
  std::future<int64_t> result = used.get_future();
  while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
  }
  return result.get();
}

TEST(WorkerTest, SleepsUntilTheProcessHasUsedSoMuchCpuTime) {
  constexpr int64_t kCpuNs = 50'000'000;
  EXPECT_GE(UsedInSleepForCpu(kCpuNs), kCpuNs);
}

TEST(WorkerTest, SleepsForCpuTimeWithoutATimerToo) {
  std::vector<int> handled;
  struct sigaction ours {};
  ours.sa_handler = [](int) {};
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    if (sigaction(signal, &ours, nullptr) == 0) handled.push_back(signal);
  }
  constexpr int64_t kCpuNs = 50'000'000;
  EXPECT_GE(UsedInSleepForCpu(kCpuNs), kCpuNs);
  for (const int signal : handled) std::signal(signal, SIG_DFL);
}

TEST(WorkerTest, WhileNoCpuTimeIsUsedItSleepsAsLongAsItIsToldTo) {
  std::promise<std::chrono::nanoseconds> slept;
  Worker worker("sleeper", [&](Worker& self) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(self.SleepForCpu(kForeverNs, 30'000'000));
    slept.set_value(std::chrono::steady_clock::now() - begin);
  });
  ASSERT_TRUE(worker.Start().ok());
  EXPECT_GE(slept.get_future().get(), std::chrono::milliseconds(30));
}

TEST(WorkerTest, EndsItsSleepForCpuTimeWhenItIsWokenOrStopped) {
  std::promise<void> woken;
  Worker worker("sleeper", [&](Worker& self) {
    EXPECT_TRUE(self.SleepForCpu(kForeverNs, kForeverNs));
    woken.set_value();
    EXPECT_FALSE(self.SleepForCpu(kForeverNs, kForeverNs));
  });
  ASSERT_TRUE(worker.Start().ok());
  worker.Wake();
  woken.get_future().wait();
  worker.Stop();
}

TEST(WorkerTest, LeavesTheProgramsSignalsToTheProgramsThreads) {
  std::promise<sigset_t> blocked;
  Worker worker("deaf", [&](Worker&) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    blocked.set_value(mask);
  });
  ASSERT_TRUE(worker.Start().ok());
  sigset_t mask = blocked.get_future().get();
  EXPECT_EQ(sigismember(&mask, SIGTERM), 1);
  EXPECT_EQ(sigismember(&mask, SIGPROF), 1);
}

}  // namespace
}  // namespace yp
