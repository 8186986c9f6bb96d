#include "recorder/window_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WindowSenderTest : public ::testing::Test {
 protected:
  WindowSenderTest() { thread_.common.ring = std::make_unique<SampleRing>(); }

  // Leaves room for `slots` words.
  void Fill(size_t slots) {
    for (size_t i = 0; i < SampleRing::kSlots - slots; ++i) {
      ASSERT_TRUE(thread_.common.ring->PushSample(EdgeId{7}));
    }
  }
  WindowSender sender() { return WindowSender(thread_); }

  // The ticks of what begins and ends, negative for ends; samples of edge 7 are left out.
  std::vector<int64_t> Drained() {
    std::vector<int64_t> seen;
    thread_.common.ring->Drain(
        [&](const WindowBegin& begin) { seen.push_back(static_cast<int64_t>(begin.tick)); },
        [&](EdgeId edge, CompiledCallId) {
          if (edge != EdgeId{7}) seen.push_back(0);
        },
        [&](const WindowSummary& end) { seen.push_back(-static_cast<int64_t>(end.tick)); });
    return seen;
  }

  SampledThread thread_{ThreadId{0}, 1};
};

TEST_F(WindowSenderTest, SamplesStandBetweenTheirWindowsBeginningAndEnd) {
  sender().Begin(WindowBegin{.tick = 1});
  EXPECT_TRUE(sender().Sample(EdgeId{1}));
  EXPECT_TRUE(sender().End(WindowSummary{.tick = 1}));
  EXPECT_THAT(Drained(), ElementsAre(1, 0, -1));
}

TEST_F(WindowSenderTest, WithoutRoomForABeginningNoSampleOfItsWindowIsSent) {
  Fill(2);
  sender().Begin(WindowBegin{.tick = 1});
  EXPECT_FALSE(sender().Sample(EdgeId{1})) << "there is room for the sample alone";
  EXPECT_FALSE(sender().End(WindowSummary{.tick = 1}));
  EXPECT_THAT(Drained(), IsEmpty());
  EXPECT_TRUE(sender().Sample(EdgeId{1})) << "of the next window, whose beginning was not told";
}

TEST_F(WindowSenderTest, AnEndThatFindsNoRoomGoesBeforeAllElse) {
  sender().Begin(WindowBegin{.tick = 1});
  EXPECT_TRUE(sender().Sample(EdgeId{1}));
  Fill(3 + 1 + 7);
  EXPECT_TRUE(sender().End(WindowSummary{.tick = 1})) << "it waits";
  sender().Begin(WindowBegin{.tick = 2});
  EXPECT_FALSE(sender().Sample(EdgeId{1}));
  EXPECT_THAT(Drained(), ElementsAre(1, 0));
  EXPECT_TRUE(sender().Sample(EdgeId{1}));
  EXPECT_THAT(Drained(), ElementsAre(-1, 2, 0));
}

TEST_F(WindowSenderTest, AWindowThatEndsBehindAnEndThatWaitsIsDropped) {
  Fill(7);
  EXPECT_TRUE(sender().End(WindowSummary{.tick = 1}));
  EXPECT_FALSE(sender().End(WindowSummary{.tick = 2}));
  EXPECT_THAT(Drained(), IsEmpty());
  EXPECT_TRUE(sender().End(std::nullopt));
  EXPECT_THAT(Drained(), ElementsAre(-1));
}

}  // namespace
}  // namespace yp
