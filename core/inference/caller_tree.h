#ifndef YP_CORE_INFERENCE_CALLER_TREE_H_
#define YP_CORE_INFERENCE_CALLER_TREE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/cct.h"

namespace yp {

// How much the other calls in a method's contexts tell of one call's: as this many samples of its
// own. `core/inference/README.md` has what other values give.
inline constexpr double kOthersWeight = 30;

// The contexts of one method, read from the inside out: by its caller, the caller's caller, and so
// on, as far as they differ. Contexts near each other in it share the inner end of their chains.
class CallerTree {
 public:
  // `contexts` end in the same method, each once; or are kRootContext alone. `seen`: how often the
  // program was in or below each, by context of `tree`; positive for one of them at least.
  CallerTree(const CallingContextTree& tree, std::vector<ContextId> contexts,
             std::span<const double> seen);

  const std::vector<ContextId>& contexts() const { return contexts_; }

  // What share of the calls that the method makes at one of its sites each context has, in the
  // order of `contexts`; they add up to 1. `samples`: of those calls, by context. Where the chains
  // of contexts with samples n part into branches i, with n_i of them, the share of a branch is
  //
  //   (n_i + a s_i / s) / (n + a),   a = kOthersWeight
  //
  // with s as `seen`: the mean of a Dirichlet distribution, whose prior is how often the program
  // was there at all. So a site of few samples has the contexts of the rest of its method, and one
  // of many has its own; and as much on the way from its innermost caller outwards, one part of the
  // chain after the other.
  std::vector<double> Shares(std::span<const double> samples) const;

 private:
  struct Node {
    size_t parent = 0;  // Index in nodes_, less than the node's own; the first is all contexts.
    double seen = 0;
  };

  void Split(const CallingContextTree& tree, std::span<const double> seen);

  std::vector<ContextId> contexts_;
  std::vector<Node> nodes_;
  std::vector<size_t> leaves_;  // Indices in nodes_, by context.
};

}  // namespace yp

#endif  // YP_CORE_INFERENCE_CALLER_TREE_H_
