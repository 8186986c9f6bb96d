// new and delete of the library that HotSpot loads: all of it, the C++ library included, which is
// linked into it. In a compilation they take from its heap; else, and for the rest, they are malloc
// and free. Nobody outside sees them (exports.map).
#include <cstdlib>
#include <new>

#include "compiler/memory/compilation_memory.h"

using yp::compiler::CompilationMemory;

void* operator new(std::size_t bytes) {
  if (void* const taken = CompilationMemory::Take(bytes)) return taken;
  if (void* const allocated = std::malloc(bytes == 0 ? 1 : bytes)) return allocated;
  throw std::bad_alloc();
}

void operator delete(void* object) noexcept {
  if (!CompilationMemory::Give(object)) std::free(object);
}

void operator delete(void* object, std::size_t) noexcept { operator delete(object); }
