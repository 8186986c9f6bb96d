#include "core/inference/elided_calls.h"

#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

namespace yp {
namespace {

constexpr int kMaxElidedDepth = 3;
// So that methods of hundreds of call sites that call each other end soon: no real tree gets there.
constexpr size_t kMaxNodesPerNode = 4, kMaxMoreNodes = 1000;

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

// Where something is inlined that the profile has not recorded: in this context the compiler knew
// the receiver's class. Not where there are receivers whose method is not known: it may be theirs.
std::set<Site> SitesOfOthers(const InlineTree& tree, const MethodProfiles& profiles) {
  std::set<Site> sites;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const auto& [parent, bci, method] = tree.nodes[i];
    const MethodProfile* profile = profiles.Find(tree.nodes[parent].method);
    const SiteProfile* site = profile == nullptr ? nullptr : profile->Site(bci);
    if (site != nullptr && site->CallsOf(method) <= 0 && site->CallsOf(kNoMethod) <= 0) {
      sites.emplace(parent, bci);
    }
  }
  return sites;
}

}  // namespace

InlineTree WithElidedCalls(const Root& root, const MethodProfiles& profiles) {
  const std::set<Site> with_call = SitesWithCalls(root);
  const std::set<Site> of_others = SitesOfOthers(root.tree, profiles);
  std::set<Callee> children = Children(root.tree);
  InlineTree tree = root.tree;
  std::vector<int> depth(tree.nodes.size(), 0);  // Of elided calls above the node and in it.
  const size_t max_nodes = kMaxNodesPerNode * root.tree.nodes.size() + kMaxMoreNodes;
  for (uint32_t node = 0; node < tree.nodes.size() && tree.nodes.size() < max_nodes; ++node) {
    if (depth[node] == kMaxElidedDepth) continue;
    const MethodProfile* profile = profiles.Find(tree.nodes[node].method);
    if (profile == nullptr) continue;
    for (const SiteProfile& site : profile->sites) {
      if (with_call.contains({node, site.bci}) || of_others.contains({node, site.bci})) continue;
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
