#ifndef YP_CLASSFILE_INVOKES_H_
#define YP_CLASSFILE_INVOKES_H_

#include <cstdint>
#include <string_view>

#include "classfile/class_file.h"
#include "classfile/instructions.h"

namespace yp::classfile {

struct Invoke {
  uint32_t bci = 0;
  // invokevirtual .. invokedynamic (182 .. 186).
  uint8_t opcode = 0;
  // The constant is an InterfaceMethodref.
  bool is_interface = false;
  // Internal; empty for invokedynamic, whose name and descriptor are those of the call site.
  std::string_view owner;
  std::string_view name;
  std::string_view descriptor;

  // Whether the receiver's class selects what is called: invokevirtual, invokeinterface.
  bool IsVirtual() const { return opcode == op::kInvokevirtual || opcode == op::kInvokeinterface; }
};

// Walks the invoke instructions of a method in ascending order. Both arguments must outlive it.
// Stops at the first malformed instruction.
class InvokeCursor {
 public:
  InvokeCursor(const ClassFile& file, const Method& method);
  // False after the last one.
  bool Next(Invoke& invoke);

 private:
  const ConstantPool& pool_;
  Bytes code_;
  uint32_t bci_ = 0;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_INVOKES_H_
