#ifndef YP_COMPILER_BASELINE_YIELDPOINT_COSTS_H_
#define YP_COMPILER_BASELINE_YIELDPOINT_COSTS_H_

#include <cstdint>

#include "compiler/install/vm_layout.h"

namespace yp::compiler {

// What yieldpoints that are taken cost a call, in ps.
struct YieldpointCosts {
  int64_t counted_call_ps = 0;  // To be counted down: its prologue, and its epilogue.
  int64_t taken_call_ps = 0;    // To call a function that does nothing, and to return.
};

// Measures them on this machine, with code of BASE's own for a VM that has yieldpoints; takes about
// a millisecond. 0 where a cost cannot be known.
YieldpointCosts MeasureYieldpoints(const VmLayout& vm);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_YIELDPOINT_COSTS_H_
