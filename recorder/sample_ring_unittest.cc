#include "recorder/sample_ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kWindowSlots = 8;

WindowSummary Summary(uint64_t n) {
  const auto ns = static_cast<int64_t>(n);
  return {n, ns + 1, -ns, ns + 3, ns + 4, n + 5, n + 6};
}

std::string Text(const WindowSummary& s) {
  std::string text = "window";
  for (const uint64_t word :
       {s.tick, static_cast<uint64_t>(s.start_ns), static_cast<uint64_t>(s.latency_ns),
        static_cast<uint64_t>(s.duration_ns), static_cast<uint64_t>(s.interval_ns), s.calls,
        s.near_calls}) {
    text += " " + std::to_string(word);
  }
  return text;
}

std::vector<std::string> Drained(SampleRing& ring) {
  std::vector<std::string> all;
  ring.Drain(
      [&](const WindowBegin& begin) {
        all.push_back("begin " + std::to_string(begin.tick) + " " + std::to_string(begin.start_ns));
      },
      [&](EdgeId edge, CompiledCallId) { all.push_back(std::to_string(ToIndex(edge))); },
      [&](const WindowSummary& summary) { all.push_back(Text(summary)); });
  return all;
}

TEST(SampleRingTest, GivesEverythingBackOnceAndInOrder) {
  const auto ring = std::make_unique<SampleRing>();
  EXPECT_TRUE(ring->PushWindowBegin({.tick = 8, .start_ns = -3}));
  EXPECT_TRUE(ring->PushSample(EdgeId{0}));
  EXPECT_TRUE(ring->PushWindowEnd(Summary(9)));
  // The largest edge id is not taken for a window's end.
  EXPECT_TRUE(ring->PushSample(EdgeId{0xffffffff}));
  EXPECT_THAT(Drained(*ring), ElementsAre("begin 8 -3", "0", Text(Summary(9)), "4294967295"));
  EXPECT_THAT(Drained(*ring), IsEmpty());
}

TEST(SampleRingTest, ASampleHasItsCompiledCall) {
  const auto ring = std::make_unique<SampleRing>();
  EXPECT_TRUE(ring->PushSample(EdgeId{5}, CompiledCallId{7}));
  EXPECT_TRUE(ring->PushSample(EdgeId{6}));
  EXPECT_TRUE(ring->PushSample(EdgeId{0xffffffff}, CompiledCallId{0xfffffffe}));
  std::vector<std::pair<EdgeId, CompiledCallId>> samples;
  ring->Drain([](const WindowBegin&) { ADD_FAILURE() << "no window has begun"; },
              [&](EdgeId edge, CompiledCallId call) { samples.emplace_back(edge, call); },
              [](const WindowSummary&) { ADD_FAILURE() << "no window has ended"; });
  EXPECT_THAT(samples, ElementsAre(std::pair(EdgeId{5}, CompiledCallId{7}),
                                   std::pair(EdgeId{6}, kNoCompiledCall),
                                   std::pair(EdgeId{0xffffffff}, CompiledCallId{0xfffffffe})));
}

TEST(SampleRingTest, AWindowsEndWithoutRoomLeavesTheRingAsItWas) {
  const auto ring = std::make_unique<SampleRing>();
  for (size_t i = 0; i < SampleRing::kSlots - kWindowSlots + 1; ++i) {
    ASSERT_TRUE(ring->PushSample(EdgeId{static_cast<uint32_t>(i)}));
  }
  EXPECT_FALSE(ring->PushWindowEnd(Summary(1)));
  // Samples still fit, to the last slot.
  for (size_t i = 0; i < kWindowSlots - 1; ++i) ASSERT_TRUE(ring->PushSample(EdgeId{1}));
  EXPECT_FALSE(ring->PushSample(EdgeId{1}));
  EXPECT_EQ(Drained(*ring).size(), SampleRing::kSlots);
  EXPECT_TRUE(ring->PushWindowEnd(Summary(2)));
  EXPECT_THAT(Drained(*ring), ElementsAre(Text(Summary(2))));
}

TEST(SampleRingTest, TellsOnceThatItHasBecomeHalfFull) {
  const auto ring = std::make_unique<SampleRing>();
  for (int turn = 0; turn < 2; ++turn) {
    for (size_t i = 0; i < SampleRing::kSlots; ++i) {
      ASSERT_TRUE(ring->PushSample(EdgeId{1}));
      ASSERT_EQ(ring->HasBecomeHalfFull(), i + 1 == SampleRing::kSlots / 2) << i;
    }
    EXPECT_EQ(Drained(*ring).size(), SampleRing::kSlots);
    EXPECT_FALSE(ring->HasBecomeHalfFull());
  }
}

TEST(SampleRingTest, KeepsToTheModelOfABoundedQueueThroughManyTurns) {
  const auto ring = std::make_unique<SampleRing>();
  std::deque<std::string> model;
  size_t used = 0, refused = 0;
  Xoshiro256 random(5);
  for (uint32_t i = 0; i < 200'000; ++i) {
    const uint64_t what = random.UniformFromOneTo(3000);
    if (what == 1) {
      for (const std::string& entry : Drained(*ring)) {
        ASSERT_FALSE(model.empty());
        ASSERT_EQ(entry, model.front());
        model.pop_front();
      }
      ASSERT_TRUE(model.empty());
      used = 0;
      continue;
    }
    const bool is_window = what % 5 == 0;
    const size_t slots = is_window ? kWindowSlots : 1;
    const bool fits = used + slots <= SampleRing::kSlots;
    ASSERT_EQ(is_window ? ring->PushWindowEnd(Summary(i)) : ring->PushSample(EdgeId{i}), fits);
    if (fits) {
      used += slots;
      model.push_back(is_window ? Text(Summary(i)) : std::to_string(i));
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace yp
