#ifndef YP_COMPILER_DIFFERENTIAL_METHOD_GENERATOR_H_
#define YP_COMPILER_DIFFERENTIAL_METHOD_GENERATOR_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/random.h"
#include "classfile/class_builder.h"
#include "compiler/differential/code_builder.h"

namespace yp::compiler {

// A type of a value that generated code works with.
enum class Value : uint8_t { kInt, kLong, kFloat, kDouble, kHelper, kObject };

// The constants of a generated class, each made when it is first named.
class ClassConstants {
 public:
  ClassConstants(classfile::ClassBuilder& builder, std::string own_name)
      : builder_(builder), own_name_(std::move(own_name)) {}

  uint16_t Class(const std::string& name);
  uint16_t Field(const std::string& name, const std::string& descriptor);
  uint16_t HelperMethod(const std::string& name, const std::string& descriptor);
  uint16_t InterfaceMethod(const std::string& name, const std::string& descriptor);
  uint16_t Constructor(const std::string& owner);
  uint16_t OwnMethod(int number);
  uint16_t Int(int32_t value);
  uint16_t Float(uint32_t bits);
  uint16_t Long(int64_t value);
  uint16_t Double(uint64_t bits);
  uint16_t String(const std::string& text);

  static Value ReturnType(int method);
  static std::string Descriptor(int method);

 private:
  uint16_t Once(const std::string& key, const std::function<uint16_t()>& make);

  classfile::ClassBuilder& builder_;
  std::string own_name_;
  std::map<std::string, uint16_t> known_;
};

// Makes one method up. Statements begin and end with an empty stack, expressions leave their value
// on it.
class MethodGenerator {
 public:
  static constexpr uint16_t kMaxStack = 120;
  static constexpr uint16_t kMaxLocals = 310;

  MethodGenerator(RandomSource& random, classfile::ClassBuilder& builder, ClassConstants& constants,
                  int number)
      : random_(random), builder_(builder), constants_(constants), number_(number) {}

  CodeBuilder Generate();

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_.UniformFromOneTo(n) - 1); }
  bool OneIn(uint32_t n) { return Below(n) == 0; }
  Value AnyValue() { return static_cast<Value>(Below(5)); }

  void Prologue();
  void Return();
  // method_generator.cc
  void Statements(int depth);
  void Statement(int depth);
  void If(int depth);
  void Loop(int depth);
  void Switch(int depth);
  void Try(int depth);
  void Synchronized(int depth);
  void Throw();
  void Assign();
  void StoreField();
  void StoreArray();
  void Scratch();
  void Shuffle();
  void Condition(CodeBuilder::Label target);

  // expressions.cc
  void Expression(Value type, int depth);
  void IntExpression(int depth);
  void LongExpression(int depth);
  void FloatExpression(Value type, int depth);
  void HelperExpression(int depth);
  void ObjectExpression(int depth);
  void Constant(Value type);
  void Load(Value type);
  void Select(Value type, int depth);
  void CallOwn(Value type, int depth);
  void ArrayLoad(Value type, int depth);
  void IntFromField(int depth);
  void Index(int depth);
  void PushInt(int32_t value);

  RandomSource& random_;
  [[maybe_unused]] classfile::ClassBuilder& builder_;
  ClassConstants& constants_;
  int number_;
  int loops_ = 0;
  int monitors_ = 0;
  CodeBuilder code_;
};

// Locals of every generated method.
namespace local {
inline constexpr uint16_t kInt = 0, kLong = 1, kDouble = 3, kFloat = 5, kHelper = 6, kInts = 7;
inline constexpr uint16_t kInt2 = 8, kLong2 = 9, kFloat2 = 11, kDouble2 = 12, kHelper2 = 14;
inline constexpr uint16_t kLongs = 15, kDoubles = 16, kBytes = 17, kObjects = 18, kBooleans = 19,
                          kChars = 20, kShorts = 21, kFloats = 22, kMatrix = 23, kObject = 24;
inline constexpr uint16_t kCounters = 25;  // one for each loop around
inline constexpr uint16_t kScratch = 30;   // four, of changing types
inline constexpr uint16_t kLocks = 40;
inline constexpr uint16_t kCaught = 45;
inline constexpr uint16_t kWideInt = 300, kWideLong = 302;
}  // namespace local

}  // namespace yp::compiler

#endif  // YP_COMPILER_DIFFERENTIAL_METHOD_GENERATOR_H_
