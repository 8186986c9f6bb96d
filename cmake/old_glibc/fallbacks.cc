#include "cmake/old_glibc/fallbacks.h"

#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace yp::old_glibc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

int64_t Nanoseconds(const timespec& time) {
  return std::clamp<int64_t>(time.tv_sec, 0, INT64_MAX / kSecond - 2) * kSecond + time.tv_nsec;
}

struct ExitCall {
  void (*destroy)(void*);
  void* object;
  ExitCall* earlier;
};

pthread_key_t exit_calls;

// A destructor may ask for more: glibc comes back for those.
void RunExitCalls(void* last) {
  for (auto* call = static_cast<ExitCall*>(last); call != nullptr;) {
    call->destroy(call->object);
    ExitCall* const earlier = call->earlier;
    free(call);
    call = earlier;
  }
}

struct Search {
  uintptr_t address;
  dl_find_object* result;
};

// 0: look on; 1: found; -1: it is here, and has no table.
int VisitObject(dl_phdr_info* object, size_t, void* data) {
  const auto& [address, result] = *static_cast<Search*>(data);
  const ElfW(Phdr)* table = nullptr;
  const ElfW(Phdr)* segment = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type == PT_GNU_EH_FRAME) table = &header;
    if (header.p_type == PT_LOAD &&
        address - (object->dlpi_addr + header.p_vaddr) < header.p_memsz) {
      segment = &header;
    }
  }
  if (segment == nullptr) return 0;
  if (table == nullptr) return -1;
  const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
  *result = {};
  result->dlfo_map_start = reinterpret_cast<void*>(start);
  result->dlfo_map_end = reinterpret_cast<void*>(start + segment->p_memsz);
  result->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + table->p_vaddr);
  return 1;
}

}  // namespace

int WaitUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
              const timespec* deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= kSecond) return EINVAL;
  timespec now{}, real{};
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &real) != 0) return EINVAL;
  const int64_t left = std::max<int64_t>(Nanoseconds(*deadline) - Nanoseconds(now), 0);
  const int64_t end = Nanoseconds(real) + std::min(left, kSecond);
  const timespec until{.tv_sec = end / kSecond, .tv_nsec = end % kSecond};
  const int result = pthread_cond_timedwait(condition, mutex, &until);
  return result == ETIMEDOUT && left > kSecond ? 0 : result;
}

int AtThreadExit(void (*destroy)(void*), void* object) {
  static const int error = pthread_key_create(&exit_calls, RunExitCalls);
  if (error != 0) return error;
  auto* const call = static_cast<ExitCall*>(malloc(sizeof(ExitCall)));
  if (call == nullptr) return ENOMEM;
  *call = {destroy, object, static_cast<ExitCall*>(pthread_getspecific(exit_calls))};
  return pthread_setspecific(exit_calls, call);
}

int FindObject(void* address, dl_find_object* result) {
  Search search{reinterpret_cast<uintptr_t>(address), result};
  return dl_iterate_phdr(VisitObject, &search) == 1 ? 0 : -1;
}

}  // namespace yp::old_glibc
