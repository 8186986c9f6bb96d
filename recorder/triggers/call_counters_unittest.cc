#include "recorder/triggers/call_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>

#include "recorder/triggers/perf_kernel_for_test.h"

namespace yp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CallCountersTest : public testing::Test {
 protected:
  std::unique_ptr<CallCounter> CounterOf(pid_t thread) {
    kernel_.this_thread = thread;
    return counters_.OfThisThread();
  }

  FakePerfKernel kernel_;
  CallCounters counters_{PerfEvent{.name = "calls", .type = 4, .config = 0x2c4}, kernel_};
};

TEST_F(CallCountersTest, EachThreadReadsItsOwn) {
  const auto first = CounterOf(10);
  const auto second = CounterOf(11);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_EQ(kernel_.opened.config, 0x2c4u);
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11));
  kernel_.counts = {{3, 500}, {4, 7}};
  EXPECT_EQ(first->Read(), 500u);
  EXPECT_EQ(second->Read(), 7u);
}

TEST_F(CallCountersTest, ACounterGoesWithItsThread) {
  auto first = CounterOf(10);
  const auto second = CounterOf(11);
  first.reset();
  EXPECT_THAT(kernel_.Observed(), ElementsAre(11));
}

TEST_F(CallCountersTest, AfterTheEndNothingCountsAndReadingIsStillSafe) {
  auto counter = CounterOf(10);
  kernel_.counts[3] = 12;
  counters_.Stop();
  EXPECT_THAT(kernel_.Observed(), IsEmpty());
  EXPECT_EQ(counter->Read(), 12u);
  EXPECT_EQ(CounterOf(11), nullptr);
  counter.reset();
  EXPECT_THAT(kernel_.files, IsEmpty());
}

TEST_F(CallCountersTest, WhatCannotBeReadIsNotKnown) {
  const auto counter = CounterOf(10);
  kernel_.read_error = EAGAIN;
  EXPECT_EQ(counter->Read(), 0u);
}

TEST_F(CallCountersTest, CheckLeavesNothingOpen) {
  EXPECT_TRUE(counters_.Check());
  EXPECT_THAT(kernel_.files, IsEmpty());
}

TEST_F(CallCountersTest, AMachineWithoutIsToldOf) {
  kernel_.refusal = ENOENT;
  const Status there = counters_.Check();
  ASSERT_FALSE(there);
  EXPECT_THAT(std::string(there.message()), HasSubstr("no performance monitor"));
  EXPECT_EQ(CounterOf(10), nullptr);
}

// The real kernel counts everywhere what its clock says.
TEST(RealCallCountersTest, CountsOnlyFromItsStartOnAndNotAfterTheEnd) {
  CallCounters counters(PerfEvent{.name = "task-clock", .type = 1, .config = 1});
  if (const Status there = counters.Check(); !there) GTEST_SKIP() << there.message();
  const std::unique_ptr<CallCounter> counter = counters.OfThisThread();
  ASSERT_NE(counter, nullptr);
  const auto work = [] {
    volatile double sum = 0;
    for (int i = 0; i < 3'000'000; ++i) sum = sum + i;
  };
  const uint64_t before = counter->Read();
  work();
  const uint64_t behind = counter->Read();
  EXPECT_GT(behind, before + 500'000) << "ns for some millions of additions";
  EXPECT_LT(behind, uint64_t{10'000'000'000});
  counters.Stop();
  const uint64_t at_end = counter->Read();
  work();
  EXPECT_EQ(counter->Read(), at_end);
}

}  // namespace
}  // namespace yp
