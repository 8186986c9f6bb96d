#ifndef YP_CLASSFILE_CLASS_FILE_H_
#define YP_CLASSFILE_CLASS_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "classfile/bytes.h"
#include "classfile/constant_pool.h"

namespace yp::classfile {

// JDK 25. A later version may have constants or instructions that would be read wrongly.
inline constexpr uint16_t kNewestMajorVersion = 69;
inline constexpr uint16_t kOldestMajorVersion = 45;

// JVMS 4.1, 4.6: the flags that the folder and its users look at.
inline constexpr uint16_t kAccPublic = 0x0001;
inline constexpr uint16_t kAccPrivate = 0x0002;
inline constexpr uint16_t kAccProtected = 0x0004;
inline constexpr uint16_t kAccStatic = 0x0008;
inline constexpr uint16_t kAccFinal = 0x0010;
inline constexpr uint16_t kAccSynchronized = 0x0020;
inline constexpr uint16_t kAccNative = 0x0100;
inline constexpr uint16_t kAccInterface = 0x0200;
inline constexpr uint16_t kAccAbstract = 0x0400;
inline constexpr uint16_t kAccSynthetic = 0x1000;

struct Attribute {
  uint16_t name_index = 0;
  std::string_view name;
  // Without the name index and the length.
  Bytes info;
};

// Walks attributes that ClassFile::Parse has found well-formed.
class AttributeCursor {
 public:
  // `table` starts with the first attribute, after the count.
  AttributeCursor(const ConstantPool& pool, Bytes table) : pool_(pool), reader_(table) {}
  // False after the last one.
  bool Next(Attribute& attribute);

 private:
  const ConstantPool& pool_;
  ByteReader reader_;
};

struct LineNumber {
  uint16_t bci = 0;
  uint16_t line = 0;
};

// JVMS 4.7.3.
struct Code {
  // Of the whole attribute in the class file, from its name index to its end.
  size_t begin_offset = 0;
  size_t end_offset = 0;
  uint16_t max_stack = 0;
  uint16_t max_locals = 0;
  Bytes bytecode;
  // Entries of 8 bytes: start_pc, end_pc, handler_pc, catch_type.
  Bytes exception_table;
  uint16_t attribute_count = 0;
  Bytes attributes;
};

struct Method {
  std::string_view name;
  std::string_view descriptor;
  uint16_t access_flags = 0;
  // None for abstract and native methods.
  std::optional<Code> code;
};

// A checked view of a class file, versions 45.3 to 69 (JDK 1.0.2 to 25).
// - The bytes must outlive it and everything taken from it, texts included.
// - Texts are modified UTF-8 as in the file; ToUtf8 in modified_utf8.h makes them printable.
// - Parse checks the structure down to the attributes of Code; CheckCode in check.h goes on inside.
class ClassFile {
 public:
  static Result<ClassFile> Parse(Bytes bytes);

  Bytes bytes() const { return bytes_; }
  const ConstantPool& pool() const { return pool_; }
  // Where the access flags, the first item after the constants, begin.
  size_t pool_end_offset() const { return pool_end_offset_; }
  uint16_t major_version() const { return major_version_; }
  uint16_t minor_version() const { return minor_version_; }
  uint16_t access_flags() const { return access_flags_; }
  bool is_interface() const { return (access_flags_ & kAccInterface) != 0; }
  // java/lang/String
  std::string_view internal_name() const { return name_; }
  // java.lang.String
  std::string DottedName() const;
  // Internal; empty for java/lang/Object and module-info.
  std::string_view super_name() const { return super_name_; }
  const std::vector<std::string_view>& interfaces() const { return interfaces_; }
  // Empty where there is none.
  std::string_view source_file() const { return source_file_; }
  const std::vector<Method>& methods() const { return methods_; }

  // Sorted by bci. Empty without debug information, and when that is malformed.
  std::vector<LineNumber> LineNumbers(const Method& method) const;

 private:
  Status ParseAfterPool(ByteReader& reader);
  Status ParseMember(ByteReader& reader, bool is_method);
  Status ParseCode(size_t begin_offset, size_t info_offset, Bytes info, Method& method) const;

  Bytes bytes_;
  ConstantPool pool_;
  size_t pool_end_offset_ = 0;
  uint16_t major_version_ = 0;
  uint16_t minor_version_ = 0;
  uint16_t access_flags_ = 0;
  std::string_view name_;
  std::string_view super_name_;
  std::vector<std::string_view> interfaces_;
  std::string_view source_file_;
  std::vector<Method> methods_;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CLASS_FILE_H_
