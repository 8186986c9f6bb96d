#ifndef YP_CORE_GRAPH_GRAPH_FOR_TEST_H_
#define YP_CORE_GRAPH_GRAPH_FOR_TEST_H_

#include <cstdint>
#include <initializer_list>

#include "core/graph/dcg.h"

namespace yp {

// An edge of a test's graph by plain numbers.
struct Call {
  uint32_t caller;
  int32_t bci;
  uint32_t callee;
  double weight;
};

inline Edge MakeEdge(uint32_t caller, int32_t bci, uint32_t callee) {
  return {MethodId{caller}, bci, MethodId{callee}};
}

inline DynamicCallGraph Graph(std::initializer_list<Call> calls) {
  DynamicCallGraph graph;
  for (const Call& c : calls) graph.Add(MakeEdge(c.caller, c.bci, c.callee), c.weight);
  return graph;
}

}  // namespace yp

#endif  // YP_CORE_GRAPH_GRAPH_FOR_TEST_H_
