#include "classfile/code_tables.h"

namespace yp::classfile {
namespace {

// Annotations nest as deep as their author likes; nobody's source goes near this, and the walk is
// recursive.
constexpr int kMaxAnnotationDepth = 64;

bool VisitLines(ByteReader& reader, OffsetVisitor& visitor) {
  const uint16_t count = reader.U2();
  for (uint32_t i = 0; i < count; ++i) {
    const size_t position = reader.position();
    const uint16_t bci = reader.U2();
    reader.Skip(2);  // line_number
    if (reader.failed() || !visitor.Line(position, bci)) {
      return false;
    }
  }
  return true;
}

// `entry_bytes_left`: of an entry, after its start and length.
bool VisitRanges(ByteReader& reader, size_t entry_bytes_left, OffsetVisitor& visitor) {
  const uint16_t count = reader.U2();
  for (uint32_t i = 0; i < count; ++i) {
    const size_t position = reader.position();
    const uint16_t start = reader.U2();
    const uint16_t length = reader.U2();
    reader.Skip(entry_bytes_left);
    if (reader.failed() || !visitor.Range(position, start, length)) {
      return false;
    }
  }
  return true;
}

bool SkipAnnotation(ByteReader& reader, int depth);

// JVMS 4.7.16.1.
bool SkipElementValue(ByteReader& reader, int depth) {
  if (depth > kMaxAnnotationDepth) {
    return false;
  }
  switch (reader.U1()) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
    case 's':
    case 'c':
      reader.Skip(2);
      break;
    case 'e':
      reader.Skip(4);
      break;
    case '@':
      return SkipAnnotation(reader, depth + 1);
    case '[': {
      const uint16_t count = reader.U2();
      for (uint32_t i = 0; i < count; ++i) {
        if (!SkipElementValue(reader, depth + 1)) {
          return false;
        }
      }
      break;
    }
    default:
      return false;
  }
  return !reader.failed();
}

// type_index and the element-value pairs (JVMS 4.7.16).
bool SkipAnnotation(ByteReader& reader, int depth) {
  reader.Skip(2);
  const uint16_t count = reader.U2();
  for (uint32_t i = 0; i < count; ++i) {
    reader.Skip(2);  // element_name_index
    if (!SkipElementValue(reader, depth)) {
      return false;
    }
  }
  return !reader.failed();
}

// JVMS 4.7.20, table 4.7.20-B: the targets that occur in the attribute of a Code attribute.
bool VisitTypeAnnotationTarget(ByteReader& reader, OffsetVisitor& visitor) {
  const uint8_t type = reader.U1();
  if (type == 0x40 || type == 0x41) {  // localvar_target
    return VisitRanges(reader, 2, visitor);
  }
  if (type == 0x42) {  // catch_target: an index into the exception table, which keeps its order
    reader.Skip(2);
    return !reader.failed();
  }
  if (type >= 0x43 && type <= 0x4b) {  // offset_target, type_argument_target
    const size_t position = reader.position();
    const uint16_t bci = reader.U2();
    reader.Skip(type >= 0x47 ? 1 : 0);
    return !reader.failed() && visitor.Point(position, bci);
  }
  return false;
}

bool VisitTypeAnnotations(ByteReader& reader, OffsetVisitor& visitor) {
  const uint16_t count = reader.U2();
  for (uint32_t i = 0; i < count; ++i) {
    if (!VisitTypeAnnotationTarget(reader, visitor)) {
      return false;
    }
    reader.Skip(size_t{2} * reader.U1());  // type_path
    if (!SkipAnnotation(reader, 0)) {
      return false;
    }
  }
  return true;
}

bool VisitVerificationTypes(uint32_t count, ByteReader& reader, StackMapVisitor& visitor) {
  for (uint32_t i = 0; i < count; ++i) {
    VerificationType type{reader.U1(), 0};
    if (type.has_operand()) type.operand = reader.U2();
    if (reader.failed() || type.tag > VerificationType::kUninitialized || !visitor.Type(type)) {
      return false;
    }
  }
  return true;
}

bool VisitCountedVerificationTypes(ByteReader& reader, StackMapVisitor& visitor) {
  const uint16_t count = reader.U2();
  if (reader.failed()) {
    return false;
  }
  visitor.Count(count);
  return VisitVerificationTypes(count, reader, visitor);
}

}  // namespace

bool VisitOffsets(CodeTable table, Bytes info, OffsetVisitor& visitor) {
  ByteReader reader(info);
  bool ok = false;
  switch (table) {
    case CodeTable::kLineNumbers:
      ok = VisitLines(reader, visitor);
      break;
    case CodeTable::kLocalVariables:
      ok = VisitRanges(reader, 6, visitor);
      break;
    case CodeTable::kTypeAnnotations:
      ok = VisitTypeAnnotations(reader, visitor);
      break;
    case CodeTable::kNone:
    case CodeTable::kStackMap:
      break;
  }
  return ok && !reader.failed() && reader.at_end();
}

bool VisitStackMap(Bytes info, StackMapVisitor& visitor) {
  ByteReader reader(info);
  const uint16_t count = reader.U2();
  // JVMS 4.7.4: the first frame's offset is its delta, every other is the last one's + delta + 1.
  uint32_t next_base = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t type = reader.U1();
    if (type >= 128 && type <= 246) {
      return false;
    }
    const uint32_t delta = type < 64 ? type : type < 128 ? type - 64u : reader.U2();
    const uint32_t bci = next_base + delta;
    next_base = bci + 1;
    if (reader.failed() || !visitor.Frame(type, bci)) {
      return false;
    }
    bool ok = true;
    if ((type >= 64 && type < 128) || type == 247) {
      ok = VisitVerificationTypes(1, reader, visitor);
    } else if (type >= 252 && type <= 254) {
      ok = VisitVerificationTypes(type - 251u, reader, visitor);
    } else if (type == 255) {
      ok = VisitCountedVerificationTypes(reader, visitor) &&
           VisitCountedVerificationTypes(reader, visitor);
    }
    if (!ok) {
      return false;
    }
  }
  return !reader.failed() && reader.at_end();
}

}  // namespace yp::classfile
