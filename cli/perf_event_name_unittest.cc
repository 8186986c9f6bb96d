#include "cli/perf_event_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

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
              AllOf(HasSubstr("calls-per-second: "), HasSubstr("branch-misses")));
}

// libpfm4 asks for the processor once in a process: here in one of its own.
[[noreturn]] void ExitWithCallEventOf(const char* processor) {
  setenv("LIBPFM_FORCE_PMU", processor, 1);
  const std::optional<NamedPerfEvent> event = FindCallEvent();
  if (event) std::fprintf(stderr, "%s %lx", event->name.c_str(), event->code.config);
  std::exit(event && event->code.type == PERF_TYPE_RAW ? 0 : 1);
}

TEST(FindCallEventDeathTest, KnowsProcessors) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ExitWithCallEventOf("skx"), testing::ExitedWithCode(0),
              "BR_INST_RETIRED:NEAR_CALL 2c4");
  EXPECT_EXIT(ExitWithCallEventOf("amd64_fam19h_zen4"), testing::ExitedWithCode(0),
              "RETIRED_NEAR_RETURNS c8");
  EXPECT_EXIT(ExitWithCallEventOf("core"), testing::ExitedWithCode(1), "") << "knows no such event";
}

}  // namespace
}  // namespace yp
