#ifndef YP_COMPILER_IR_LIVE_LOCALS_H_
#define YP_COMPILER_IR_LIVE_LOCALS_H_

#include <cstdint>
#include <vector>

#include "compiler/bytecode/method.h"

namespace yp::compiler::ir {

// Which locals may be read before they are written, at each instruction of well-formed code, by the
// interpreter too: what it does with an exception counts. The index of a long or double is its
// lower one.
class LiveLocals {
 public:
  explicit LiveLocals(const Method& method);
  bool IsLive(uint32_t bci, uint32_t local) const {
    return (live_[bci * words_ + local / 64] >> local % 64 & 1) != 0;
  }

 private:
  uint32_t words_;
  std::vector<uint64_t> live_;
};

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_LIVE_LOCALS_H_
