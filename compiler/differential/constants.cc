// The constants of a generated class.
#include "classfile/bytes.h"
#include "compiler/differential/generator.h"
#include "compiler/differential/method_generator.h"

namespace yp::compiler {

using classfile::ConstantTag;

namespace {

constexpr const char* kHelper = "yieldpoint/generated/Helper";
constexpr const char* kShape = "yieldpoint/generated/Shape";
constexpr const char* kParameters = "(IJDFLyieldpoint/generated/Helper;[I)";

std::vector<uint8_t> Words(uint64_t value) {
  std::vector<uint8_t> bytes;
  classfile::AppendU4(bytes, static_cast<uint32_t>(value >> 32));
  classfile::AppendU4(bytes, static_cast<uint32_t>(value));
  return bytes;
}

std::vector<uint8_t> Word(uint32_t value) {
  std::vector<uint8_t> bytes;
  classfile::AppendU4(bytes, value);
  return bytes;
}

}  // namespace

uint16_t ClassConstants::Once(const std::string& key, const std::function<uint16_t()>& make) {
  const auto found = known_.find(key);
  return found != known_.end() ? found->second : known_.emplace(key, make()).first->second;
}

uint16_t ClassConstants::Class(const std::string& name) {
  return Once("class " + name, [&] { return builder_.Class(name); });
}

uint16_t ClassConstants::Field(const std::string& name, const std::string& descriptor) {
  return Once("field " + name,
              [&] { return builder_.Member(ConstantTag::kFieldref, kHelper, name, descriptor); });
}

uint16_t ClassConstants::HelperMethod(const std::string& name, const std::string& descriptor) {
  return Once("method " + name,
              [&] { return builder_.Member(ConstantTag::kMethodref, kHelper, name, descriptor); });
}

uint16_t ClassConstants::InterfaceMethod(const std::string& name, const std::string& descriptor) {
  return Once("interface " + name, [&] {
    return builder_.Member(ConstantTag::kInterfaceMethodref, kShape, name, descriptor);
  });
}

uint16_t ClassConstants::Constructor(const std::string& owner) {
  return Once("constructor " + owner,
              [&] { return builder_.Member(ConstantTag::kMethodref, owner, "<init>", "()V"); });
}

uint16_t ClassConstants::OwnMethod(int number) {
  return Once("own " + std::to_string(number), [&] {
    return builder_.Member(ConstantTag::kMethodref, own_name_, "m" + std::to_string(number),
                           Descriptor(number));
  });
}

uint16_t ClassConstants::Int(int32_t value) {
  return Once("int " + std::to_string(value),
              [&] { return builder_.Integer(static_cast<uint32_t>(value)); });
}

uint16_t ClassConstants::Float(uint32_t bits) {
  return Once("float " + std::to_string(bits),
              [&] { return builder_.Raw(static_cast<uint8_t>(ConstantTag::kFloat), Word(bits)); });
}

uint16_t ClassConstants::Long(int64_t value) {
  return Once("long " + std::to_string(value), [&] {
    return builder_.Raw(static_cast<uint8_t>(ConstantTag::kLong),
                        Words(static_cast<uint64_t>(value)), 2);
  });
}

uint16_t ClassConstants::Double(uint64_t bits) {
  return Once("double " + std::to_string(bits), [&] {
    return builder_.Raw(static_cast<uint8_t>(ConstantTag::kDouble), Words(bits), 2);
  });
}

uint16_t ClassConstants::String(const std::string& text) {
  return Once("string " + text,
              [&] { return builder_.Reference(ConstantTag::kString, builder_.Utf8(text)); });
}

Value ClassConstants::ReturnType(int method) {
  constexpr Value kTypes[kGeneratedMethods] = {Value::kInt,   Value::kLong,   Value::kDouble,
                                               Value::kFloat, Value::kHelper, Value::kInt};
  return kTypes[method];
}

std::string ClassConstants::Descriptor(int method) {
  constexpr const char* kResults[] = {
      "I", "J", "F", "D", "Lyieldpoint/generated/Helper;", "Ljava/lang/Object;"};
  return std::string(kParameters) + kResults[static_cast<size_t>(ReturnType(method))];
}

}  // namespace yp::compiler
