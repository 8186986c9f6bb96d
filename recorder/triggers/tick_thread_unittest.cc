#include "recorder/triggers/tick_thread.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace yp {
namespace {

constexpr int64_t kHourNs = 3'600'000'000'000;

TEST(TickThreadTest, LooksAreNoTicksAndTheLastWaitEndsWithTheThread) {
  const std::vector<TickPace> paces = {{.closed_ns = 1, .open = {.ns = 0}},
                                       {.closed_ns = 1, .open = {.ns = 0}},
                                       {.closed_ns = 1, .open = {.ns = 1}},
                                       {.closed_ns = 0, .open = {.ns = 1}},
                                       {.closed_ns = 1, .open = {.ns = 0}},
                                       {.closed_ns = 1, .settle = {.ns = 1}, .open = {.ns = 1}},
                                       {.closed_ns = kHourNs, .open = {.ns = 0}}};
  std::string calls;
  size_t next = 0;
  std::promise<void> waits;
  TickThread thread(
      std::make_unique<Nanosleep>(),
      [&] {
        if (next + 1 == paces.size()) waits.set_value();
        return paces.at(next++);
      },
      [&] { calls += "begin "; }, [&] { calls += "count "; }, [&] { calls += "on "; },
      [&] { calls += "end "; });
  ASSERT_TRUE(thread.Start());
  waits.get_future().wait();
  thread.Stop();
  EXPECT_EQ(next, paces.size());
  EXPECT_EQ(calls, "begin count on end begin count end ");
}

// Stops the thread as soon as a tick has begun, or counts.
std::string CallsUntilStopped(const TickPace& pace) {
  std::string calls;
  std::promise<void> is_open;
  TickThread thread(
      std::make_unique<Nanosleep>(), [&] { return pace; },
      [&] {
        calls += "begin ";
        if (pace.settle.ns == kHourNs) is_open.set_value();
      },
      [&] {
        calls += "count ";
        is_open.set_value();
      },
      [&] { calls += "on "; }, [&] { calls += "end "; });
  EXPECT_TRUE(thread.Start());
  is_open.get_future().wait();
  thread.Stop();
  return calls;
}

TEST(TickThreadTest, ATickThatIsOpenIsEndedWithTheThread) {
  EXPECT_EQ(CallsUntilStopped({.closed_ns = 1, .open = {.ns = kHourNs}}), "begin count end ");
  EXPECT_EQ(CallsUntilStopped({.closed_ns = 1, .settle = {.ns = 1}, .open = {.ns = kHourNs}}),
            "begin count end ");
}

TEST(TickThreadTest, ATickThatHasNotSettledEndsWithoutCounting) {
  EXPECT_EQ(CallsUntilStopped({.closed_ns = 1, .settle = {.ns = kHourNs}, .open = {.ns = 1}}),
            "begin end ");
}

}  // namespace
}  // namespace yp
