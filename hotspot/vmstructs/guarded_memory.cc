#include "hotspot/vmstructs/guarded_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "hotspot/arch/arch.h"

namespace yp::hotspot {
namespace {

// Of one system call; the kernel takes up to 1024 (IOV_MAX).
constexpr size_t kMaxPieces = 256;

// Where the file's number is looked for: behind those that programs have.
constexpr int kLeastNumber = 512;

bool CanBe(const GuardedMemory::Piece& piece) {
  const auto from = reinterpret_cast<uintptr_t>(piece.from);
  return from < kEndOfAddresses && piece.bytes <= kEndOfAddresses - from;
}

// Has the processor fetch what will be read. An address that cannot be read is no matter. The
// pieces of a batch are all over the VM's memory, and the kernel copies one after the other: to
// fetch them side by side takes an eighth off the time of reading what the VM has counted (jython,
// eight pairs of runs, 2026-11, 2-core x86-64 virtual machine).
void Prefetch(const GuardedMemory::Piece& piece) {
  constexpr size_t kLine = 64, kMostBytes = 512;  // The processor itself goes on in longer ones.
  for (size_t at = 0; at < std::min(piece.bytes, kMostBytes); at += kLine) {
    __builtin_prefetch(GuardedMemory::At(piece.from, static_cast<int64_t>(at)));
  }
}

// How many pieces were copied, of which the kernel says so many bytes were, or an error.
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
  if (way == Way::kProcMem) {
    memory.file_ = AboveStandardStreams(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  }
  const uint64_t known = 0x5950'6d65'6d6f'7279;
  if (memory.Get<uint64_t>(&known, 0) != known) {
    return Status::Error(
        "this process may not read its own memory: files in memory, process_vm_readv and "
        "/proc/self/mem are denied");
  }
  return memory;
}

// Whoever writes past RLIMIT_FSIZE gets a signal.
bool GuardedMemory::OpenMemoryFile() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < kWindowBytes) return false;
  file_ = memfd_create("yieldpoint", MFD_CLOEXEC);
  if (file_ < 0) return false;
  if (const int high = fcntl(file_, F_DUPFD_CLOEXEC, kLeastNumber); high >= 0) {
    close(std::exchange(file_, high));
  }
  struct stat status {};
  if (ftruncate(file_, kWindowBytes) != 0 || fstat(file_, &status) != 0) return false;
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
  if (bytes == 0) return true;
  Piece whole{.from = from, .to = to, .bytes = bytes};
  ReadEach({&whole, 1});
  return whole.is_read;
}

// Of several pieces the kernel may refuse all because of one, or those that come soon before it:
// only a piece that is read alone is known to be unreadable.
void GuardedMemory::ReadEach(std::span<Piece> pieces) const {
  while (!pieces.empty()) {
    size_t some = 0;
    for (size_t bytes = 0; some < std::min(pieces.size(), kMaxPieces); ++some) {
      bytes += pieces[some].bytes;
      if (!CanBe(pieces[some]) || (some > 0 && bytes > kWindowBytes)) break;
    }
    size_t count = some > 0 ? ReadSome(pieces.first(some)) : 0;
    for (size_t i = 0; i < count; ++i) pieces[i].is_read = true;
    if (count == some && some > 0) {
      pieces = pieces.subspan(count);
      continue;
    }
    const bool is_read = some > 1 && ReadSome(pieces.subspan(count, 1)) == 1;
    pieces[count].is_read = is_read;
    pieces = pieces.subspan(count + 1);
  }
}

size_t GuardedMemory::ReadSome(std::span<const Piece> pieces) const {
  if (way_ == Way::kReadv) return ReadvSome(pieces);
  if (way_ == Way::kMemoryFile) {
    if (pieces.front().bytes <= kWindowBytes) {
      const std::optional<size_t> copied = CopySome(pieces);
      return copied ? *copied : ReadvSome(pieces);
    }
    // It comes alone.
    const Piece& whole = pieces.front();
    for (size_t done = 0; done < whole.bytes; done += kWindowBytes) {
      const Piece part{.from = At(whole.from, static_cast<int64_t>(done)),
                       .to = static_cast<char*>(whole.to) + done,
                       .bytes = std::min(whole.bytes - done, kWindowBytes)};
      if (ReadSome({&part, 1}) != 1) return 0;
    }
    return 1;
  }
  const auto failed = std::ranges::find_if_not(pieces, [this](const Piece& piece) {
    const auto offset = static_cast<off_t>(reinterpret_cast<uintptr_t>(piece.from));
    return pread(file_, piece.to, piece.bytes, offset) == static_cast<ssize_t>(piece.bytes);
  });
  return static_cast<size_t>(failed - pieces.begin());
}

size_t GuardedMemory::ReadvSome(std::span<const Piece> pieces) const {
  std::array<iovec, kMaxPieces> local{}, remote{};
  for (size_t i = 0; i < pieces.size(); ++i) {
    local[i] = {pieces[i].to, pieces[i].bytes};
    remote[i] = {const_cast<void*>(pieces[i].from), pieces[i].bytes};
  }
  return WholeOnes(pieces, process_vm_readv(process_, local.data(), pieces.size(), remote.data(),
                                            pieces.size(), 0));
}

std::optional<size_t> GuardedMemory::CopySome(std::span<const Piece> pieces) const {
  std::array<iovec, kMaxPieces> from{};
  for (size_t i = 0; i < pieces.size(); ++i) {
    from[i] = {const_cast<void*>(pieces[i].from), pieces[i].bytes};
    if (pieces.size() > 1) Prefetch(pieces[i]);
  }
  if (!IsOurs()) return std::nullopt;
  // Not libc's pwritev: a sanitizer's own would look at the memory first, which may be anyone's.
  const ssize_t copied = syscall(SYS_pwritev, file_, from.data(), pieces.size(), 0L, 0L);
  if (copied < 0 && errno != EFAULT) return std::nullopt;
  const size_t count = WholeOnes(pieces, copied);
  const char* copy = window_;
  for (const Piece& piece : pieces.first(count)) {
    std::memcpy(piece.to, copy, piece.bytes);
    copy += piece.bytes;
  }
  return count;
}

}  // namespace yp::hotspot
