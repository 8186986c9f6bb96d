#ifndef YP_COMPILER_BYTECODE_FAKE_LINKAGE_FOR_TEST_H_
#define YP_COMPILER_BYTECODE_FAKE_LINKAGE_FOR_TEST_H_

#include <map>

#include "compiler/bytecode/linkage.h"

namespace yp::compiler {

// Answers what a test has put in, by the constant's index; everything else is malformed or not
// resolved.
class FakeLinkage : public Linkage {
 public:
  std::map<uint32_t, FieldLink> fields;
  std::map<uint32_t, CallLink> calls;
  std::map<uint32_t, TypeLink> types;
  std::map<uint32_t, TypeLink> caught;
  std::map<uint32_t, ConstantLink> constants;
  CallTarget target;  // Of every call.

  const FieldLink* Field(uint32_t index, uint8_t) override { return Find(fields, index); }
  const CallLink* Call(uint32_t index, uint8_t) override { return Find(calls, index); }
  TypeLink Type(uint32_t index, uint8_t) override { return types[index]; }
  TypeLink PrimitiveArray(uint8_t code) override { return types[code]; }
  TypeLink CaughtType(uint32_t handler) override { return caught[handler]; }
  ConstantLink Constant(uint32_t index) override { return constants[index]; }
  ConstantId Holder() override { return ConstantId{0}; }
  ConstantId HolderClass() override { return ConstantId{1}; }
  uint32_t CallSite(uint32_t bci) override { return 1000 + bci; }
  CallTarget TargetOf(uint32_t, const CallLink&) override { return target; }

 private:
  template <typename Link>
  static const Link* Find(const std::map<uint32_t, Link>& links, uint32_t index) {
    const auto found = links.find(index);
    return found == links.end() ? nullptr : &found->second;
  }
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_FAKE_LINKAGE_FOR_TEST_H_
