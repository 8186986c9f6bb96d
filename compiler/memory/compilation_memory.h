#ifndef YP_COMPILER_MEMORY_COMPILATION_MEMORY_H_
#define YP_COMPILER_MEMORY_COMPILATION_MEMORY_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace yp::compiler {

// A heap for one compilation at a time: lists of free objects by size, in slabs of 64 KB that hold
// objects of one size. A compilation makes and drops many small objects, for which malloc took a
// sixth of its time.
//
// - What is taken may outlive the compilation, and be given back by any thread at any time, as with
//   malloc. Where nothing does, the next compilation begins with an empty heap, and what is above
//   kKeptBytes goes back to the system.
// - All heaps lie in one range of addresses, of which only what is used takes memory. Where that is
//   full, or the system does not give it, there is nothing to take.
//
// Each heap is used by one thread at a time: that in whose scope it is. Other threads put what they
// give back on a list, `given_back_`, by a release that the owner's acquire in TakeBack pairs with.
class CompilationMemory {
 public:
  static constexpr size_t kMostBytes = size_t{16} << 10;
  static constexpr size_t kKeptBytes = size_t{8} << 20;  // Of each heap.

  // The calling thread has a heap as long as this lives. Within another one it does nothing.
  class Scope {
   public:
    Scope();
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CompilationMemory* memory_;  // Null: that of the scope around it, or none.
  };

  // Of the calling thread's heap, for any alignment up to 16; nullptr: it has none, there is no
  // memory, or that is more than kMostBytes.
  static void* Take(size_t bytes) {
    CompilationMemory* const heap = current_;
    return heap == nullptr || bytes > kMostBytes ? nullptr : heap->TakeOf(ClassOf(bytes));
  }
  // False where that is no address that Take gave.
  static bool Give(void* object) {
    const uintptr_t begin = range_.load(std::memory_order_relaxed);
    if (reinterpret_cast<uintptr_t>(object) - begin >= kRangeBytes) return false;
    CompilationMemory* const owner = SlabOf(object)->owner;
    if (owner == current_) {
      owner->GiveOwn(object);
    } else {
      owner->GiveFromOutside(object);
    }
    return true;
  }

 private:
  static constexpr size_t kSlabBytes = size_t{64} << 10;
  static constexpr size_t kRangeBytes = size_t{256} << 20;
  // Steps of 16 bytes up to 512, then four to each doubling.
  static constexpr size_t kStep = 16, kMostSteps = 32, kClasses = kMostSteps + 5 * 4;

  struct Object {
    Object* next;
  };
  // At the start of its memory.
  struct alignas(16) Slab {
    CompilationMemory* owner;
    Slab* next;  // Of the owner's.
    uint32_t size_class;
  };
  // Of objects of one size.
  struct Class {
    Object* free = nullptr;
    uint8_t* next = nullptr;  // Memory of the last slab that has not been taken yet.
    size_t left = 0;          // Bytes of that.
  };

  static size_t ClassOf(size_t bytes) {
    if (bytes <= kStep * kMostSteps) return bytes == 0 ? 0 : (bytes - 1) / kStep;
    // 513 to 640 is the first of the four of 512.
    const auto doubling = static_cast<size_t>(std::bit_width(bytes - 1)) - 1;
    const size_t quarter = (bytes - 1) >> (doubling - 2) & 3;
    return kMostSteps + (doubling - 9) * 4 + quarter;
  }
  static size_t BytesOf(size_t size_class);
  static Slab* SlabOf(void* object) {
    return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(object) & ~(kSlabBytes - 1));
  }
  static CompilationMemory* TakeHeap();

  void* TakeOf(size_t size_class) {
    Class& of = classes_[size_class];
    Object* const object = of.free;
    if (object == nullptr) return TakeNew(size_class);
    of.free = object->next;
    ++live_;
    return object;
  }
  void* TakeNew(size_t size_class);
  bool AddSlab(size_t size_class);
  void GiveOwn(void* object) {
    Class& of = classes_[SlabOf(object)->size_class];
    of.free = new (object) Object{of.free};
    --live_;
  }
  void GiveFromOutside(void* object);
  void TakeBack();
  void EmptyIfUnused();

  // Of the calling thread. Eight bytes of those that the C library has for libraries that are
  // loaded while a program runs: found without a call, which took as long as the rest of Take.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local CompilationMemory* current_;
  // Written once, before there is an object in the range. The thread that gives an object back has
  // it from one that saw the range.
  static std::atomic<uintptr_t> range_;

  std::array<Class, kClasses> classes_{};
  int64_t live_ = 0;                // Objects that are taken, those of given_back_ included.
  Slab* slabs_ = nullptr;           // In use.
  Slab* unused_ = nullptr;          // To be used again.
  Slab* without_memory_ = nullptr;  // The same; but for the first page, the system has it back.
  size_t unused_bytes_ = 0;         // Of unused_.
  std::atomic<Object*> given_back_ = nullptr;
  CompilationMemory* next_idle_ = nullptr;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_MEMORY_COMPILATION_MEMORY_H_
