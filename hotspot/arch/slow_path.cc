#include "hotspot/arch/slow_path.h"

#include <cerrno>

namespace yp::hotspot {
namespace {

// In the static part of thread-local memory, so that its distance from the thread pointer is one
// for all threads. A library that is loaded later has room there for a few words.
thread_local std::atomic<int64_t> countdown __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

std::atomic<int64_t>& EntryCountdown() { return countdown; }

int32_t EntryCountdownOffset() {
  // Hidden from the compiler, which would read the offset's 32 bits in a way that the linker cannot
  // relax.
  const char* address = reinterpret_cast<char*>(&EntryCountdown());
  asm("" : "+r"(address));
  return static_cast<int32_t>(address - static_cast<char*>(__builtin_thread_pointer()));
}

bool HandleEntry(EntryHandler& handler, const EntryCall& call) {
  const int saved_errno = errno;
  const bool is_wanted = handler.OnEntry(call);
  errno = saved_errno;
  return is_wanted;
}

void HandleCountedEntry(EntryHandler& handler, const EntryCall& call) {
  const int saved_errno = errno;
  handler.OnCountedEntry(call);
  errno = saved_errno;
}

}  // namespace yp::hotspot
