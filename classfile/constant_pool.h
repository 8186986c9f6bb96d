#ifndef YP_CLASSFILE_CONSTANT_POOL_H_
#define YP_CLASSFILE_CONSTANT_POOL_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "classfile/bytes.h"

namespace yp::classfile {

// JVMS 4.4, table 4.4-A.
enum class ConstantTag : uint8_t {
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldref = 9,
  kMethodref = 10,
  kInterfaceMethodref = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

// A field, a method, or a dynamic constant or call site (these have no owner).
// All texts are modified UTF-8, names of classes are internal (java/lang/String).
struct MemberRef {
  std::string_view owner;
  std::string_view name;
  std::string_view descriptor;
};

// A view of the constants of a class file, which must outlive it.
// - After Parse every reference between constants leads to a constant of the right kind.
// - Look-ups take any index; a wrong one gives nullopt.
class ConstantPool {
 public:
  ConstantPool() = default;

  // Reads from constant_pool_count on. `file` are the bytes that `reader` reads.
  static Result<ConstantPool> Parse(Bytes file, ByteReader& reader);

  // constant_pool_count: one more than the greatest index.
  uint16_t count() const { return static_cast<uint16_t>(offsets_.size()); }
  // nullopt for 0, for the second half of a long or double, and past the end.
  std::optional<ConstantTag> Tag(uint16_t index) const;
  bool Is(uint16_t index, ConstantTag tag) const { return Tag(index) == tag; }
  // Where the constant's bytes after its tag begin in the class file. Needs a valid index.
  size_t ContentOffset(uint16_t index) const { return offsets_[index] + size_t{1}; }

  std::optional<std::string_view> Utf8(uint16_t index) const;
  std::optional<std::string_view> ClassName(uint16_t index) const;
  // Fieldref, Methodref, InterfaceMethodref, Dynamic, InvokeDynamic.
  std::optional<MemberRef> Member(uint16_t index) const;

 private:
  Status CheckReferences() const;
  bool IsReferenceOk(uint16_t index) const;
  uint16_t U2At(uint16_t index, size_t skip) const {
    return LoadU2(&file_[ContentOffset(index) + skip]);
  }

  Bytes file_;
  // Of each constant's tag byte in the file; 0 where there is no constant.
  std::vector<uint32_t> offsets_;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CONSTANT_POOL_H_
