#include "core/graph/transform.h"

#include <utility>
#include <vector>

namespace yp {

DynamicCallGraph Merge(const DynamicCallGraph& a, const DynamicCallGraph& b) {
  DynamicCallGraph merged = a;
  for (const auto& [edge, weight] : b.edges()) merged.Add(edge, weight);
  return merged;
}

DynamicCallGraph Scale(const DynamicCallGraph& graph, double factor) {
  DynamicCallGraph scaled;
  for (const auto& [edge, weight] : graph.edges()) scaled.Add(edge, weight * factor);
  return scaled;
}

DynamicCallGraph CollapseCallSites(const DynamicCallGraph& graph) {
  DynamicCallGraph collapsed;
  for (const auto& [edge, weight] : graph.edges()) {
    collapsed.Add({edge.caller, kNoBci, edge.callee}, weight);
  }
  return collapsed;
}

DynamicCallGraph WithoutTrivialCallees(const DynamicCallGraph& graph, const MethodTable& methods) {
  DynamicCallGraph rest;
  for (const auto& [edge, weight] : graph.edges()) {
    if ((methods[edge.callee].flags & Method::kTrivial) == 0) rest.Add(edge, weight);
  }
  return rest;
}

DynamicCallGraph Rebase(const DynamicCallGraph& graph, const MethodTable& methods,
                        MethodTable& into) {
  std::vector<MethodId> new_ids;
  new_ids.reserve(methods.size());
  for (const Method& method : methods.methods()) new_ids.push_back(into.Intern(method));
  const auto rebase = [&](MethodId id) { return id == kNoMethod ? id : new_ids[ToIndex(id)]; };

  DynamicCallGraph rebased;
  for (const auto& [edge, weight] : graph.edges()) {
    rebased.Add({rebase(edge.caller), edge.bci, rebase(edge.callee)}, weight);
  }
  return rebased;
}

UnifiedGraphs Unify(const DynamicCallGraph& a, const MethodTable& a_methods,
                    const DynamicCallGraph& b, const MethodTable& b_methods) {
  UnifiedGraphs unified{a_methods, a, {}};
  unified.b = Rebase(b, b_methods, unified.methods);
  return unified;
}

}  // namespace yp
