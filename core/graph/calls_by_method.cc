#include "core/graph/calls_by_method.h"

#include <algorithm>
#include <unordered_map>

#include "core/graph/transform.h"

namespace yp {

std::vector<MethodCalls> CallsByMethod(const DynamicCallGraph& graph) {
  std::unordered_map<MethodId, MethodCalls> by_method;
  const DynamicCallGraph pairs = CollapseCallSites(graph);
  for (const auto& [pair, weight] : pairs.edges()) {
    MethodCalls& callee = by_method[pair.callee];
    callee.calls_in += weight;
    if (pair.caller == kNoMethod) continue;
    ++callee.callers;
    MethodCalls& caller = by_method[pair.caller];
    caller.calls_out += weight;
    ++caller.callees;
  }
  for (const auto& [edge, weight] : graph.edges()) {
    ++by_method[edge.callee].edges_in;
    if (edge.caller != kNoMethod) ++by_method[edge.caller].edges_out;
  }
  std::vector<MethodCalls> result;
  result.reserve(by_method.size());
  for (auto& [id, calls] : by_method) {
    calls.method = id;
    result.push_back(calls);
  }
  std::sort(result.begin(), result.end(), [](const MethodCalls& a, const MethodCalls& b) {
    return a.calls_in != b.calls_in ? a.calls_in > b.calls_in : a.method < b.method;
  });
  return result;
}

}  // namespace yp
