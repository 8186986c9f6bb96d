#ifndef YP_CORE_GRAPH_DIFF_H_
#define YP_CORE_GRAPH_DIFF_H_

#include <vector>

#include "core/graph/dcg.h"

namespace yp {

// An edge's share of all calls in two graphs, 0 to 1 each.
struct EdgeChange {
  Edge edge;
  double before = 0;
  double after = 0;
  double Change() const { return after - before; }
};

// Every edge of either graph, the largest absolute change first, then in the order of edges. The
// graphs speak of one method table. The changes of two graphs that are not empty add up to 0.
std::vector<EdgeChange> Diff(const DynamicCallGraph& before, const DynamicCallGraph& after);

}  // namespace yp

#endif  // YP_CORE_GRAPH_DIFF_H_
