#ifndef YP_COMPILER_BYTECODE_METHOD_H_
#define YP_COMPILER_BYTECODE_METHOD_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/bytes.h"
#include "compiler/bytecode/signature.h"

namespace yp::compiler {

struct Handler {
  uint32_t start = 0;  // bci
  uint32_t end = 0;    // exclusive
  uint32_t target = 0;
  bool catches_all = false;
};

// One method to compile.
struct Method {
  std::vector<uint8_t> code;  // as in the class file, but for the indices of constants
  uint32_t max_locals = 0;
  uint32_t max_stack = 0;
  Signature signature;
  std::vector<Handler> handlers;  // in the order of the exception table
  bool is_static = false;
  bool is_synchronized = false;
  // java.lang.Object.<init>, whose return registers objects that have a finalizer.
  bool registers_finalizer = false;
  // Static, and its class is not initialized yet: until it is, only the thread that initializes it
  // may come in.
  bool checks_initialization = false;
  // It says @ReservedStackAccess: where the stack ends, it may go on for a little.
  bool uses_reserved_stack = false;
  // It has been compiled anew often enough because of what was not resolved.
  bool keeps_unresolved = false;
  // Something that was checked before a loop, and not in it, was wrong.
  bool speculation_failed = false;
  // For whom yieldpoints are taken: which method this is.
  uint32_t yieldpoint_id = 0;
  // The loop that is entered from the interpreter (on-stack replacement); none: the method itself.
  std::optional<uint32_t> osr_bci;

  classfile::Bytes bytes() const { return code; }
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_METHOD_H_
