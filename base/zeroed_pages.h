#ifndef YP_BASE_ZEROED_PAGES_H_
#define YP_BASE_ZEROED_PAGES_H_

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>

namespace yp {

// Pages of the kernel's own: zeroed, taking memory only where they are touched, and given back when
// they are unmapped. Null when the kernel refuses.
inline void* MapZeroedPages(size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  // The first touch of a huge page would zero all of it, on a thread that takes a sample.
  madvise(pages, bytes, MADV_NOHUGEPAGE);
  return pages;
}

// For pages most of which will be touched soon, on a thread that may take the time.
inline void AdviseHugePages(void* pages, size_t bytes) { madvise(pages, bytes, MADV_HUGEPAGE); }

inline void UnmapPages(void* pages, size_t bytes) { munmap(pages, bytes); }

// They are as when they were mapped.
inline void ZeroPages(void* pages, size_t bytes) { madvise(pages, bytes, MADV_DONTNEED); }

// Owns a T in such pages. No constructor of T runs, as it would touch all of them: a T whose bytes
// are zero must be one that can be used.
template <typename T>
class InZeroedPages {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  InZeroedPages() : object_(static_cast<T*>(MapZeroedPages(sizeof(T)))) {
    if (object_ == nullptr) throw std::bad_alloc();
  }
  ~InZeroedPages() { UnmapPages(object_, sizeof(T)); }
  InZeroedPages(const InZeroedPages&) = delete;
  InZeroedPages& operator=(const InZeroedPages&) = delete;

  T& operator*() { return *object_; }
  const T& operator*() const { return *object_; }
  T* operator->() { return object_; }
  const T* operator->() const { return object_; }
  // As it was made.
  void Clear() { ZeroPages(object_, sizeof(T)); }

 private:
  T* const object_;
};

}  // namespace yp

#endif  // YP_BASE_ZEROED_PAGES_H_
