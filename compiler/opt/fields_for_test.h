#ifndef YP_COMPILER_OPT_FIELDS_FOR_TEST_H_
#define YP_COMPILER_OPT_FIELDS_FOR_TEST_H_

#include <cstdint>

#include "compiler/bytecode/fake_linkage_for_test.h"

namespace yp::compiler {

// Fields 1 and 2 are ints at different offsets, 3 is volatile, 4 is a byte; 5 is at the offset of 1
// in another class. 6 is a call, 7 a class, 8 a field with a reference.
inline FakeLinkage FieldsForTest() {
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
  return linkage;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_FIELDS_FOR_TEST_H_
