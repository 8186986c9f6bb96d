#ifndef YP_RECORDER_SAMPLE_RING_H_
#define YP_RECORDER_SAMPLE_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "base/ids.h"
#include "base/zeroed_pages.h"

namespace yp {

// What a thread says of its window when that is complete; format/spool/records.h has the meanings.
struct WindowSummary {
  uint64_t tick = 0;
  int64_t start_ns = 0;
  int64_t latency_ns = 0;
  int64_t duration_ns = 0;
  int64_t interval_ns = 0;
  uint64_t calls = 0;
  uint64_t near_calls = 0;
};

// Told when a window begins, so that its samples are known for those of its tick even if the thread
// never tells of its end.
struct WindowBegin {
  uint64_t tick = 0;
  int64_t start_ns = 0;
};

// A queue of samples, window beginnings and window ends from one sampled thread to the drain.
//
// - Single producer, single consumer. Wait-free on both sides; never allocates.
// - All or nothing: a sample, a beginning or an end is in the ring whole or not at all. A full ring
//   drops, and the producer counts what it dropped.
// - Protocol: the producer writes slots, then stores head_ with release; the consumer loads head_
//   with acquire, reads slots, then stores tail_ with release; the producer loads tail_ with
//   acquire before it writes slots again.
// - The slots lie in pages of their own, which take memory only where something was written, and go
//   back to the system with the thread. From malloc, where rings of short-lived threads lie between
//   what stays, they would not. Both ends lie elsewhere: at the same place of a page in each of
//   hundreds of threads they would compete for a few sets of the cache, and each look would miss
//   it.
class SampleRing {
 public:
  static constexpr size_t kSlots = 4096;

  SampleRing() : slots_(static_cast<uint64_t*>(MapZeroedPages(kBytes))) {
    if (slots_ == nullptr) throw std::bad_alloc();
  }

  // Producer.
  bool PushSample(EdgeId edge, CompiledCallId call = kNoCompiledCall) {
    const uint64_t word = (uint64_t{ToIndex(call)} << 32) | ToIndex(edge);
    return Push(std::span(&word, 1));
  }
  bool PushWindowBegin(const WindowBegin& begin) {
    const std::array<uint64_t, 3> words = {kWindowBegin, begin.tick,
                                           static_cast<uint64_t>(begin.start_ns)};
    return Push(words);
  }
  bool PushWindowEnd(const WindowSummary& summary) {
    const std::array<uint64_t, 8> words = {
        kWindowEnd,
        summary.tick,
        static_cast<uint64_t>(summary.start_ns),
        static_cast<uint64_t>(summary.latency_ns),
        static_cast<uint64_t>(summary.duration_ns),
        static_cast<uint64_t>(summary.interval_ns),
        summary.calls,
        summary.near_calls,
    };
    return Push(words);
  }
  // True once each time that the ring has filled to half: the drain had better come early.
  bool HasBecomeHalfFull() {
    // Counted with an older tail it comes a little early.
    const uint64_t head = head_.load(std::memory_order_relaxed);
    const bool is_half_full = head - tail_.load(std::memory_order_relaxed) >= kSlots / 2;
    return !std::exchange(was_half_full_, is_half_full) && is_half_full;
  }

  // Consumer: hands every entry that is there to on_begin(const WindowBegin&),
  // on_sample(EdgeId, CompiledCallId) or on_window(const WindowSummary&), in order.
  template <typename OnBegin, typename OnSample, typename OnWindow>
  void Drain(OnBegin on_begin, OnSample on_sample, OnWindow on_window) {
    const uint64_t head = head_.load(std::memory_order_acquire);  // Partner: Push's release.
    uint64_t tail = tail_.load(std::memory_order_relaxed);
    while (tail != head) {
      const uint64_t word = At(tail++);
      if (word == kWindowBegin) {
        WindowBegin begin;
        begin.tick = At(tail++);
        begin.start_ns = static_cast<int64_t>(At(tail++));
        on_begin(begin);
        continue;
      }
      if (word != kWindowEnd) {
        on_sample(EdgeId{static_cast<uint32_t>(word)},
                  CompiledCallId{static_cast<uint32_t>(word >> 32)});
        continue;
      }
      WindowSummary summary;
      summary.tick = At(tail++);
      summary.start_ns = static_cast<int64_t>(At(tail++));
      summary.latency_ns = static_cast<int64_t>(At(tail++));
      summary.duration_ns = static_cast<int64_t>(At(tail++));
      summary.interval_ns = static_cast<int64_t>(At(tail++));
      summary.calls = At(tail++);
      summary.near_calls = At(tail++);
      on_window(summary);
    }
    tail_.store(tail, std::memory_order_release);  // Partner: Push's acquire.
  }

 private:
  // There are not so many compiled calls.
  static constexpr uint64_t kWindowEnd = ~uint64_t{0};
  static constexpr uint64_t kWindowBegin = kWindowEnd - 1;

  bool Push(std::span<const uint64_t> words) {
    const uint64_t head = head_.load(std::memory_order_relaxed);
    // Partner: Drain's release.
    if (head + words.size() - tail_.load(std::memory_order_acquire) > kSlots) return false;
    for (size_t i = 0; i < words.size(); ++i) slots_[(head + i) % kSlots] = words[i];
    head_.store(head + words.size(), std::memory_order_release);  // Partner: Drain's acquire.
    return true;
  }
  uint64_t At(uint64_t position) const { return slots_[position % kSlots]; }

  static constexpr size_t kBytes = kSlots * sizeof(uint64_t);
  struct Unmap {
    void operator()(uint64_t* slots) const { UnmapPages(slots, kBytes); }
  };

  const std::unique_ptr<uint64_t[], Unmap> slots_;
  alignas(64) std::atomic<uint64_t> head_{0};
  bool was_half_full_ = false;  // The producer's.
  alignas(64) std::atomic<uint64_t> tail_{0};
};

}  // namespace yp

#endif  // YP_RECORDER_SAMPLE_RING_H_
