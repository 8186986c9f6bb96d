#include "core/inference/elided_calls.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

namespace yp {
namespace {

constexpr int kMaxElidedDepth = 3;

using Site = std::pair<uint32_t, int32_t>;               // Node, bci.
using Callee = std::tuple<uint32_t, int32_t, MethodId>;  // Of a site.

std::set<Site> SitesWithCalls(const Root& root) {
  std::set<Site> sites;
  for (const OutgoingSite& site : root.outgoing) sites.emplace(site.node, site.bci);
  return sites;
}

std::set<Callee> Children(const InlineTree& tree) {
  std::set<Callee> children;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    children.emplace(tree.nodes[i].parent, tree.nodes[i].bci, tree.nodes[i].method);
  }
  return children;
}

// Whether something is inlined at the node's site that the profile has not recorded: in this
// context the compiler knew the receiver's class.
bool HasOther(const InlineTree& tree, uint32_t node, const SiteProfile& site) {
  return std::any_of(tree.nodes.begin() + 1, tree.nodes.end(), [&](const InlineTree::Node& other) {
    return other.parent == node && other.bci == site.bci && site.CallsOf(other.method) <= 0;
  });
}

}  // namespace

InlineTree WithElidedCalls(const Root& root, const MethodProfiles& profiles) {
  const std::set<Site> with_call = SitesWithCalls(root);
  std::set<Callee> children = Children(root.tree);
  InlineTree tree = root.tree;
  std::vector<int> depth(tree.nodes.size(), 0);  // Of elided calls above the node and in it.
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (depth[node] == kMaxElidedDepth) continue;
    const MethodProfile* profile = profiles.Find(tree.nodes[node].method);
    if (profile == nullptr) continue;
    for (const SiteProfile& site : profile->sites) {
      if (with_call.contains({node, site.bci})) continue;
      if (HasOther(root.tree, node, site)) continue;
      for (const SiteProfile::Callee& callee : site.callees) {
        if (callee.calls <= 0 || callee.method == kNoMethod) continue;
        if (!children.emplace(node, site.bci, callee.method).second) continue;
        tree.nodes.push_back({node, site.bci, callee.method});
        depth.push_back(depth[node] + 1);
      }
    }
  }
  return tree;
}

}  // namespace yp
