#ifndef YP_CLASSFILE_CODE_TABLES_H_
#define YP_CLASSFILE_CODE_TABLES_H_

#include <cstdint>
#include <string_view>

#include "classfile/bytes.h"

namespace yp::classfile {

// The attributes of Code that hold bytecode offsets. The JVM specification has no others; of
// javac's own, only CharacterRangeTable (-Xjcov) has some, and nothing in a JVM reads it. Unknown
// attributes hold bytes that only their maker understands.
enum class CodeTable : uint8_t {
  kNone,
  kLineNumbers,
  // LocalVariableTable and LocalVariableTypeTable have the same layout.
  kLocalVariables,
  kStackMap,
  kTypeAnnotations,
};

inline CodeTable CodeTableOf(std::string_view attribute) {
  if (attribute == "LineNumberTable") {
    return CodeTable::kLineNumbers;
  }
  if (attribute == "LocalVariableTable" || attribute == "LocalVariableTypeTable") {
    return CodeTable::kLocalVariables;
  }
  if (attribute == "StackMapTable") {
    return CodeTable::kStackMap;
  }
  if (attribute == "RuntimeVisibleTypeAnnotations" ||
      attribute == "RuntimeInvisibleTypeAnnotations") {
    return CodeTable::kTypeAnnotations;
  }
  return CodeTable::kNone;
}

// What the walks below report. `position` is where the two bytes of an offset are in the
// attribute's info. Every function returns whether to go on.
class OffsetVisitor {
 public:
  virtual ~OffsetVisitor() = default;
  // A source line begins at `bci`.
  virtual bool Line(size_t position, uint32_t bci) = 0;
  // The instruction at `bci` itself is meant.
  virtual bool Point(size_t position, uint32_t bci) = 0;
  // A local variable has a value in [start, start + length). Its length follows its start directly.
  virtual bool Range(size_t position, uint32_t start, uint32_t length) = 0;
};

// JVMS 4.7.4.
struct VerificationType {
  enum Tag : uint8_t {
    kTop,
    kInteger,
    kFloat,
    kDouble,
    kLong,
    kNull,
    kUninitializedThis,
    kObject,
    kUninitialized,
  };

  uint8_t tag = kTop;
  // Of an Object, the index of its Class constant; of an Uninitialized, the bci of its `new`.
  uint16_t operand = 0;

  bool has_operand() const { return tag == kObject || tag == kUninitialized; }
};

// What VisitStackMap reports, in the order of the file, so that a copy can be written on the way.
class StackMapVisitor {
 public:
  virtual ~StackMapVisitor() = default;
  // JVMS 4.7.4: type 0..63, 64..127 or 247..255. The offset is already added up.
  virtual bool Frame(uint8_t type, uint32_t bci) = 0;
  // Of a frame of type 255: how many locals follow, and after them, how many stack entries.
  virtual void Count(uint16_t count) = 0;
  virtual bool Type(VerificationType type) = 0;
};

// Each is false when the table is malformed, has bytes left over, or the visitor stopped.
// `table` is kLineNumbers, kLocalVariables or kTypeAnnotations.
bool VisitOffsets(CodeTable table, Bytes info, OffsetVisitor& visitor);
bool VisitStackMap(Bytes info, StackMapVisitor& visitor);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CODE_TABLES_H_
