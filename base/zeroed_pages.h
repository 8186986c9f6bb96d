#ifndef YP_BASE_ZEROED_PAGES_H_
#define YP_BASE_ZEROED_PAGES_H_

#include <sys/mman.h>

#include <cstddef>

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

inline void UnmapPages(void* pages, size_t bytes) { munmap(pages, bytes); }

// They are as when they were mapped.
inline void ZeroPages(void* pages, size_t bytes) { madvise(pages, bytes, MADV_DONTNEED); }

}  // namespace yp

#endif  // YP_BASE_ZEROED_PAGES_H_
