#ifndef YP_RECORDER_SIGNAL_BUFFER_H_
#define YP_RECORDER_SIGNAL_BUFFER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/zeroed_pages.h"

namespace yp {

// What signal handlers take, on any threads, on its way to the drain.
//
// - Any number of producers, one consumer. Lock-free; a producer that finds no place gives up.
// - A place is free, then its producer's, then ready, then the consumer's, then free again. Who
//   changes the state with release hands over what is in the place to who reads it with acquire.
// - A thread that is killed in its handler keeps its place.
// - Memory is taken where it is touched. Items are zeros at first, and as they were left later.
template <typename Item, size_t kPlaces>
class SignalBuffer {
 public:
  // A place of the caller's own; null when none is free nearby. Async-signal-safe: atomic
  // operations on memory that is there.
  Item* Take() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const size_t place = next_.fetch_add(1, std::memory_order_relaxed) % kPlaces;
      uint32_t expected = kFree;
      // Partner: the release of GiveBack and ForEachReady.
      if (states_[place].compare_exchange_strong(expected, kTaken, std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
        return &(*items_)[place];
      }
    }
    return nullptr;
  }
  // For the consumer. True for the one that has filled half of the places since the consumer came.
  // Async-signal-safe as Take.
  bool Publish(Item& item) {
    StateOf(item).store(kReady, std::memory_order_release);  // Partner: ForEachReady's acquire.
    return published_.fetch_add(1, std::memory_order_relaxed) + 1 == kPlaces / 2;
  }
  // Unused. Async-signal-safe as Take.
  void GiveBack(Item& item) {
    StateOf(item).store(kFree, std::memory_order_release);  // Partner: Take's acquire.
  }

  // Consumer: calls visit(const Item&) for each that is ready, in no order.
  template <typename Visit>
  void ForEachReady(Visit visit) {
    published_.store(0, std::memory_order_relaxed);
    for (size_t place = 0; place < kPlaces; ++place) {
      if (states_[place].load(std::memory_order_acquire) != kReady) continue;  // Partner: Publish.
      visit(static_cast<const Item&>((*items_)[place]));
      states_[place].store(kFree, std::memory_order_release);  // Partner: Take's acquire.
    }
  }

 private:
  static constexpr uint32_t kFree = 0, kTaken = 1, kReady = 2;
  static constexpr int kAttempts = 8;

  std::atomic<uint32_t>& StateOf(const Item& item) {
    return states_[static_cast<size_t>(&item - items_->data())];
  }

  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> published_{0};  // Since the consumer came, roughly.
  // Not in the items, which may be pages apart: the consumer looks at all of them each time.
  std::array<std::atomic<uint32_t>, kPlaces> states_{};
  InZeroedPages<std::array<Item, kPlaces>> items_;
};

}  // namespace yp

#endif  // YP_RECORDER_SIGNAL_BUFFER_H_
