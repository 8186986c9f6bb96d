#ifndef YP_HOTSPOT_WALK_MEMO_TABLE_H_
#define YP_HOTSPOT_WALK_MEMO_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "base/zeroed_pages.h"

namespace yp::hotspot {

// A direct-mapped cache from kKeys words to kValues words, shared by all threads.
//
// - Find and Put are lock-free and never allocate; Put gives up when another thread writes the same
//   slot, as any entry may be lost at any time.
// - Each slot is a sequence lock: odd while being written. A reader takes the words between two
//   equal even readings of the sequence, so that it never sees a mixture of two entries. The words
//   are atomics with acquire and release, which orders them against the sequence without fences
//   (Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012, section
//   4).
// - A slot that was never written holds nothing, not the entry of an all-zero key.
// - Takes memory, page by page, only where something was put.
template <size_t kKeys, size_t kValues, size_t kLog2Slots>
class MemoTable {
 public:
  using Key = std::array<uint64_t, kKeys>;
  using Value = std::array<uint64_t, kValues>;

  MemoTable() : slots_(static_cast<Slot*>(MapZeroedPages(kBytes))) {
    if (slots_ == nullptr) throw std::bad_alloc();
  }

  bool Find(const Key& key, Value& value) const {
    const size_t index = IndexOf(key);
    if (!IsTouched(index)) return false;
    const Slot& slot = slots_[index];
    const uint32_t before =
        slot.sequence.load(std::memory_order_acquire);  // Partner: Put's release.
    if ((before & 1) != 0 || before == 0) return false;
    for (size_t i = 0; i < kKeys; ++i) {
      if (slot.words[i].load(std::memory_order_acquire) != key[i]) return false;
    }
    for (size_t i = 0; i < kValues; ++i) {
      value[i] = slot.words[kKeys + i].load(std::memory_order_acquire);
    }
    return slot.sequence.load(std::memory_order_relaxed) == before;
  }

  void Put(const Key& key, const Value& value) {
    const size_t index = IndexOf(key);
    Touch(index);
    Slot& slot = slots_[index];
    uint32_t sequence = slot.sequence.load(std::memory_order_relaxed);
    if ((sequence & 1) != 0) return;
    // Acquire orders these words after those of the write before. Partner: Put's release.
    if (!slot.sequence.compare_exchange_strong(sequence, sequence + 1, std::memory_order_acquire,
                                               std::memory_order_relaxed)) {
      return;
    }
    for (size_t i = 0; i < kKeys; ++i) slot.words[i].store(key[i], std::memory_order_release);
    for (size_t i = 0; i < kValues; ++i) {
      slot.words[kKeys + i].store(value[i], std::memory_order_release);
    }
    slot.sequence.store(sequence + 2, std::memory_order_release);  // Partner: Find's acquire.
  }

 private:
  // As zeroed pages have it: nothing was written.
  struct Slot {
    std::atomic<uint32_t> sequence;
    std::array<std::atomic<uint64_t>, kKeys + kValues> words;
  };
  static constexpr size_t kBytes = sizeof(Slot) << kLog2Slots;
  static constexpr size_t kPage = 4096;
  static constexpr size_t kWords = kBytes / kPage / 64 + 1;
  struct Unmap {
    void operator()(Slot* slots) const { UnmapPages(slots, kBytes); }
  };

  static size_t PageOf(size_t index) { return index * sizeof(Slot) / kPage; }
  // Whether anything was written to the page that the slot begins in. Where none was, the slot is
  // not read: the kernel would map a page of zeros, and take it away again at the first write,
  // which interrupts every processor that runs a thread of the process.
  bool IsTouched(size_t index) const {
    const size_t page = PageOf(index);
    return (touched_[page / 64].load(std::memory_order_relaxed) >> page % 64 & 1) != 0;
  }
  // Writes to the page before anything reads it.
  void Touch(size_t index) {
    if (IsTouched(index)) return;
    const size_t page = PageOf(index);
    slots_[index].sequence.fetch_add(0, std::memory_order_relaxed);
    touched_[page / 64].fetch_or(uint64_t{1} << page % 64, std::memory_order_relaxed);
  }

  static size_t IndexOf(const Key& key) {
    uint64_t h = 0;
    for (const uint64_t word : key) {
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return static_cast<size_t>((h * 0xbf58476d1ce4e5b9u) >> (64 - kLog2Slots));
  }

  std::unique_ptr<Slot[], Unmap> slots_;
  std::array<std::atomic<uint64_t>, kWords> touched_{};
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_WALK_MEMO_TABLE_H_
