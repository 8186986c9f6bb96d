#include "recorder/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>

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
