#ifndef YP_COMPILER_OPT_COUNTER_H_
#define YP_COMPILER_OPT_COUNTER_H_

#include <cstdint>
#include <optional>

#include "compiler/opt/loops.h"

namespace yp::compiler {

// An int that counts in steps of a constant, up or down to a limit at which the header's branch
// leaves the loop. While the body runs, going up, first <= counter < limit or counter <= limit;
// going down the reverse.
struct Counter {
  ir::Node* phi = nullptr;
  ir::Node* first = nullptr;
  ir::Node* limit = nullptr;
  int64_t step = 0;
  ir::Condition stays = ir::Condition::kLess;  // counter ? limit: there is another iteration.
  ir::Block* body = nullptr;                   // Where that leads to.

  // The counter is never the limit itself.
  bool is_open() const { return stays == ir::Condition::kLess || stays == ir::Condition::kGreater; }
};

// nullopt: the loop has none.
std::optional<Counter> CounterOf(const Loop& loop);

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_COUNTER_H_
