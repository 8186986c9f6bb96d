#include "hotspot/vmstructs/guarded_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace yp::hotspot {
namespace {

// Of one system call; the kernel takes up to 1024 (IOV_MAX).
constexpr size_t kMaxPieces = 256;

}  // namespace

Result<GuardedMemory> GuardedMemory::Create() {
  Result<GuardedMemory> memory = Create(Way::kReadv);
  return memory ? std::move(memory) : Create(Way::kProcMem);
}

Result<GuardedMemory> GuardedMemory::Create(Way way) {
  int file = -1;
  if (way == Way::kProcMem) file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  GuardedMemory memory(way, file, getpid());
  const uint64_t known = 0x5950'6d65'6d6f'7279;
  if (memory.Get<uint64_t>(&known, 0) != known) {
    return Status::Error(
        "this process may not read its own memory: process_vm_readv and /proc/self/mem are denied");
  }
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : way_(other.way_), file_(std::exchange(other.file_, -1)), process_(other.process_) {}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  way_ = other.way_;
  std::swap(file_, other.file_);
  process_ = other.process_;
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (file_ >= 0) close(file_);
}

bool GuardedMemory::Read(const void* from, void* to, size_t bytes) const {
  if (way_ == Way::kProcMem) {
    const auto offset = static_cast<off_t>(reinterpret_cast<uintptr_t>(from));
    return pread(file_, to, bytes, offset) == static_cast<ssize_t>(bytes);
  }
  const iovec local{to, bytes};
  const iovec remote{const_cast<void*>(from), bytes};
  return process_vm_readv(process_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

void GuardedMemory::ReadEach(std::span<Piece> pieces) const {
  while (!pieces.empty()) {
    const size_t count = ReadSome(pieces);
    for (size_t i = 0; i < count; ++i) pieces[i].is_read = true;
    if (count < pieces.size() && count < kMaxPieces) {
      pieces[count].is_read = false;
      pieces = pieces.subspan(count + 1);
    } else {
      pieces = pieces.subspan(count);
    }
  }
}

size_t GuardedMemory::ReadSome(std::span<const Piece> pieces) const {
  pieces = pieces.first(std::min(pieces.size(), kMaxPieces));
  if (way_ == Way::kProcMem) {
    const auto failed = std::ranges::find_if_not(
        pieces, [this](const Piece& piece) { return Read(piece.from, piece.to, piece.bytes); });
    return static_cast<size_t>(failed - pieces.begin());
  }
  std::array<iovec, kMaxPieces> local{}, remote{};
  for (size_t i = 0; i < pieces.size(); ++i) {
    local[i] = {pieces[i].to, pieces[i].bytes};
    remote[i] = {const_cast<void*>(pieces[i].from), pieces[i].bytes};
  }
  const ssize_t copied =
      process_vm_readv(process_, local.data(), pieces.size(), remote.data(), pieces.size(), 0);
  // It stops within the first piece that it cannot read.
  size_t left = copied < 0 ? 0 : static_cast<size_t>(copied);
  size_t count = 0;
  for (; count < pieces.size() && pieces[count].bytes <= left; ++count) left -= pieces[count].bytes;
  return count;
}

}  // namespace yp::hotspot
