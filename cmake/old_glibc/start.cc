// How a program begins. Until glibc 2.33, each program brought the function that runs its
// constructors, and told the C library of it. Programs that are linked with a later version leave
// the constructors to the library, which still calls such a function when there is one.
#include "cmake/old_glibc/processor.h"

namespace {
using Constructor = void (*)(int, char**, char**);
}

extern "C" {

// Of the C library, in the version that all have.
int LibcStartMain(int (*main)(int, char**, char**), int argc, char** argv, Constructor init,
                  void (*fini)(), void (*rtld_fini)(), void* stack_end);
asm(".symver LibcStartMain, __libc_start_main@" YP_FIRST_GLIBC);

#pragma GCC visibility push(hidden)
// From the linker and the compiler.
extern const Constructor __init_array_start[];
extern const Constructor __init_array_end[];
void _init();

static void RunConstructors(int argc, char** argv, char** environment) {
  _init();
  for (const Constructor* each = __init_array_start; each != __init_array_end; ++each) {
    (*each)(argc, argv, environment);
  }
}

// The destructors, the dynamic linker runs in every version.
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, Constructor,
                      void (*)(), void (*rtld_fini)(), void* stack_end) {
  return LibcStartMain(main, argc, argv, RunConstructors, nullptr, rtld_fini, stack_end);
}
#pragma GCC visibility pop

}  // extern "C"
