#ifndef YP_COMPILER_BYTECODE_SIGNATURE_H_
#define YP_COMPILER_BYTECODE_SIGNATURE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/bytecode/kinds.h"

namespace yp::compiler {

// A method's parameters and result, from its descriptor.
struct Signature {
  std::vector<Kind> parameters;  // without the receiver; one each, also for long and double
  char return_type = 'V';        // the first letter of its descriptor
  Kind return_kind() const { return KindOf(return_type); }

  // Of a method's descriptor such as (IJ[Ljava/lang/String;)V; nullopt when it is none.
  static std::optional<Signature> Parse(std::string_view descriptor);
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_SIGNATURE_H_
