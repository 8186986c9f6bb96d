#include "hotspot/probes/patch/listeners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr ThreadId kThread{9};

TEST(ListenersTest, OneTakesItselfOutAfterItsNumberOfCalls) {
  Listeners listeners(10, 3);
  EXPECT_TRUE(listeners.Record(4, EdgeId{7}, 1000, 10));
  EXPECT_TRUE(listeners.Record(4, EdgeId{5}, 1100, 10));
  EXPECT_FALSE(listeners.Record(4, EdgeId{7}, 1500, 10));
  EXPECT_FALSE(listeners.Record(4, EdgeId{6}, 1600, 10)) << "a call that was already under way";
  const std::vector<spool::Window> windows = listeners.Windows(900, 11000, kThread);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].thread, kThread);
  EXPECT_EQ(windows[0].start_ns, 100);
  EXPECT_EQ(windows[0].calls, 3u);
  EXPECT_EQ(windows[0].duration_ns, 500 - 3 * 10);
  EXPECT_EQ(windows[0].interval_ns, 10000);
  EXPECT_THAT(windows[0].samples, ElementsAre(Pair(EdgeId{5}, 1u), Pair(EdgeId{7}, 2u)));
}

TEST(ListenersTest, OneThatStillListensHasHeardAllThatThereWas) {
  Listeners listeners(10, 100);
  listeners.Record(0, EdgeId{1}, 1000, 10);
  listeners.Record(0, EdgeId{1}, 2000, 10);
  const std::vector<spool::Window> windows = listeners.Windows(0, 5000, kThread);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].calls, 2u);
  EXPECT_EQ(windows[0].duration_ns, windows[0].interval_ns);
}

TEST(ListenersTest, WhatAListenerTookIsNoMoreThanAllThatThereWas) {
  Listeners listeners(10, 2);
  listeners.Record(0, EdgeId{1}, 1000, 5000);
  listeners.Record(0, EdgeId{1}, 2000, 5000);
  EXPECT_EQ(listeners.Windows(0, 3000, kThread)[0].duration_ns, 2);
}

TEST(ListenersTest, WhatWasNotCalledSaysNothingAndWhatIsNoneIsNotKept) {
  Listeners listeners(10, 100);
  EXPECT_FALSE(listeners.Record(10, EdgeId{1}, 1000, 10));
  EXPECT_THAT(listeners.Windows(0, 5000, kThread), IsEmpty());
}

TEST(ListenersTest, ThreadsRecordAtOnceAndNoCallIsLost) {
  constexpr uint32_t kSamples = 20'000;
  Listeners listeners(2, kSamples);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < kSamples / 4 - 1; ++i) listeners.Record(1, EdgeId{t}, 1000 + i, 10);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<spool::Window> windows = listeners.Windows(0, 100'000, kThread);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].calls, kSamples - 4);
  for (const auto& [edge, calls] : windows[0].samples) EXPECT_EQ(calls, kSamples / 4 - 1);
}

}  // namespace
}  // namespace yp::hotspot
