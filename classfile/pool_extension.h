#ifndef YP_CLASSFILE_POOL_EXTENSION_H_
#define YP_CLASSFILE_POOL_EXTENSION_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "classfile/constant_pool.h"

namespace yp::classfile {

// Constants to append to a class file's own, whose indices stay as they are.
// - Indices end at 65534 (JVMS 4.1). Past that, an Add makes full() true and gives 0.
// - Reset goes back to a Mark, so that a method that is given up leaves nothing behind.
class PoolExtension {
 public:
  struct Mark {
    uint32_t next_index = 0;
    size_t size = 0;
  };

  explicit PoolExtension(const ConstantPool& pool) : next_index_(pool.count()) {}

  uint16_t AddUtf8(std::string_view text);
  uint16_t AddInteger(int32_t value);
  uint16_t AddClass(std::string_view internal_name);
  uint16_t AddMethodref(uint16_t owner_class, std::string_view name, std::string_view descriptor);

  bool full() const { return full_; }
  Mark mark() const { return {next_index_, bytes_.size()}; }
  void Reset(Mark mark);

  // constant_pool_count with the additions.
  uint16_t count() const { return static_cast<uint16_t>(next_index_); }
  Bytes bytes() const { return bytes_; }

 private:
  // Begins a constant; false when there is no index left.
  bool Begin(ConstantTag tag);
  uint16_t last_index() const { return static_cast<uint16_t>(next_index_ - 1); }

  uint32_t next_index_;
  bool full_ = false;
  std::vector<uint8_t> bytes_;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_POOL_EXTENSION_H_
