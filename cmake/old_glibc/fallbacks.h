#ifndef CMAKE_OLD_GLIBC_FALLBACKS_H_
#define CMAKE_OLD_GLIBC_FALLBACKS_H_

#include <dlfcn.h>
#include <pthread.h>

#include <ctime>

// What older versions of glibc lack, made of what they have. newer_functions.cc gives it the names.
namespace yp::old_glibc {

// pthread_cond_clockwait (2.30) for condition variables without attributes, as the C++ library's
// are: such a one waits by CLOCK_REALTIME, which can be set. So no wait is longer than a second;
// one that ends before the deadline returns 0, like a spurious one, which every caller has to
// expect.
int WaitUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
              const timespec* deadline);

// __cxa_thread_atexit_impl (2.18): runs destroy(object) when this thread ends, the last one first.
// Not for libraries that are unloaded before. Not 0: there is no memory, and it will not run.
int AtThreadExit(void (*destroy)(void*), void* object);

// _dl_find_object (2.35): where the object is loaded that the address is in, and its table for
// unwinding; -1 when there is none. The link map is left null.
int FindObject(void* address, dl_find_object* result);

}  // namespace yp::old_glibc

#endif  // CMAKE_OLD_GLIBC_FALLBACKS_H_
