#ifndef YP_FORMAT_JFR_METADATA_H_
#define YP_FORMAT_JFR_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/jfr/cursor.h"

namespace yp::jfr {

// A chunk's description of its own types.

enum class Kind : uint8_t {
  kBoolean,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString,
  kStruct,
};

// Names are the metadata's.
struct Field {
  std::string_view name;
  uint32_t type = 0;         // An index in the metadata's types.
  bool is_constant = false;  // Keys of the type's constant pool stand for values.
  bool is_array = false;
};

// A step of skipping a value.
struct SkipStep {
  enum class What : uint8_t { kByte, kVarint, kFourBytes, kEightBytes, kString, kStruct };
  What what;
  bool is_array;  // Always, of a struct: others' steps stand in its place.
  uint32_t type;  // Of a struct.
};

struct Type {
  int64_t id = 0;
  std::string_view name;  // "jdk.Compilation", "java.lang.Class", "int".
  Kind kind = Kind::kStruct;
  // Whether the type's only field stands for the whole, as a symbol's string does.
  bool is_simple = false;
  std::vector<Field> fields;
  // Each consumes a byte at least, so that skipping takes time linear in the bytes.
  std::vector<SkipStep> skip;
};

class Metadata {
 public:
  Metadata() = default;
  Metadata(Metadata&&) = default;
  Metadata& operator=(Metadata&&) = default;
  // Reads what follows the header of a metadata event. What is malformed, types that contain
  // themselves by value, and structures that unfold to more than 65,536 values make the cursor
  // fail.
  static Metadata Parse(Cursor& in);

  const std::vector<Type>& types() const { return types_; }
  const Type& operator[](uint32_t index) const { return types_[index]; }
  // An index, or -1.
  int64_t Find(int64_t id) const;
  int64_t Find(std::string_view name) const;
  // Which types' constants values of these types may refer to, at first or second hand; by index.
  std::vector<bool> ConstantsOf(std::span<const uint32_t> types) const;

  // Goes past a value of a type, or past a field's.
  void SkipValue(uint32_t type, Cursor& in) const;
  void SkipField(const Field& field, Cursor& in) const;

 private:
  struct ClassElements;
  void Resolve(ClassElements& elements, Cursor& in);
  void PlanSkipping(Cursor& in);
  void PlanSkippingOf(uint32_t type, int depth, std::vector<int>& heights, Cursor& in);

  std::vector<std::string> texts_;
  std::vector<Type> types_;
  std::unordered_map<int64_t, uint32_t> by_id_;
  size_t skip_steps_ = 0;
};

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_METADATA_H_
