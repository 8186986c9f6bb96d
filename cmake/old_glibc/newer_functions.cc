// What the compiler's libraries and ours use of the C library that glibc has only since a version
// after 2.17, in terms of what 2.17 has. Each program and library that is to run there links it,
// and nothing of it is visible outside. A function that is missing here is an error when that is
// linked.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "cmake/old_glibc/fallbacks.h"
#include "cmake/old_glibc/processor.h"

// Of the C library; no header has them any more.
extern "C" {
int __xstat(int version, const char* path, struct stat* result) noexcept;
int __lxstat(int version, const char* path, struct stat* result) noexcept;
int __fxstat(int version, int fd, struct stat* result) noexcept;
int __fxstatat(int version, int fd, const char* path, struct stat* result, int flags) noexcept;
}

namespace {

// The C library's function of that name where it has one. It is looked for when this is loaded:
// later a thread may be where it must not wait for the linker's lock.
template <typename Function>
Function* Newer(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
auto* const newer_clockwait =
    Newer<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
        "pthread_cond_clockwait");
auto* const newer_thread_atexit =
    Newer<int(void (*)(void*), void*, void*)>("__cxa_thread_atexit_impl");
auto* const newer_find_object = Newer<int(void*, dl_find_object*)>("_dl_find_object");

}  // namespace

#pragma GCC visibility push(hidden)
extern "C" {

// 2.18
int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void* dso_handle) {
  if (newer_thread_atexit != nullptr) return newer_thread_atexit(destroy, object, dso_handle);
  return yp::old_glibc::AtThreadExit(destroy, object);
}

// 2.25, of Linux 3.17
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  return syscall(SYS_getrandom, buffer, size, flags);
}

// 2.25. Of so few bytes, all come at once.
int getentropy(void* buffer, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  ssize_t got = 0;
  do {
    got = getrandom(buffer, size, 0);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(size) ? 0 : -1;
}

// 2.27, of Linux 3.17
int memfd_create(const char* name, unsigned flags) noexcept {
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}

// 2.28. Where off_t has 64 bits, it is fcntl: all that callers give fits a pointer.
int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return fcntl(fd, command, argument);
}

// 2.30
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* deadline) {
  if (newer_clockwait != nullptr) return newer_clockwait(condition, mutex, clock, deadline);
  return yp::old_glibc::WaitUntil(condition, mutex, clock, deadline);
}

// 2.32. False is right for every process: reference counts are atomic then.
char __libc_single_threaded = 0;

// 2.33. Before, each program had these functions itself. They told the version of the struct. Where
// off_t has 64 bits, those for large files are the same.
int stat(const char* path, struct stat* result) noexcept {
  return __xstat(kStatVersion, path, result);
}
int lstat(const char* path, struct stat* result) noexcept {
  return __lxstat(kStatVersion, path, result);
}
int fstat(int fd, struct stat* result) noexcept { return __fxstat(kStatVersion, fd, result); }
int fstatat(int fd, const char* path, struct stat* result, int flags) noexcept {
  return __fxstatat(kStatVersion, fd, path, result, flags);
}
int stat64(const char*, struct stat64*) noexcept __attribute__((alias("stat")));
int lstat64(const char*, struct stat64*) noexcept __attribute__((alias("lstat")));
int fstat64(int, struct stat64*) noexcept __attribute__((alias("fstat")));
int fstatat64(int, const char*, struct stat64*, int) noexcept __attribute__((alias("fstatat")));

// 2.35
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  if (newer_find_object != nullptr) return newer_find_object(address, result);
  return yp::old_glibc::FindObject(address, result);
}

// 2.36. They cannot fail: glibc, too, ends a process that gets no random bytes.
void arc4random_buf(void* buffer, size_t size) noexcept {
  auto* at = static_cast<unsigned char*>(buffer);
  while (size > 0) {
    const size_t part = std::min<size_t>(size, 256);
    if (getentropy(at, part) != 0) abort();
    at += part;
    size -= part;
  }
}
uint32_t arc4random() noexcept {
  uint32_t random = 0;
  arc4random_buf(&random, sizeof random);
  return random;
}

}  // extern "C"
#pragma GCC visibility pop
