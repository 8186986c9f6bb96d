#ifndef YP_CORE_GRAPH_CCT_H_
#define YP_CORE_GRAPH_CCT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "core/graph/code_label.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"

namespace yp {

// A calling-context tree (CCT; Ammons, Ball and Larus, PLDI 1997): a node for each chain of calls
// from a thread's first method on, inlined methods included, with the weight of that context alone.
// A partial one, of sampled contexts, has what was seen. The unit of the weight is the owner's to
// say: calls that led there, or samples that found the thread there.
//
// Contexts may be told apart by the code that executed each of their frames, too.
//
// Ids are dense, in the order of insertion, parents before children; kRootContext is always there.
class CallingContextTree {
 public:
  struct Node {
    ContextId parent = kRootContext;
    int32_t bci = kNoBci;  // Of the call in the parent's method; kNoBci below the root.
    MethodId method = kNoMethod;
    double weight = 0;
    CodeLabel code = {};
  };

  CallingContextTree() : nodes_(1) {}

  // The context of a call made in another; adds it when it is new.
  ContextId Child(ContextId parent, int32_t bci, MethodId method, CodeLabel code = {});
  // Nothing when it is not there.
  std::optional<ContextId> FindChild(ContextId parent, int32_t bci, MethodId method,
                                     CodeLabel code = {}) const;
  void Add(ContextId context, double weight) {
    nodes_[ToIndex(context)].weight += weight;
    total_ += weight;
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](ContextId id) const { return nodes_[ToIndex(id)]; }
  size_t size() const { return nodes_.size(); }
  double total() const { return total_; }

 private:
  struct Key {
    ContextId parent;
    Edge call;  // The caller's part is the parent's.
    uint32_t code = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (EdgeHash()(key.call) + key.code) * 0x9e3779b97f4a7c15u + ToIndex(key.parent);
    }
  };

  std::vector<Node> nodes_;
  std::unordered_map<Key, ContextId, KeyHash> index_;
  double total_ = 0;
};

// The weight of a context and of all below it, by context.
std::vector<double> InclusiveWeights(const CallingContextTree& tree);

// A method's weight: that of the contexts that end in it; and that of all which it is in, each
// counted once.
struct MethodWeight {
  MethodId method{};
  double self = 0;
  double total = 0;
};
// Of every method of the tree, in the order of ids.
std::vector<MethodWeight> MethodWeights(const CallingContextTree& tree);

// The same tree with the ids of `into`, which takes over the methods that it lacks.
CallingContextTree Rebase(const CallingContextTree& tree, const MethodTable& methods,
                          MethodTable& into);

// The tree whose contexts are told apart by their calls alone.
CallingContextTree WithoutCode(const CallingContextTree& tree);

// The tree without the methods that are not kept: what they call is called by their nearest caller
// that is, from where that left for them, and their own weight is its.
CallingContextTree Project(const CallingContextTree& tree,
                           const std::function<bool(MethodId)>& keeps);

// How two trees over one method table compare: as Comparison does, with contexts for edges. A
// context of weight 0 counts as absent.
struct ContextComparison {
  double overlap = 0;  // Percent.
  size_t common = 0, only_a = 0, only_b = 0;
};
ContextComparison Compare(const CallingContextTree& a, const CallingContextTree& b);

// How many percent of the reference's hot contexts the sampled tree has at all. Hot is a context
// with at least `threshold` (0 to 1) of the weight of the heaviest (the hot-edge coverage of
// Zhuang et al., PLDI 2006). 0 for an empty reference.
struct HotContexts {
  size_t in_reference = 0;
  double found = 0;  // Percent.
};
HotContexts HotContextCoverage(const CallingContextTree& reference,
                               const CallingContextTree& sampled, double threshold);

}  // namespace yp

#endif  // YP_CORE_GRAPH_CCT_H_
