// The kernel is replaced: what it can answer on other machines than this one.
#include "recorder/triggers/perf_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "recorder/triggers/perf_kernel_for_test.h"

namespace yp {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PerfEventsTest : public testing::Test {
 protected:
  std::string WhyNot(int error, int paranoia = 2) {
    kernel_.refusal = error;
    kernel_.paranoia = paranoia;
    const Status started = events_.Start();
    EXPECT_FALSE(started);
    EXPECT_THAT(kernel_.files, IsEmpty());
    return std::string(started.message());
  }

  FakePerfKernel kernel_;
  PerfEvents events_{PerfEvent{.name = "cycles", .type = 0, .config = 0, .period = 9'000'000},
                     kernel_};
};

TEST_F(PerfEventsTest, EveryThreadHasACounterOfItsOwn) {
  ASSERT_TRUE(events_.Start());
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11, 12));
  EXPECT_EQ(kernel_.opened.period, 9'000'000u);
  kernel_.this_thread = 13;
  events_.OnThreadStart();
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11, 12, 13));
  events_.OnThreadStart();
  EXPECT_EQ(kernel_.files.size(), 4u) << "one, however often it is told of";
  events_.OnThreadEnd();
  events_.OnThreadEnd();
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11, 12));
  events_.Stop();
  EXPECT_THAT(kernel_.files, IsEmpty());
}

TEST_F(PerfEventsTest, AThreadThatStartsAfterTheEndHasNone) {
  ASSERT_TRUE(events_.Start());
  events_.Stop();
  events_.OnThreadStart();
  EXPECT_THAT(kernel_.files, IsEmpty());
  ASSERT_TRUE(events_.Start());
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11, 12));
}

TEST_F(PerfEventsTest, AThreadThatHasEndedMeanwhileIsNoError) {
  kernel_.refusals[12] = ESRCH;
  ASSERT_TRUE(events_.Start());
  EXPECT_THAT(kernel_.Observed(), ElementsAre(10, 11));
}

TEST_F(PerfEventsTest, SaysWhatIsNotPermittedAndWhatToSet) {
  EXPECT_THAT(WhyNot(EACCES, 3), AllOf(HasSubstr("cycles"), HasSubstr("perf_event_paranoid is 3"),
                                       HasSubstr("set it to 2 or less")));
  EXPECT_THAT(WhyNot(EPERM, 2), AllOf(HasSubstr("container"), HasSubstr("CAP_PERFMON")));
}

TEST_F(PerfEventsTest, SaysThatThereIsNoSuchHardware) {
  for (const int error : {ENOENT, ENODEV, EOPNOTSUPP}) {
    EXPECT_THAT(WhyNot(error), HasSubstr("no performance monitor for it"));
  }
  EXPECT_THAT(WhyNot(EMFILE), HasSubstr("ulimit -n"));
  EXPECT_THAT(WhyNot(ENOSYS), HasSubstr("no perf_event_open"));
  EXPECT_THAT(WhyNot(EINVAL), HasSubstr("Invalid argument"));
}

TEST_F(PerfEventsTest, ACounterWhoseSignalsGoNowhereIsNone) {
  kernel_.send_error = EINVAL;
  EXPECT_FALSE(events_.Start());
  EXPECT_THAT(kernel_.files, IsEmpty());
}

}  // namespace
}  // namespace yp
