#ifndef YP_CLASSFILE_CLASS_CONSTANTS_H_
#define YP_CLASSFILE_CLASS_CONSTANTS_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/pool_extension.h"

namespace yp::classfile {

// Class constants by name: those of the class file, and, as they are asked for, new ones.
class ClassConstants {
 public:
  // Both must outlive it.
  ClassConstants(const ConstantPool& pool, PoolExtension& extension)
      : pool_(pool), extension_(extension) {}

  // An internal name, or the descriptor of an array; its bytes must outlive this. The first
  // constant of that name; 0 when there is none and no room for one.
  uint16_t IndexOf(std::string_view name);
  // After the extension was reset to it.
  void Reset(PoolExtension::Mark mark);

 private:
  const ConstantPool& pool_;
  PoolExtension& extension_;
  // Filled by the first look-up.
  std::unordered_map<std::string_view, uint16_t> indices_;
  // In ascending order of their indices.
  std::vector<std::string_view> added_;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CLASS_CONSTANTS_H_
