#include "hotspot/graph/inline_tree.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace yp::hotspot {

NamedTree::NamedTree(DebugInfo::InlineTree tree, const NameOf& name_of)
    : raw_(std::move(tree.nodes)), index_(raw_.size(), kGlue), called_at_(raw_.size()) {
  std::unordered_map<const void*, Name> known;
  std::vector<Name> names;
  for (const DebugInfo::InlinedMethod& node : raw_) {
    const auto [it, is_new] = known.try_emplace(node.method);
    if (is_new) {
      it->second = name_of(node.method);
      const auto& [id, is_observed, const_method] = it->second;
      if (id != kNoMethod) methods_.emplace_back(VmMethod{node.method, const_method}, id);
    }
    names.push_back(it->second);
  }
  const size_t root = FindRoot(names);
  // Methods of one name, and what one piece of glue calls in two places, fall together.
  std::map<std::tuple<uint32_t, int32_t, MethodId>, uint32_t> children;
  for (uint32_t i = 0; i < raw_.size(); ++i) {
    // What leads to the root has nothing else below it.
    const bool is_above_root = i < root;
    const spool::Compilation::CallSite caller =
        i <= root ? spool::Compilation::CallSite{0, kNoBci}
                  : PlaceOf(DebugInfo::Position{raw_[i].parent, raw_[i].bci});
    called_at_[i] = caller;
    if (is_above_root || (names[i].id == kNoMethod && i != root)) continue;
    const auto [it, is_new] = children.try_emplace({caller.node, caller.bci, names[i].id},
                                                   static_cast<uint32_t>(nodes_.size()));
    index_[i] = it->second;
    if (is_new) nodes_.push_back({caller.node, caller.bci, names[i].id});
    inlines_observed_ |= i != 0 && names[i].is_observed;
  }
}

size_t NamedTree::FindRoot(const std::vector<Name>& names) const {
  size_t root = 0;
  // Parents come before children, so that an only child is the next node.
  while (root + 1 < raw_.size() && names[root].id == kNoMethod) {
    for (size_t i = root + 2; i < raw_.size(); ++i) {
      if (raw_[i].parent == root) return 0;
    }
    ++root;
  }
  return names.empty() || names[root].id == kNoMethod ? 0 : root;
}

spool::Compilation::CallSite NamedTree::PlaceOf(const DebugInfo::Position& position) const {
  if (IsGlue(position.node)) return called_at_[position.node];
  return {index_[position.node], position.bci};
}

spool::Compilation::CallSite NamedTree::PlaceOf(std::span<const DebugInfo::Scope> scopes) const {
  uint32_t node = 0;
  for (size_t s = scopes.size(); s-- > 1;) {
    uint32_t child = node + 1;
    const auto is_it = [&](const DebugInfo::InlinedMethod& raw) {
      return raw.parent == node && raw.bci == scopes[s].bci && raw.method == scopes[s - 1].method;
    };
    while (child < raw_.size() && !is_it(raw_[child])) ++child;
    if (child == raw_.size()) return {0, kNoBci};
    node = child;
  }
  if (node >= raw_.size()) return {0, kNoBci};
  return PlaceOf(DebugInfo::Position{node, scopes.empty() ? kNoBci : scopes[0].bci});
}

}  // namespace yp::hotspot
