#ifndef YP_COMPILER_CTB_SHADOW_H_
#define YP_COMPILER_CTB_SHADOW_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace yp::compiler {

// Words of our own for each word of the VM's space of classes: address space, of which only what is
// written to takes memory.
class Shadow {
 public:
  Shadow() = default;
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  // For what narrow class pointers of 32 bits reach, from `klass_base` on; 2^words_log2 words for
  // each word there.
  Status Reserve(uint64_t klass_base, uint8_t klass_shift, uint8_t words_log2);

  // Where narrow class 0 would have its words.
  uint64_t base() const { return base_; }
  uint8_t words_log2() const { return words_log2_; }
  // The first word of a slot `slot` bytes behind the Klass.
  std::atomic<uint64_t>* Words(uint64_t klass, int32_t slot) const;

 private:
  uint64_t klass_base_ = 0;
  uint64_t base_ = 0;
  uint8_t words_log2_ = 0;
  size_t bytes_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_CTB_SHADOW_H_
