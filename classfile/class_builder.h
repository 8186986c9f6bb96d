#ifndef YP_CLASSFILE_CLASS_BUILDER_H_
#define YP_CLASSFILE_CLASS_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/bytes.h"
#include "classfile/constant_pool.h"

namespace yp::classfile {

// Assembles class files for tests, also wrong ones: nothing is checked.
class ClassBuilder {
 public:
  struct NamedBytes {
    std::string name;
    std::vector<uint8_t> info;
  };
  struct MethodSpec {
    std::string name = "m";
    std::string descriptor = "()V";
    uint16_t access_flags = 0x0009;  // public static
    uint16_t max_stack = 0;
    uint16_t max_locals = 0;
    // No Code attribute when empty.
    std::vector<uint8_t> code = {};
    // Four items each: start, end, handler, type.
    std::vector<uint16_t> exceptions = {};
    std::vector<NamedBytes> attributes = {};
  };

  explicit ClassBuilder(std::string_view internal_name = "Test") {
    this_class_ = Class(internal_name);
    super_class_ = Class("java/lang/Object");
  }

  uint16_t Utf8(std::string_view text) {
    const uint16_t index = Begin(ConstantTag::kUtf8);
    AppendU2(pool_, static_cast<uint32_t>(text.size()));
    pool_.insert(pool_.end(), text.begin(), text.end());
    return index;
  }
  uint16_t Integer(uint32_t value) {
    const uint16_t index = Begin(ConstantTag::kInteger);
    AppendU4(pool_, value);
    return index;
  }
  uint16_t Class(std::string_view name) { return Reference(ConstantTag::kClass, Utf8(name)); }
  // Any constant that consists of one index.
  uint16_t Reference(ConstantTag tag, uint16_t to) {
    const uint16_t index = Begin(tag);
    AppendU2(pool_, to);
    return index;
  }
  // Any constant that consists of two indices.
  uint16_t Pair(ConstantTag tag, uint16_t first, uint16_t second) {
    const uint16_t index = Begin(tag);
    AppendU2(pool_, first);
    AppendU2(pool_, second);
    return index;
  }
  uint16_t NameAndType(std::string_view name, std::string_view descriptor) {
    const uint16_t name_index = Utf8(name);
    return Pair(ConstantTag::kNameAndType, name_index, Utf8(descriptor));
  }
  uint16_t Member(ConstantTag tag, std::string_view owner, std::string_view name,
                  std::string_view descriptor) {
    const uint16_t owner_class = Class(owner);
    return Pair(tag, owner_class, NameAndType(name, descriptor));
  }
  // A constant of raw bytes that takes `slots` indices.
  uint16_t Raw(uint8_t tag, const std::vector<uint8_t>& content, uint16_t slots = 1) {
    const uint16_t index = Begin(static_cast<ConstantTag>(tag));
    AppendBytes(pool_, content);
    next_index_ = static_cast<uint16_t>(next_index_ + slots - 1);
    return index;
  }
  uint16_t next_index() const { return next_index_; }

  void AddMethod(const MethodSpec& spec) {
    const uint16_t name = Utf8(spec.name);
    const uint16_t descriptor = Utf8(spec.descriptor);
    AppendU2(methods_, spec.access_flags);
    AppendU2(methods_, name);
    AppendU2(methods_, descriptor);
    AppendU2(methods_, spec.code.empty() ? 0 : 1);
    ++method_count_;
    if (spec.code.empty()) {
      return;
    }
    std::vector<uint8_t> info;
    AppendU2(info, spec.max_stack);
    AppendU2(info, spec.max_locals);
    AppendU4(info, static_cast<uint32_t>(spec.code.size()));
    AppendBytes(info, spec.code);
    AppendU2(info, static_cast<uint32_t>(spec.exceptions.size() / 4));
    for (const uint16_t item : spec.exceptions) {
      AppendU2(info, item);
    }
    AppendU2(info, static_cast<uint32_t>(spec.attributes.size()));
    for (const NamedBytes& attribute : spec.attributes) {
      AppendAttribute(info, attribute);
    }
    AppendAttribute(methods_, {"Code", info});
  }

  std::vector<uint8_t> Build(uint16_t major = 61, uint16_t minor = 0) const {
    std::vector<uint8_t> out;
    AppendU4(out, 0xcafebabe);
    AppendU2(out, minor);
    AppendU2(out, major);
    AppendU2(out, next_index_);
    AppendBytes(out, pool_);
    AppendU2(out, 0x0021);  // public, ACC_SUPER
    AppendU2(out, this_class_);
    AppendU2(out, super_class_);
    AppendU2(out, 0);  // interfaces
    AppendU2(out, 0);  // fields
    AppendU2(out, method_count_);
    AppendBytes(out, methods_);
    AppendU2(out, 0);  // attributes
    return out;
  }

 private:
  uint16_t Begin(ConstantTag tag) {
    AppendU1(pool_, static_cast<uint32_t>(tag));
    return next_index_++;
  }
  void AppendAttribute(std::vector<uint8_t>& out, const NamedBytes& attribute) {
    AppendU2(out, Utf8(attribute.name));
    AppendU4(out, static_cast<uint32_t>(attribute.info.size()));
    AppendBytes(out, attribute.info);
  }

  std::vector<uint8_t> pool_;
  std::vector<uint8_t> methods_;
  uint16_t next_index_ = 1;
  uint16_t method_count_ = 0;
  uint16_t this_class_ = 0;
  uint16_t super_class_ = 0;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CLASS_BUILDER_H_
