#include "classfile/constant_pool.h"

#include <string>

namespace yp::classfile {
namespace {

// Bytes after the tag, for constants of a fixed size; 0 for Utf8 and for tags that do not exist.
size_t FixedSize(ConstantTag tag) {
  switch (tag) {
    case ConstantTag::kClass:
    case ConstantTag::kString:
    case ConstantTag::kMethodType:
    case ConstantTag::kModule:
    case ConstantTag::kPackage:
      return 2;
    case ConstantTag::kMethodHandle:
      return 3;
    case ConstantTag::kInteger:
    case ConstantTag::kFloat:
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref:
    case ConstantTag::kInterfaceMethodref:
    case ConstantTag::kNameAndType:
    case ConstantTag::kDynamic:
    case ConstantTag::kInvokeDynamic:
      return 4;
    case ConstantTag::kLong:
    case ConstantTag::kDouble:
      return 8;
    case ConstantTag::kUtf8:
      return 0;
  }
  return 0;
}

}  // namespace

Result<ConstantPool> ConstantPool::Parse(Bytes file, ByteReader& reader) {
  const uint16_t count = reader.U2();
  if (reader.failed() || count == 0) {
    return Status::Error("constant pool: no entry count");
  }
  ConstantPool pool;
  pool.file_ = file;
  pool.offsets_.assign(count, 0);
  for (uint32_t i = 1; i < count; ++i) {
    pool.offsets_[i] = static_cast<uint32_t>(reader.position());
    const auto tag = static_cast<ConstantTag>(reader.U1());
    if (tag == ConstantTag::kUtf8) {
      reader.Skip(reader.U2());
    } else if (const size_t size = FixedSize(tag); size != 0) {
      reader.Skip(size);
    } else if (!reader.failed()) {
      return Status::Error("constant " + std::to_string(i) + ": unknown tag " +
                           std::to_string(static_cast<int>(tag)));
    }
    if (reader.failed()) {
      return Status::Error("constant " + std::to_string(i) + ": cut off");
    }
    if (tag == ConstantTag::kLong || tag == ConstantTag::kDouble) {
      if (++i == count) {
        return Status::Error("constant " + std::to_string(i - 1) +
                             ": a long or double needs two entries");
      }
    }
  }
  if (Status status = pool.CheckReferences(); !status) {
    return status;
  }
  return pool;
}

std::optional<ConstantTag> ConstantPool::Tag(uint16_t index) const {
  if (index >= offsets_.size() || offsets_[index] == 0) {
    return std::nullopt;
  }
  return static_cast<ConstantTag>(file_[offsets_[index]]);
}

std::optional<std::string_view> ConstantPool::Utf8(uint16_t index) const {
  if (!Is(index, ConstantTag::kUtf8)) {
    return std::nullopt;
  }
  return AsText(file_.subspan(ContentOffset(index) + 2, U2At(index, 0)));
}

std::optional<std::string_view> ConstantPool::ClassName(uint16_t index) const {
  if (!Is(index, ConstantTag::kClass)) {
    return std::nullopt;
  }
  return Utf8(U2At(index, 0));
}

std::optional<MemberRef> ConstantPool::Member(uint16_t index) const {
  const std::optional<ConstantTag> tag = Tag(index);
  if (!tag) {
    return std::nullopt;
  }
  MemberRef member;
  switch (*tag) {
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref:
    case ConstantTag::kInterfaceMethodref:
      member.owner = *ClassName(U2At(index, 0));
      break;
    case ConstantTag::kDynamic:
    case ConstantTag::kInvokeDynamic:
      break;
    default:
      return std::nullopt;
  }
  const uint16_t name_and_type = U2At(index, 2);
  member.name = *Utf8(U2At(name_and_type, 0));
  member.descriptor = *Utf8(U2At(name_and_type, 2));
  return member;
}

Status ConstantPool::CheckReferences() const {
  for (uint32_t i = 1; i < offsets_.size(); ++i) {
    if (offsets_[i] != 0 && !IsReferenceOk(static_cast<uint16_t>(i))) {
      return Status::Error("constant " + std::to_string(i) +
                           ": refers to a constant of another kind than its own kind needs");
    }
  }
  return Status::Ok();
}

bool ConstantPool::IsReferenceOk(uint16_t index) const {
  switch (static_cast<ConstantTag>(file_[offsets_[index]])) {
    case ConstantTag::kClass:
    case ConstantTag::kString:
    case ConstantTag::kMethodType:
    case ConstantTag::kModule:
    case ConstantTag::kPackage:
      return Is(U2At(index, 0), ConstantTag::kUtf8);
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref:
    case ConstantTag::kInterfaceMethodref:
      return Is(U2At(index, 0), ConstantTag::kClass) &&
             Is(U2At(index, 2), ConstantTag::kNameAndType);
    case ConstantTag::kNameAndType:
      return Is(U2At(index, 0), ConstantTag::kUtf8) && Is(U2At(index, 2), ConstantTag::kUtf8);
    case ConstantTag::kDynamic:
    case ConstantTag::kInvokeDynamic:
      return Is(U2At(index, 2), ConstantTag::kNameAndType);
    case ConstantTag::kMethodHandle: {
      // JVMS 4.4.8: the reference kind says what may be referred to.
      const uint8_t kind = file_[ContentOffset(index)];
      const uint16_t to = U2At(index, 1);
      if (kind >= 1 && kind <= 4) {
        return Is(to, ConstantTag::kFieldref);
      }
      if (kind == 5 || kind == 8) {
        return Is(to, ConstantTag::kMethodref);
      }
      if (kind == 6 || kind == 7) {
        return Is(to, ConstantTag::kMethodref) || Is(to, ConstantTag::kInterfaceMethodref);
      }
      return kind == 9 && Is(to, ConstantTag::kInterfaceMethodref);
    }
    default:
      return true;
  }
}

}  // namespace yp::classfile
