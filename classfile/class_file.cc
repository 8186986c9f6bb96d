#include "classfile/class_file.h"

#include <algorithm>

namespace yp::classfile {
namespace {

// Skips `count` attributes of `reader`; false when they are cut off or have no name.
bool SkipAttributes(const ConstantPool& pool, uint16_t count, ByteReader& reader) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint16_t name = reader.U2();
    reader.Skip(reader.U4());
    if (reader.failed() || !pool.Is(name, ConstantTag::kUtf8)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool AttributeCursor::Next(Attribute& attribute) {
  if (reader_.at_end()) {
    return false;
  }
  attribute.name_index = reader_.U2();
  attribute.name = pool_.Utf8(attribute.name_index).value_or(std::string_view());
  attribute.info = reader_.Read(reader_.U4());
  return !reader_.failed();
}

Result<ClassFile> ClassFile::Parse(Bytes bytes) {
  ByteReader reader(bytes);
  if (reader.U4() != 0xcafebabe) {
    return Status::Error("not a class file: it does not start with CAFEBABE");
  }
  ClassFile file;
  file.bytes_ = bytes;
  file.minor_version_ = reader.U2();
  file.major_version_ = reader.U2();
  // Up to 45.2 Code has narrower fields; no compiler since JDK 1.0.2 makes such files.
  if (file.major_version_ > kNewestMajorVersion || file.major_version_ < kOldestMajorVersion ||
      (file.major_version_ == kOldestMajorVersion && file.minor_version_ < 3)) {
    return Status::Error("class file version " + std::to_string(file.major_version_) + "." +
                         std::to_string(file.minor_version_) +
                         " is not supported: 45.3 to 69 (JDK 25) are");
  }
  Result<ConstantPool> pool = ConstantPool::Parse(bytes, reader);
  if (!pool) {
    return Status::Error("class file: " + std::string(pool.message()));
  }
  file.pool_ = *std::move(pool);
  file.pool_end_offset_ = reader.position();
  if (Status status = file.ParseAfterPool(reader); !status) {
    return Status::Error("class " + (file.name_.empty() ? "file" : file.DottedName()) + ": " +
                         std::string(status.message()));
  }
  return file;
}

Status ClassFile::ParseAfterPool(ByteReader& reader) {
  access_flags_ = reader.U2();
  const std::optional<std::string_view> name = pool_.ClassName(reader.U2());
  if (!name) {
    return Status::Error("this_class is no class");
  }
  name_ = *name;
  if (const uint16_t super = reader.U2(); super != 0) {
    const std::optional<std::string_view> super_name = pool_.ClassName(super);
    if (!super_name) {
      return Status::Error("super_class is no class");
    }
    super_name_ = *super_name;
  }
  const uint16_t interface_count = reader.U2();
  for (uint32_t i = 0; i < interface_count; ++i) {
    const std::optional<std::string_view> interface = pool_.ClassName(reader.U2());
    if (!interface) {
      return Status::Error("interface " + std::to_string(i) + " is no class");
    }
    interfaces_.push_back(*interface);
  }
  const uint16_t field_count = reader.U2();
  for (uint32_t i = 0; i < field_count; ++i) {
    if (Status status = ParseMember(reader, false); !status) {
      return Status::Error("field " + std::to_string(i) + ": " + std::string(status.message()));
    }
  }
  const uint16_t method_count = reader.U2();
  // Each takes at least 8 bytes, so a false count cannot reserve more than the file allows.
  methods_.reserve(std::min<size_t>(method_count, bytes_.size() / 8));
  for (uint32_t i = 0; i < method_count; ++i) {
    if (Status status = ParseMember(reader, true); !status) {
      return Status::Error("method " + std::to_string(i) + ": " + std::string(status.message()));
    }
  }
  const uint16_t attribute_count = reader.U2();
  for (uint32_t i = 0; i < attribute_count; ++i) {
    const std::optional<std::string_view> attribute = pool_.Utf8(reader.U2());
    const Bytes info = reader.Read(reader.U4());
    if (!attribute) {
      return Status::Error("an attribute has no name");
    }
    if (*attribute == "SourceFile" && info.size() == 2) {
      source_file_ = pool_.Utf8(LoadU2(info.data())).value_or(std::string_view());
    }
  }
  if (reader.failed()) {
    return Status::Error("cut off at byte " + std::to_string(reader.position()));
  }
  if (!reader.at_end()) {
    return Status::Error("bytes after its end at " + std::to_string(reader.position()));
  }
  return Status::Ok();
}

Status ClassFile::ParseMember(ByteReader& reader, bool is_method) {
  Method method;
  method.access_flags = reader.U2();
  const std::optional<std::string_view> name = pool_.Utf8(reader.U2());
  const std::optional<std::string_view> descriptor = pool_.Utf8(reader.U2());
  if (!name || !descriptor) {
    return Status::Error("it has no name or descriptor");
  }
  method.name = *name;
  method.descriptor = *descriptor;
  const uint16_t attribute_count = reader.U2();
  if (!is_method) {
    return SkipAttributes(pool_, attribute_count, reader)
               ? Status::Ok()
               : Status::Error("its attributes are cut off or have no name");
  }
  for (uint32_t i = 0; i < attribute_count; ++i) {
    const size_t begin_offset = reader.position();
    const std::optional<std::string_view> attribute = pool_.Utf8(reader.U2());
    const uint32_t length = reader.U4();
    const size_t info_offset = reader.position();
    const Bytes info = reader.Read(length);
    if (reader.failed() || !attribute) {
      return Status::Error(std::string(*name) + ": its attributes are cut off or have no name");
    }
    if (*attribute == "Code") {
      if (Status status = ParseCode(begin_offset, info_offset, info, method); !status) {
        return Status::Error(std::string(*name) + std::string(*descriptor) + ": " +
                             std::string(status.message()));
      }
    }
  }
  methods_.push_back(std::move(method));
  return Status::Ok();
}

Status ClassFile::ParseCode(size_t begin_offset, size_t info_offset, Bytes info,
                            Method& method) const {
  if (method.code) {
    return Status::Error("it has two Code attributes");
  }
  ByteReader reader(info);
  Code code;
  code.begin_offset = begin_offset;
  code.end_offset = info_offset + info.size();
  code.max_stack = reader.U2();
  code.max_locals = reader.U2();
  const uint32_t code_length = reader.U4();
  code.bytecode = reader.Read(code_length);
  const uint16_t exception_count = reader.U2();
  code.exception_table = reader.Read(size_t{exception_count} * 8);
  code.attribute_count = reader.U2();
  const size_t attributes_begin = reader.position();
  if (reader.failed() || !SkipAttributes(pool_, code.attribute_count, reader) || !reader.at_end()) {
    return Status::Error("its Code attribute is cut off or has a wrong length");
  }
  if (code_length == 0 || code_length > 65535) {
    return Status::Error("its code has " + std::to_string(code_length) + " bytes");
  }
  code.attributes = info.subspan(attributes_begin);
  method.code = code;
  return Status::Ok();
}

std::string ClassFile::DottedName() const {
  std::string dotted(name_);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

std::vector<LineNumber> ClassFile::LineNumbers(const Method& method) const {
  std::vector<LineNumber> lines;
  if (!method.code) {
    return lines;
  }
  AttributeCursor cursor(pool_, method.code->attributes);
  for (Attribute attribute; cursor.Next(attribute);) {
    if (attribute.name != "LineNumberTable") {
      continue;
    }
    ByteReader reader(attribute.info);
    const uint16_t count = reader.U2();
    for (uint32_t i = 0; i < count && !reader.failed(); ++i) {
      LineNumber line;
      line.bci = reader.U2();
      line.line = reader.U2();
      lines.push_back(line);
    }
    if (reader.failed()) {
      return {};
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LineNumber& a, const LineNumber& b) { return a.bci < b.bci; });
  return lines;
}

}  // namespace yp::classfile
