#ifndef YP_CORE_GRAPH_DCG_H_
#define YP_CORE_GRAPH_DCG_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "base/ids.h"

namespace yp {

// A call: who, where, whom. The bytecode index is that of the invoke instruction in the class file
// as its author compiled it, or kNoBci. The caller is kNoMethod for a thread's first method.
struct Edge {
  MethodId caller{};
  int32_t bci = kNoBci;
  MethodId callee{};
  auto operator<=>(const Edge&) const = default;
};

struct EdgeHash {
  size_t operator()(const Edge& e) const {
    uint64_t h = (static_cast<uint64_t>(ToIndex(e.caller)) << 32) | ToIndex(e.callee);
    h ^= static_cast<uint64_t>(static_cast<uint32_t>(e.bci)) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    return static_cast<size_t>(h ^ (h >> 31));
  }
};

// A dynamic call graph: edges with non-negative weights. The unit of the weight is the owner's to
// say: exact calls, samples, or estimated calls.
class DynamicCallGraph {
 public:
  using Map = std::unordered_map<Edge, double, EdgeHash>;

  void Add(const Edge& edge, double weight) {
    weights_[edge] += weight;
    total_ += weight;
  }
  // 0 for an edge that is not there.
  double WeightOf(const Edge& edge) const {
    const auto it = weights_.find(edge);
    return it == weights_.end() ? 0.0 : it->second;
  }
  double total() const { return total_; }
  size_t size() const { return weights_.size(); }
  bool empty() const { return weights_.empty(); }
  const Map& edges() const { return weights_; }

 private:
  Map weights_;
  double total_ = 0;
};

}  // namespace yp

#endif  // YP_CORE_GRAPH_DCG_H_
