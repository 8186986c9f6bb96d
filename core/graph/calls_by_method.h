#ifndef YP_CORE_GRAPH_CALLS_BY_METHOD_H_
#define YP_CORE_GRAPH_CALLS_BY_METHOD_H_

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"

namespace yp {

// A method's place in the graph. A method that calls itself is among its callers and callees.
struct MethodCalls {
  MethodId method{};
  double calls_in = 0;  // Also those without a caller.
  double calls_out = 0;
  size_t edges_in = 0;  // Call sites with this callee; those without a caller are one.
  size_t edges_out = 0;
  size_t callers = 0;  // Methods, not call sites; kNoMethod is none.
  size_t callees = 0;
};

// Every method of the graph, the most called first, then in the order of ids.
std::vector<MethodCalls> CallsByMethod(const DynamicCallGraph& graph);

}  // namespace yp

#endif  // YP_CORE_GRAPH_CALLS_BY_METHOD_H_
