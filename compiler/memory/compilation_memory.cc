#include "compiler/memory/compilation_memory.h"

#include <sys/mman.h>

#include <bit>
#include <mutex>
#include <new>

namespace yp::compiler {
namespace {

constinit thread_local CompilationMemory* current = nullptr;

// Heaps, and the range that their slabs are in. Heaps never go: objects in them may outlive all
// compilations.
constinit std::mutex heaps_lock;
constinit CompilationMemory* idle = nullptr;  // Under the lock.
// Written once, before there is an object in the range. The thread that gives an object back has it
// from one that saw the range.
constexpr uintptr_t kNoRange = uintptr_t{1} << 63;  // No address of a program's.
constinit std::atomic<uintptr_t> range = kNoRange;
constinit std::atomic<size_t> range_used = 0;  // Bytes.

// Aligned as a slab is; kNoRange: the system does not give it.
uintptr_t Reserve(size_t bytes, size_t alignment) {
  void* const place = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return kNoRange;
  return (reinterpret_cast<uintptr_t>(place) + alignment - 1) & ~(alignment - 1);
}

}  // namespace

CompilationMemory* CompilationMemory::TakeHeap() {
  const std::lock_guard lock(heaps_lock);
  if (range.load(std::memory_order_relaxed) == kNoRange) {
    range.store(Reserve(kRangeBytes, kSlabBytes), std::memory_order_relaxed);
    if (range.load(std::memory_order_relaxed) == kNoRange) return nullptr;
  }
  CompilationMemory* const heap = idle;
  if (heap == nullptr) return new (std::nothrow) CompilationMemory;
  idle = heap->next_idle_;
  return heap;
}

CompilationMemory::Scope::Scope() : memory_(current == nullptr ? TakeHeap() : nullptr) {
  if (memory_ == nullptr) return;
  memory_->TakeBack();
  memory_->EmptyIfUnused();
  current = memory_;
}

CompilationMemory::Scope::~Scope() {
  if (memory_ == nullptr) return;
  memory_->TakeBack();
  memory_->EmptyIfUnused();
  current = nullptr;
  const std::lock_guard lock(heaps_lock);
  memory_->next_idle_ = idle;
  idle = memory_;
}

size_t CompilationMemory::ClassOf(size_t bytes) {
  if (bytes <= kStep * kMostSteps) return bytes == 0 ? 0 : (bytes - 1) / kStep;
  // 513 to 640 is the first of the four of 512.
  const auto doubling = static_cast<size_t>(std::bit_width(bytes - 1)) - 1;
  const size_t quarter = (bytes - 1) >> (doubling - 2) & 3;
  return kMostSteps + (doubling - 9) * 4 + quarter;
}

size_t CompilationMemory::BytesOf(size_t size_class) {
  if (size_class < kMostSteps) return (size_class + 1) * kStep;
  const size_t doubling = 9 + (size_class - kMostSteps) / 4;
  return (5 + (size_class - kMostSteps) % 4) << (doubling - 2);
}

void* CompilationMemory::Take(size_t bytes) {
  CompilationMemory* const heap = current;
  return heap == nullptr || bytes > kMostBytes ? nullptr : heap->TakeOf(ClassOf(bytes));
}

void* CompilationMemory::TakeOf(size_t size_class) {
  Class& of = classes_[size_class];
  if (Object* const object = of.free; object != nullptr) {
    of.free = object->next;
    ++live_;
    return object;
  }
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
    place = reinterpret_cast<void*>(range.load(std::memory_order_relaxed) + at);
  }
  slabs_ = new (place) Slab{this, slabs_, static_cast<uint32_t>(size_class)};
  classes_[size_class].next = reinterpret_cast<uint8_t*>(slabs_ + 1);
  classes_[size_class].left = kSlabBytes - sizeof(Slab);
  return true;
}

bool CompilationMemory::Give(void* object) {
  const uintptr_t begin = range.load(std::memory_order_relaxed);
  if (reinterpret_cast<uintptr_t>(object) - begin >= kRangeBytes) return false;
  CompilationMemory* const owner = SlabOf(object)->owner;
  if (owner == current) {
    owner->GiveOwn(object);
    return true;
  }
  auto* const given = new (object) Object{owner->given_back_.load(std::memory_order_relaxed)};
  // Pairs with the acquire of TakeBack. The owner takes the whole list, so that no entry comes back
  // while it is being added.
  while (!owner->given_back_.compare_exchange_weak(given->next, given, std::memory_order_release,
                                                   std::memory_order_relaxed)) {
  }
  return true;
}

void CompilationMemory::GiveOwn(void* object) {
  Class& of = classes_[SlabOf(object)->size_class];
  of.free = new (object) Object{of.free};
  --live_;
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
