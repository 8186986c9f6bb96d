#include "compiler/ctb/shadow.h"

#include <sys/mman.h>

namespace yp::compiler {
namespace {

// Behind the last class that a narrow pointer can name.
constexpr uint64_t kLargestClass = 1 << 20;

}  // namespace

Shadow::~Shadow() {
  if (bytes_ != 0) munmap(reinterpret_cast<void*>(base_), bytes_);
}

Status Shadow::Reserve(uint64_t klass_base, uint8_t klass_shift, uint8_t words_log2) {
  const size_t bytes = ((uint64_t{1} << (32 + klass_shift)) + kLargestClass) << words_log2;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return Status::Error("there is no address space for code targets");
  madvise(at, bytes, MADV_NOHUGEPAGE);  // A word here and there.
  madvise(at, bytes, MADV_DONTDUMP);
  klass_base_ = klass_base;
  base_ = reinterpret_cast<uint64_t>(at);
  words_log2_ = words_log2;
  bytes_ = bytes;
  return Status::Ok();
}

std::atomic<uint64_t>* Shadow::Words(uint64_t klass, int32_t slot) const {
  const uint64_t at = klass - klass_base_ + static_cast<uint64_t>(static_cast<int64_t>(slot));
  return reinterpret_cast<std::atomic<uint64_t>*>(base_ + (at << words_log2_));
}

}  // namespace yp::compiler
