// Handlers on many threads, one drain: for the thread sanitizer above all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/memory_test_util.h"
#include "hotspot/stacks/stack_buffer.h"

namespace yp::hotspot {
namespace {

TEST(StackBufferTest, TakesMemoryForPlacesThatAreUsed) {
  const int64_t before = ResidentBytes();
  const StackBuffer buffer;
  EXPECT_LT(ResidentBytes() - before, 8 << 20) << "of 48 MiB";
}

TEST(StackBufferStressTest, EveryStackArrivesOnceAndWhole) {
  constexpr int kThreads = 4;
  constexpr int kStacksEach = 20'000;
  const auto buffer = std::make_unique<StackBuffer>();
  std::atomic<int> running{kThreads};
  std::atomic<int64_t> published{0};
  std::vector<std::thread> threads;
  for (int t = 1; t <= kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kStacksEach; ++i) {
        StackBuffer::Stack* stack = buffer->Take();
        if (stack == nullptr) continue;
        stack->thread = t;
        stack->frame_count = 3;
        for (int f = 0; f < 3; ++f) stack->frames[static_cast<size_t>(f)].bci = t;
        published.fetch_add(1, std::memory_order_relaxed);
        buffer->Publish(*stack);
      }
      running.fetch_sub(1, std::memory_order_release);
    });
  }
  int64_t taken = 0;
  const auto take_all = [&] {
    buffer->ForEachReady([&](const StackBuffer::Stack& stack) {
      ++taken;
      for (size_t f = 0; f < 3; ++f) ASSERT_EQ(stack.frames[f].bci, stack.thread);
    });
  };
  while (running.load(std::memory_order_acquire) > 0) take_all();
  for (std::thread& thread : threads) thread.join();
  take_all();
  EXPECT_EQ(taken, published.load());
  // The drain may have had no processor meanwhile: then they found every place taken.
  EXPECT_GE(taken, static_cast<int64_t>(StackBuffer::kPlaces / 2));
}

}  // namespace
}  // namespace yp::hotspot
