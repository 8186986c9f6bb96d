#include "compiler/aos/call_graph.h"

#include <utility>

namespace yp::compiler {

MethodId CallGraph::AddMethod(const yp::Method& method) {
  std::string name = method.FullName();
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      by_name_.try_emplace(std::move(name), MethodId{static_cast<uint32_t>(methods_.size())});
  if (is_new) {
    methods_.push_back({method});
    return known->second;
  }
  Known& first = methods_[ToIndex(known->second)];
  if (first.method.lines.empty() && !method.lines.empty()) {
    first.method = method;
    if (std::exchange(first.told, false)) Tell(known->second);
  }
  return known->second;
}

std::string CallGraph::FullNameOf(MethodId method) {
  const std::lock_guard lock(mutex_);
  return methods_[ToIndex(method)].method.FullName();
}

uint32_t CallGraph::AddSite(MethodId caller, int32_t bci) {
  const Edge site{caller, bci, {}};
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] =
      site_numbers_.try_emplace(site, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return known->second;
}

MethodId CallGraph::CallerAt(uint32_t site) {
  const std::lock_guard lock(mutex_);
  return sites_[site < sites_.size() ? site : kNoSite].caller;
}

void CallGraph::Name(MethodId method) {
  const std::lock_guard lock(mutex_);
  if (method != kNoMethod && ToIndex(method) < methods_.size()) Tell(method);
}

EdgeId CallGraph::AddEdge(uint32_t site, MethodId callee) {
  const std::lock_guard lock(mutex_);
  Edge edge = sites_[site < sites_.size() ? site : kNoSite];
  edge.callee = callee;
  const auto [known, is_new] =
      edges_.try_emplace(edge, EdgeId{static_cast<uint32_t>(edges_.size())});
  if (is_new) {
    if (edge.caller != kNoMethod) Tell(edge.caller);
    Tell(callee);
    news_.edges.push_back({known->second, edge});
  }
  return known->second;
}

void CallGraph::Tell(MethodId method) {
  Known& known = methods_[ToIndex(method)];
  if (!std::exchange(known.told, true)) news_.methods.push_back({method, known.method});
}

CallGraph::Updates CallGraph::TakeUpdates() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace yp::compiler
