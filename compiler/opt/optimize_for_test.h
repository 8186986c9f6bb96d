#ifndef YP_COMPILER_OPT_OPTIMIZE_FOR_TEST_H_
#define YP_COMPILER_OPT_OPTIMIZE_FOR_TEST_H_

#include "compiler/ir/graph_for_test.h"
#include "compiler/opt/optimize.h"

namespace yp::compiler {

// The test's graph is optimized, and still right.
inline const ir::GraphForTest& OptimizeAndCheck(const ir::GraphForTest& test) {
  Optimize(*test.graph);
  test.Check();
  return test;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_OPTIMIZE_FOR_TEST_H_
