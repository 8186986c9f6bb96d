#ifndef YP_HOTSPOT_STACKS_STACK_BUFFER_H_
#define YP_HOTSPOT_STACKS_STACK_BUFFER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/ids.h"
#include "base/zeroed_pages.h"
#include "hotspot/stacks/code_place.h"

namespace yp::hotspot {

// One frame as AsyncGetCallTrace writes it (HotSpot's forte.cpp), or a physical one that our own
// walk has read. AsyncGetCallTrace leaves the code as it was.
struct RawFrame {
  static constexpr int32_t kIsPlace = std::numeric_limits<int32_t>::min();

  static RawFrame At(const CodePlace& place) {
    return {kIsPlace, 0, const_cast<CodePlace*>(&place)};
  }
  bool is_place() const { return bci == kIsPlace; }
  const CodePlace& place() const { return *static_cast<const CodePlace*>(method); }

  int32_t bci = 0;         // Negative in a native method; kIsPlace.
  uint32_t code = 0;       // CodeLabel::Packed.
  void* method = nullptr;  // A jmethodID, null where the VM has none; with kIsPlace, a CodePlace.
  bool operator==(const RawFrame&) const = default;
};

// Stacks on their way from signal handlers, on any threads, to the drain.
//
// - Any number of producers, one consumer. Lock-free; a producer that finds no place gives up.
// - A place is free, then its producer's, then ready, then the consumer's, then free again. Who
//   changes the state with release hands over what is in the place to who reads it with acquire.
// - A thread that is killed in its handler keeps its place.
// - Memory is taken where it is touched: a page or two for each place that was ever used.
class StackBuffer {
 public:
  static constexpr size_t kMaxFrames = 1024;
  static constexpr size_t kPlaces = 2048;

  struct Stack {
    int64_t time_ns = 0;
    int32_t thread = 0;       // The kernel's id.
    int32_t frame_count = 0;  // Innermost first.
    uint32_t recording = 0;   // Whose it is: see StackSampler.
    EdgeId call = kNoEdge;  // That the innermost frame is making, to a callee without a frame yet.
    std::array<RawFrame, kMaxFrames> frames;
  };

  // A place of the caller's own; null when none is free nearby. Async-signal-safe: atomic
  // operations on memory that is there.
  Stack* Take() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const size_t place = next_.fetch_add(1, std::memory_order_relaxed) % kPlaces;
      uint32_t expected = kFree;
      // Partner: the release of GiveBack and ForEachReady.
      if (states_[place].compare_exchange_strong(expected, kTaken, std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
        return &(*stacks_)[place];
      }
    }
    return nullptr;
  }
  // For the consumer. True for the one that has filled half of the places since the consumer came.
  // Async-signal-safe as Take.
  bool Publish(Stack& stack) {
    StateOf(stack).store(kReady, std::memory_order_release);  // Partner: ForEachReady's acquire.
    return published_.fetch_add(1, std::memory_order_relaxed) + 1 == kPlaces / 2;
  }
  // Unused. Async-signal-safe as Take.
  void GiveBack(Stack& stack) {
    StateOf(stack).store(kFree, std::memory_order_release);  // Partner: Take's acquire.
  }

  // Consumer: calls visit(const Stack&) for each that is ready, in no order.
  template <typename Visit>
  void ForEachReady(Visit visit) {
    published_.store(0, std::memory_order_relaxed);
    for (size_t place = 0; place < kPlaces; ++place) {
      if (states_[place].load(std::memory_order_acquire) != kReady) continue;  // Partner: Publish.
      visit(static_cast<const Stack&>((*stacks_)[place]));
      states_[place].store(kFree, std::memory_order_release);  // Partner: Take's acquire.
    }
  }

 private:
  static constexpr uint32_t kFree = 0, kTaken = 1, kReady = 2;
  static constexpr int kAttempts = 8;

  std::atomic<uint32_t>& StateOf(const Stack& stack) {
    return states_[static_cast<size_t>(&stack - stacks_->data())];
  }

  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> published_{0};  // Since the consumer came, roughly.
  // Not in the stacks, which are pages apart: the consumer looks at all of them each time.
  std::array<std::atomic<uint32_t>, kPlaces> states_{};
  InZeroedPages<std::array<Stack, kPlaces>> stacks_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_STACK_BUFFER_H_
