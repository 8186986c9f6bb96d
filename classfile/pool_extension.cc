#include "classfile/pool_extension.h"

namespace yp::classfile {

bool PoolExtension::Begin(ConstantTag tag) {
  if (full_ || next_index_ >= 0xffff) {
    full_ = true;
    return false;
  }
  ++next_index_;
  AppendU1(bytes_, static_cast<uint32_t>(tag));
  return true;
}

uint16_t PoolExtension::AddUtf8(std::string_view text) {
  if (text.size() > 0xffff) {
    full_ = true;
  }
  if (!Begin(ConstantTag::kUtf8)) {
    return 0;
  }
  AppendU2(bytes_, static_cast<uint32_t>(text.size()));
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  return last_index();
}

uint16_t PoolExtension::AddInteger(int32_t value) {
  if (!Begin(ConstantTag::kInteger)) {
    return 0;
  }
  AppendU4(bytes_, static_cast<uint32_t>(value));
  return last_index();
}

uint16_t PoolExtension::AddClass(std::string_view internal_name) {
  const uint16_t name = AddUtf8(internal_name);
  if (!Begin(ConstantTag::kClass)) {
    return 0;
  }
  AppendU2(bytes_, name);
  return last_index();
}

uint16_t PoolExtension::AddMethodref(uint16_t owner_class, std::string_view name,
                                     std::string_view descriptor) {
  const uint16_t name_index = AddUtf8(name);
  const uint16_t descriptor_index = AddUtf8(descriptor);
  if (!Begin(ConstantTag::kNameAndType)) {
    return 0;
  }
  AppendU2(bytes_, name_index);
  AppendU2(bytes_, descriptor_index);
  const uint16_t name_and_type = last_index();
  if (!Begin(ConstantTag::kMethodref)) {
    return 0;
  }
  AppendU2(bytes_, owner_class);
  AppendU2(bytes_, name_and_type);
  return last_index();
}

void PoolExtension::Reset(Mark mark) {
  next_index_ = mark.next_index;
  bytes_.resize(mark.size);
  full_ = false;
}

}  // namespace yp::classfile
