#include "hotspot/arch/x64/near_code.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace yp::hotspot {
namespace {

constexpr uintptr_t kReach = uintptr_t{1} << 31;  // Of a 32-bit jump.
constexpr uintptr_t kStep = uintptr_t{1} << 20;
constexpr uintptr_t kPage = 4096;

Status Refused(const char* what) {
  return Status::Error(std::string("the kernel refuses ") + what + ": " + std::strerror(errno));
}

// Maps the file where every byte of it can reach every byte of [low, high) and back; null when no
// such addresses are free.
void* MapNear(int file, size_t bytes, uintptr_t low, uintptr_t high) {
  const uintptr_t first = high > kReach ? high - kReach : kPage;
  const uintptr_t last = low + kReach - bytes;
  const auto try_at = [&](uintptr_t address) {
    void* at = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_EXEC,
                    MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    if (at == MAP_FAILED) return false;
    if (reinterpret_cast<uintptr_t>(at) == address) return true;
    munmap(at, bytes);  // A kernel before 4.17 takes the address as a hint.
    return false;
  };
  const uintptr_t above = (high + kStep - 1) & ~(kStep - 1);
  const uintptr_t below = (low - bytes) & ~(kStep - 1);
  for (uintptr_t distance = 0; distance < kReach; distance += kStep) {
    if (above + distance <= last && try_at(above + distance)) {
      return reinterpret_cast<void*>(above + distance);
    }
    if (below > distance && below - distance >= first && try_at(below - distance)) {
      return reinterpret_cast<void*>(below - distance);
    }
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<NearCode>> NearCode::Create(const char* name, size_t bytes, uintptr_t low,
                                                   uintptr_t high) {
  bytes = (bytes + kPage - 1) & ~(kPage - 1);
  if (low >= high || high - low + bytes >= kReach) {
    return Status::Error("the code cache is too large to be reached by short jumps");
  }
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) return Refused("memory for machine code");
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    const Status refused = Refused("memory for machine code");
    close(file);
    return refused;
  }
  void* writable = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void* executable = writable == MAP_FAILED ? nullptr : MapNear(file, bytes, low, high);
  const Status refused = Refused("executable memory near the code cache");
  close(file);
  if (executable == nullptr) {
    if (writable != MAP_FAILED) munmap(writable, bytes);
    return refused;
  }
  return std::unique_ptr<NearCode>(
      new NearCode(static_cast<std::byte*>(writable), static_cast<std::byte*>(executable), bytes));
}

NearCode::~NearCode() {
  munmap(writable_, bytes_);
  munmap(executable_, bytes_);
}

void NearCode::Write(size_t offset, std::span<const uint8_t> code) {
  std::memcpy(writable_ + offset, code.data(), code.size());
}

}  // namespace yp::hotspot
