#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "recorder/sample_ring.h"

namespace yp {
namespace {

TEST(SampleRingStressTest, TwoThreadsLoseNothingThatWasAcceptedAndTearNothing) {
  constexpr uint32_t kEntries = 400'000;
  const auto ring = std::make_unique<SampleRing>();
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 1; i <= kEntries; ++i) {
      const bool is_window = i % 16 == 0;
      const auto ns = static_cast<int64_t>(i);
      const WindowSummary summary{i, ns, ns, ns, ns, i, i};
      while (!(is_window ? ring->PushWindowEnd(summary) : ring->PushSample(EdgeId{i}))) {
        std::this_thread::yield();
      }
    }
    done.store(true, std::memory_order_release);
  });

  uint32_t expected = 1, wrong = 0;
  for (bool last = false; !last;) {
    last = done.load(std::memory_order_acquire);  // What was pushed before is seen below.
    ring->Drain(
        [&](const WindowBegin& b) {
          wrong += b.tick != expected || b.start_ns != int64_t{expected};
          ++expected;
        },
        [&](EdgeId edge, CompiledCallId) { wrong += ToIndex(edge) != expected++; },
        [&](const WindowSummary& s) {
          const auto ns = static_cast<int64_t>(expected);
          wrong += s.tick != expected || s.start_ns != ns || s.latency_ns != ns ||
                   s.duration_ns != ns || s.interval_ns != ns || s.calls != expected ||
                   s.near_calls != expected;
          ++expected;
        });
  }
  producer.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(expected, kEntries + 1);
}

}  // namespace
}  // namespace yp
