#ifndef YP_CORE_GRAPH_OVERLAP_H_
#define YP_CORE_GRAPH_OVERLAP_H_

#include <cstddef>

#include "core/graph/dcg.h"

namespace yp {

// How two graphs over one method table compare. An edge of weight 0 counts as absent.
struct Comparison {
  // Percent, 0 to 100. The overlap metric of Arnold and Grove (CGO 2005), section 6.2:
  //
  //   overlap(DCG1, DCG2) = sum over the common edges e of min(Weight(e, DCG1), Weight(e, DCG2))
  //
  // where Weight is the edge's percentage of its graph. It is also the weighted metric of Buytaert
  // et al. (OOPSLA 2007), section 5.2.3. 0 when a graph is empty, even if both are: nothing was
  // recorded that could agree.
  double overlap = 0;
  size_t common_edges = 0;
  size_t only_a = 0;
  size_t only_b = 0;

  // Percent, 0 to 100. The unweighted metric of Buytaert et al., section 5.2.3: the edges in both
  // graphs, of all edges in either, whatever their weights.
  double CommonPresence() const;
};

Comparison Compare(const DynamicCallGraph& a, const DynamicCallGraph& b);

// Compare(a, b).overlap: symmetric, and with a perfect profile as `b` the accuracy of `a`.
double Overlap(const DynamicCallGraph& a, const DynamicCallGraph& b);

}  // namespace yp

#endif  // YP_CORE_GRAPH_OVERLAP_H_
