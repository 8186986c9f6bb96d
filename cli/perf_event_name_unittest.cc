#include "cli/perf_event_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <string>

namespace yp {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(FindPerfEventTest, KnowsTheKernelsEvents) {
  const auto code = [](const char* name) { return *FindPerfEvent(name); };
  EXPECT_EQ(code("cycles"), (PerfEventCode{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}));
  EXPECT_EQ(code("instructions"), (PerfEventCode{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}));
  EXPECT_EQ(code("branch-misses"),
            (PerfEventCode{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}));
  EXPECT_EQ(code("cache-misses"), (PerfEventCode{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}));
  EXPECT_EQ(code("page-faults"), (PerfEventCode{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}));
  EXPECT_EQ(code("cpu-clock"), (PerfEventCode{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK}));
  EXPECT_TRUE(code("cpu-clock").IsClock());
  EXPECT_FALSE(code("page-faults").IsClock());
  EXPECT_FALSE(code("cycles").IsClock());
}

TEST(FindPerfEventTest, SaysWhichNamesThereAre) {
  const Result<PerfEventCode> none = FindPerfEvent("calls-per-second");
  ASSERT_FALSE(none);
  EXPECT_THAT(std::string(none.message()),
              AllOf(HasSubstr("--event calls-per-second"), HasSubstr("branch-misses")));
}

}  // namespace
}  // namespace yp
