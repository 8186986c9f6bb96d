#ifndef YP_COMPILER_BACKEND_PARALLEL_MOVE_H_
#define YP_COMPILER_BACKEND_PARALLEL_MOVE_H_

#include <cstdint>
#include <vector>

#include "compiler/backend/constraints.h"
#include "compiler/ir/graph.h"

namespace yp::compiler {

// Where a value is.
struct Location {
  enum class Where : uint8_t {
    kNowhere,
    kRegister,  // `number`: RegisterNumber
    kSlot,      // `number`: of the frame's values
    kStack,     // `number`: bytes from rsp, up: an argument, incoming or outgoing
    kConstant,  // `value`: a free node
  };
  Where where = Where::kNowhere;
  int32_t number = 0;
  const ir::Node* value = nullptr;

  bool is_register() const { return where == Where::kRegister; }
  bool operator==(const Location&) const = default;
};

struct Move {
  Location from;
  Location to;
  Kind kind = Kind::kDead;
};

// Moves that happen at once, as a sequence that does the same. No two have the same `to`. A value
// that is in the way of others in a circle is kept in `scratch` of its class meanwhile, which no
// move names.
std::vector<Move> Sequence(std::vector<Move> moves, RegisterNumber scratch,
                           RegisterNumber scratch_xmm);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_PARALLEL_MOVE_H_
