#include "classfile/frame_locals.h"

#include <optional>

#include "classfile/bytes.h"

namespace yp::classfile {
namespace {

// JVMS 4.3.3: a method has no more, `this` included.
constexpr uint32_t kMaxArgumentSlots = 255;
// this_class follows the access flags.
constexpr size_t kThisClassOffset = 2;

bool IsTwoSlots(VerificationType type) {
  return type.tag == VerificationType::kLong || type.tag == VerificationType::kDouble;
}

std::optional<VerificationType::Tag> TagOf(char descriptor) {
  switch (descriptor) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
    case 'I':
      return VerificationType::kInteger;
    case 'F':
      return VerificationType::kFloat;
    case 'J':
      return VerificationType::kLong;
    case 'D':
      return VerificationType::kDouble;
    case '[':
    case 'L':
      return VerificationType::kObject;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool IsSameType(const ConstantPool& pool, const FrameLocal& a, const FrameLocal& b) {
  if (a.type.tag != b.type.tag) return false;
  if (!a.type.has_operand()) return true;
  if (a.class_name.empty() && b.class_name.empty()) return a.type.operand == b.type.operand;
  const auto name = [&](const FrameLocal& local) {
    return local.class_name.empty() ? pool.ClassName(local.type.operand) : local.class_name;
  };
  return name(a) == name(b);
}

bool FrameLocals::SetToArguments(const ClassFile& file, const Method& method) {
  Clear();
  if ((method.access_flags & kAccStatic) == 0) {
    if (method.name == "<init>" && file.internal_name() != "java/lang/Object") {
      Push({{VerificationType::kUninitializedThis}});
    } else {
      const uint16_t this_class = LoadU2(&file.bytes()[file.pool_end_offset() + kThisClassOffset]);
      Push({{VerificationType::kObject, this_class}});
    }
  }
  return PushArguments(method.descriptor);
}

// JVMS 4.3.3.
bool FrameLocals::PushArguments(std::string_view descriptor) {
  if (!descriptor.starts_with('(')) return false;
  size_t i = 1;
  while (i < descriptor.size() && descriptor[i] != ')') {
    const size_t begin = i;
    const std::optional<VerificationType::Tag> tag = TagOf(descriptor[i]);
    if (!tag || slots_ > kMaxArgumentSlots) return false;
    i = descriptor.find_first_not_of('[', i);
    if (i == std::string_view::npos || !TagOf(descriptor[i])) return false;
    if (descriptor[i] == 'L') i = descriptor.find(';', i);
    if (i == std::string_view::npos) return false;
    ++i;
    FrameLocal local{{*tag}};
    if (descriptor[begin] == '[') {
      local.class_name = descriptor.substr(begin, i - begin);
    } else if (*tag == VerificationType::kObject) {
      local.class_name = descriptor.substr(begin + 1, i - begin - 2);
      if (local.class_name.empty()) return false;
    }
    Push(local);
  }
  return i < descriptor.size() && slots_ <= kMaxArgumentSlots;
}

void FrameLocals::Push(const FrameLocal& local) {
  entries_.push_back(local);
  slots_ += IsTwoSlots(local.type) ? 2 : 1;
}

bool FrameLocals::Pop() {
  if (entries_.empty()) return false;
  slots_ -= IsTwoSlots(entries_.back().type) ? 2 : 1;
  entries_.pop_back();
  return true;
}

void FrameLocals::Clear() {
  entries_.clear();
  slots_ = 0;
}

size_t FrameLocals::size_without_tops() const {
  size_t size = entries_.size();
  while (size > 0 && entries_[size - 1].type.tag == VerificationType::kTop) --size;
  return size;
}

}  // namespace yp::classfile
