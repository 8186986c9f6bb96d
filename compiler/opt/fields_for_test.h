#ifndef YP_COMPILER_OPT_FIELDS_FOR_TEST_H_
#define YP_COMPILER_OPT_FIELDS_FOR_TEST_H_

#include <cstdint>

#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {

// Fields 1 and 2 are ints at different offsets, 3 is volatile, 4 is a byte; 5 is at the offset of 1
// in another class. 6 is a call, 7 a class, 8 a field with a reference. 9 to 12 are leaf calls:
// sin, cos, nanoTime, and one that reads or writes memory as is said.
inline FakeLinkage FieldsForTest(Leaf memory = Leaf::kMismatch) {
  FakeLinkage linkage;
  const auto add = [&](uint32_t index, char type, int32_t offset) -> FieldLink& {
    FieldLink field;
    field.type = type;
    field.resolved = true;
    field.offset = offset;
    return linkage.fields[index] = field;
  };
  add(1, 'I', 16);
  add(2, 'I', 20);
  add(3, 'I', 24).is_volatile = true;
  add(4, 'B', 28);
  add(5, 'I', 16);
  add(8, 'L', 32);
  CallLink call;
  call.signature = *Signature::Parse("()V");
  call.resolved = true;
  linkage.calls[6] = call;
  linkage.types[7] = {true, ConstantId{7}};
  linkage.types[7].can_instantiate = true;
  const auto add_leaf = [&](uint32_t index, Leaf leaf, const char* descriptor) {
    call.signature = *Signature::Parse(descriptor);
    call.intrinsic.kind = Intrinsic::Kind::kLeafCall;
    call.intrinsic.leaf = leaf;
    linkage.calls[index] = call;
  };
  add_leaf(9, Leaf::kSin, "(D)D");
  add_leaf(10, Leaf::kCos, "(D)D");
  add_leaf(11, Leaf::kNanoTime, "()J");
  add_leaf(12, memory, "()V");
  return linkage;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_FIELDS_FOR_TEST_H_
