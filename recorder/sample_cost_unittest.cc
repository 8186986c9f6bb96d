#include "recorder/sample_cost.h"

#include <gtest/gtest.h>

namespace yp {
namespace {

class FakeClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns; }
  int64_t ThreadCpuNs() override { return cpu_ns; }
  int64_t ProcessCpuNs() override { return 0; }
  int64_t now_ns = 5'000'000, cpu_ns = 700'000;
};

TEST(SampleCostTest, AShortSampleTakesTheTimeOfTheClockButForWaits) {
  FakeClock clock;
  const SampleCost cost(clock);
  clock.now_ns += 650;
  EXPECT_EQ(cost.Ns(), 650);
  clock.now_ns += 4'000'000;
  EXPECT_EQ(cost.Ns(), SampleCost::kMaxShortNs);
}

TEST(SampleCostTest, ALongSampleTakesItsCpuTimeHoweverLongItIs) {
  FakeClock clock;
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
