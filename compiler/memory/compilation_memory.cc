#include "compiler/memory/compilation_memory.h"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace yp::compiler {
namespace {

// Heaps never go: objects in them may outlive all compilations.
constinit std::mutex heaps_lock;
constinit CompilationMemory* idle = nullptr;        // Under the lock.
constexpr uintptr_t kNoRange = uintptr_t{1} << 63;  // No address of a program's.
constinit std::atomic<size_t> range_used = 0;       // Bytes.

// Aligned as a slab is; kNoRange: the system does not give it.
uintptr_t Reserve(size_t bytes, size_t alignment) {
  void* const place = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return kNoRange;
  return (reinterpret_cast<uintptr_t>(place) + alignment - 1) & ~(alignment - 1);
}

}  // namespace

constinit thread_local CompilationMemory* CompilationMemory::current_ = nullptr;
constinit std::atomic<uintptr_t> CompilationMemory::range_ = kNoRange;

CompilationMemory* CompilationMemory::TakeHeap() {
  const std::lock_guard lock(heaps_lock);
  if (range_.load(std::memory_order_relaxed) == kNoRange) {
    range_.store(Reserve(kRangeBytes, kSlabBytes), std::memory_order_relaxed);
    if (range_.load(std::memory_order_relaxed) == kNoRange) return nullptr;
  }
  CompilationMemory* const heap = idle;
  if (heap == nullptr) return new (std::nothrow) CompilationMemory;
  idle = heap->next_idle_;
  return heap;
}

CompilationMemory::Scope::Scope() : memory_(current_ == nullptr ? TakeHeap() : nullptr) {
  if (memory_ == nullptr) return;
  memory_->TakeBack();
  memory_->EmptyIfUnused();
  current_ = memory_;
}

CompilationMemory::Scope::~Scope() {
  if (memory_ == nullptr) return;
  memory_->TakeBack();
  memory_->EmptyIfUnused();
  current_ = nullptr;
  const std::lock_guard lock(heaps_lock);
  memory_->next_idle_ = idle;
  idle = memory_;
}

size_t CompilationMemory::BytesOf(size_t size_class) {
  if (size_class < kMostSteps) return (size_class + 1) * kStep;
  const size_t doubling = 9 + (size_class - kMostSteps) / 4;
  return (5 + (size_class - kMostSteps) % 4) << (doubling - 2);
}

void* CompilationMemory::TakeNew(size_t size_class) {
  Class& of = classes_[size_class];
  const size_t bytes = BytesOf(size_class);
  if (of.left < bytes && !AddSlab(size_class)) return nullptr;
  void* const object = of.next;
  of.next += bytes;
  of.left -= bytes;
  ++live_;
  return object;
}

bool CompilationMemory::AddSlab(size_t size_class) {
  void* place = nullptr;
  if (unused_ != nullptr) {
    place = unused_;
    unused_ = unused_->next;
    unused_bytes_ -= kSlabBytes;
  } else if (without_memory_ != nullptr) {
    place = without_memory_;
    without_memory_ = without_memory_->next;
  } else {
    const size_t at = range_used.fetch_add(kSlabBytes, std::memory_order_relaxed);
    if (at >= kRangeBytes) {
      range_used.fetch_sub(kSlabBytes, std::memory_order_relaxed);
      return false;
    }
    place = reinterpret_cast<void*>(range_.load(std::memory_order_relaxed) + at);
  }
  slabs_ = new (place) Slab{this, slabs_, static_cast<uint32_t>(size_class)};
  classes_[size_class].next = reinterpret_cast<uint8_t*>(slabs_ + 1);
  classes_[size_class].left = kSlabBytes - sizeof(Slab);
  return true;
}

void CompilationMemory::GiveFromOutside(void* object) {
  auto* const given = new (object) Object{given_back_.load(std::memory_order_relaxed)};
  // Pairs with the acquire of TakeBack. The owner takes the whole list, so that no entry comes back
  // while it is being added.
  while (!given_back_.compare_exchange_weak(given->next, given, std::memory_order_release,
                                            std::memory_order_relaxed)) {
  }
}

void CompilationMemory::TakeBack() {
  Object* object = given_back_.exchange(nullptr, std::memory_order_acquire);
  while (object != nullptr) {
    Object* const next = object->next;
    GiveOwn(object);
    object = next;
  }
}

void CompilationMemory::EmptyIfUnused() {
  if (live_ != 0) return;
  classes_ = {};
  while (slabs_ != nullptr) {
    Slab* const slab = slabs_;
    slabs_ = slab->next;
    const bool is_kept = unused_bytes_ < kKeptBytes;
    if (is_kept) {
      unused_bytes_ += kSlabBytes;
    } else {
      constexpr size_t kPage = 4096;
      madvise(reinterpret_cast<uint8_t*>(slab) + kPage, kSlabBytes - kPage, MADV_DONTNEED);
    }
    Slab*& list = is_kept ? unused_ : without_memory_;
    slab->next = list;
    list = slab;
  }
}

}  // namespace yp::compiler
