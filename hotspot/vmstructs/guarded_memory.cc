#include "hotspot/vmstructs/guarded_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace yp::hotspot {
namespace {

// Of one system call; the kernel takes up to 1024 (IOV_MAX).
constexpr size_t kMaxPieces = 256;

// How many pieces were copied, of which the kernel says so many bytes were, or an error: it stops
// within the first that it cannot read.
size_t WholeOnes(std::span<const GuardedMemory::Piece> pieces, ssize_t copied) {
  size_t left = copied < 0 ? 0 : static_cast<size_t>(copied);
  size_t count = 0;
  for (; count < pieces.size() && pieces[count].bytes <= left; ++count) left -= pieces[count].bytes;
  return count;
}

}  // namespace

Result<GuardedMemory> GuardedMemory::Create() {
  for (const Way way : {Way::kMemoryFile, Way::kReadv}) {
    if (Result<GuardedMemory> memory = Create(way)) return memory;
  }
  return Create(Way::kProcMem);
}

Result<GuardedMemory> GuardedMemory::Create(Way way) {
  GuardedMemory memory(way, getpid());
  if (way == Way::kMemoryFile && !memory.OpenMemoryFile()) {
    return Status::Error("this process cannot have a file in memory");
  }
  if (way == Way::kProcMem) memory.file_ = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  const uint64_t known = 0x5950'6d65'6d6f'7279;
  if (memory.Get<uint64_t>(&known, 0) != known) {
    return Status::Error(
        "this process may not read its own memory: process_vm_readv and /proc/self/mem are denied");
  }
  return memory;
}

// Whoever writes past RLIMIT_FSIZE gets a signal.
bool GuardedMemory::OpenMemoryFile() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < kWindowBytes) return false;
  file_ = memfd_create("yieldpoint", MFD_CLOEXEC);
  struct stat status {};
  if (file_ < 0 || ftruncate(file_, kWindowBytes) != 0 || fstat(file_, &status) != 0) return false;
  device_ = status.st_dev;
  node_ = status.st_ino;
  void* window = mmap(nullptr, kWindowBytes, PROT_READ, MAP_SHARED, file_, 0);
  if (window == MAP_FAILED) return false;
  window_ = static_cast<char*>(window);
  return true;
}

bool GuardedMemory::IsOurs() const {
  struct stat status {};
  return fstat(file_, &status) == 0 && status.st_dev == device_ && status.st_ino == node_;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : GuardedMemory(other.way_, other.process_) {
  *this = std::move(other);
}

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(way_, other.way_);
  std::swap(process_, other.process_);
  std::swap(file_, other.file_);
  std::swap(window_, other.window_);
  std::swap(device_, other.device_);
  std::swap(node_, other.node_);
  return *this;
}

GuardedMemory::~GuardedMemory() {
  if (window_ != nullptr) munmap(window_, kWindowBytes);
  if (file_ >= 0 && (way_ == Way::kProcMem || IsOurs())) close(file_);
}

bool GuardedMemory::Read(const void* from, void* to, size_t bytes) const {
  if (way_ == Way::kMemoryFile) {
    const auto address = reinterpret_cast<uintptr_t>(from);
    for (size_t done = 0; done < bytes; done += kWindowBytes) {
      const Piece part{.from = reinterpret_cast<const void*>(address + done),
                       .to = static_cast<char*>(to) + done,
                       .bytes = std::min(bytes - done, kWindowBytes)};
      if (CopySome({&part, 1}) != 1) return false;
    }
    return true;
  }
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
    size_t some = 0;
    for (size_t bytes = 0; some < std::min(pieces.size(), kMaxPieces); ++some) {
      bytes += pieces[some].bytes;
      if (some > 0 && bytes > kWindowBytes) break;
    }
    const size_t count = ReadSome(pieces.first(some));
    for (size_t i = 0; i < count; ++i) pieces[i].is_read = true;
    if (count < some) pieces[count].is_read = false;
    pieces = pieces.subspan(count < some ? count + 1 : count);
  }
}

size_t GuardedMemory::ReadSome(std::span<const Piece> pieces) const {
  if (way_ == Way::kMemoryFile && pieces.front().bytes <= kWindowBytes) return CopySome(pieces);
  if (way_ != Way::kReadv) {
    const auto failed = std::ranges::find_if_not(
        pieces, [this](const Piece& piece) { return Read(piece.from, piece.to, piece.bytes); });
    return static_cast<size_t>(failed - pieces.begin());
  }
  std::array<iovec, kMaxPieces> local{}, remote{};
  for (size_t i = 0; i < pieces.size(); ++i) {
    local[i] = {pieces[i].to, pieces[i].bytes};
    remote[i] = {const_cast<void*>(pieces[i].from), pieces[i].bytes};
  }
  return WholeOnes(pieces, process_vm_readv(process_, local.data(), pieces.size(), remote.data(),
                                            pieces.size(), 0));
}

size_t GuardedMemory::CopySome(std::span<const Piece> pieces) const {
  std::array<iovec, kMaxPieces> from;
  for (size_t i = 0; i < pieces.size(); ++i) {
    from[i] = {const_cast<void*>(pieces[i].from), pieces[i].bytes};
  }
  if (!IsOurs()) return 0;
  const size_t count =
      WholeOnes(pieces, pwritev(file_, from.data(), static_cast<int>(pieces.size()), 0));
  const char* copy = window_;
  for (const Piece& piece : pieces.first(count)) {
    std::memcpy(piece.to, copy, piece.bytes);
    copy += piece.bytes;
  }
  return count;
}

}  // namespace yp::hotspot
