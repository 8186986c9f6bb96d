#ifndef YP_CORE_AMORTIZE_PARTIAL_CONTEXT_TREE_H_
#define YP_CORE_AMORTIZE_PARTIAL_CONTEXT_TREE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

// Execution times from stack samples (Zimmer and Diehl, IV 2010, sections IV and V).
namespace yp {

// A method as one of its compilations executes it: a label of the paper's, with the compilation in
// the place of its level, so that two compilations at one level are told apart. Inlined methods are
// executed by the compilation that they were inlined into.
struct MethodVersion {
  MethodId method{};
  CompilationId compilation = kNoCompilation;  // kNoCompilation: interpreted, or native.
  auto operator<=>(const MethodVersion&) const = default;
};

// The tree of the contexts that were sampled. A method that is inlined has a node as if it had been
// called (section V), so that its time is neither its caller's nor lost.
class PartialContextTree {
 public:
  // sigma: how many samples had this context on their stack; the sum of those of its children, and
  // of those that ended here.
  struct Node {
    uint32_t parent = 0;  // Of the root: itself.
    MethodVersion label;
    uint64_t sigma = 0;
  };

  PartialContextTree() : nodes_(1) {}

  // A sampled stack, the outermost frame first, seen `times` times. An empty one is the root's.
  void Add(std::span<const MethodVersion> stack, uint64_t times = 1);

  // Parents before children; 0 is the root, which stands for no method.
  const std::vector<Node>& nodes() const { return nodes_; }
  // S, the number of samples.
  uint64_t samples() const { return nodes_[0].sigma; }
  // Samples that ended in each node: sigma(v) - sum over its children of sigma(v').
  std::vector<uint64_t> OwnSamples() const;

 private:
  struct ChildHash {
    size_t operator()(const std::pair<uint32_t, MethodVersion>& child) const;
  };

  std::vector<Node> nodes_;
  std::unordered_map<std::pair<uint32_t, MethodVersion>, uint32_t, ChildHash> children_;
};

// Equation 4: the average time between two samples, t_unit = (T_mt - T_instr) / S, in the unit of
// the times. `total`: T_mt, the time that was sampled; `instrumentation`: T_instr, the part of it
// that is not the program's. 0 without samples.
double UnitTime(double total, double instrumentation, uint64_t samples);

// Equation 5: T(m, i), the total execution time of each version, callees left out: the sum over its
// nodes v of T(v) = (sigma(v) - sum of sigma(v') over v's children) * t_unit.
std::map<MethodVersion, double> TimeOfVersions(const PartialContextTree& tree, double unit_time);

// Equation 6: t(m, i), the average time of one execution. 0 when there were none.
double TimePerCall(double time, double calls);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_PARTIAL_CONTEXT_TREE_H_
