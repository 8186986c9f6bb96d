#include "recorder/sample_cost.h"

#include <gtest/gtest.h>

#include "recorder/fake_clock_for_test.h"

namespace yp {
namespace {

TEST(SampleCostTest, AShortSampleTakesTheTimeOfTheClockButForWaits) {
  FakeClock clock(5'000'000, 700'000);
  const SampleCost cost(clock);
  clock.now_ns += 650;
  EXPECT_EQ(cost.Ns(), 650);
  clock.now_ns += 4'000'000;
  EXPECT_EQ(cost.Ns(), SampleCost::kMaxShortNs);
}

TEST(SampleCostTest, ALongSampleTakesItsCpuTimeHoweverLongItIs) {
  FakeClock clock(5'000'000, 700'000);
  SampleCost cost(clock);
  clock.now_ns += 100;
  cost.BecomesLong();
  clock.now_ns += 9'000'000;  // Most of it waiting.
  clock.cpu_ns += 85'000;
  EXPECT_EQ(cost.Ns(), 85'000);
  cost.BecomesLong();  // It is already.
  clock.cpu_ns += 5'000;
  EXPECT_EQ(cost.Ns(), 90'000);
}

}  // namespace
}  // namespace yp
