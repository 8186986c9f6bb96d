#include "core/inference/elided_calls.h"

#include <cstddef>
#include <set>
#include <utility>

namespace yp {
namespace {

constexpr int kMaxElidedDepth = 3;

using Site = std::pair<uint32_t, int32_t>;  // Node, bci.

std::set<Site> SitesWithTrace(const Root& root) {
  std::set<Site> sites;
  for (const OutgoingSite& site : root.outgoing) sites.emplace(site.node, site.bci);
  const auto& nodes = root.tree.nodes;
  for (size_t i = 1; i < nodes.size(); ++i) sites.emplace(nodes[i].parent, nodes[i].bci);
  return sites;
}

}  // namespace

InlineTree WithElidedCalls(const Root& root, const MethodProfiles& profiles) {
  const std::set<Site> with_trace = SitesWithTrace(root);
  InlineTree tree = root.tree;
  std::vector<int> depth(tree.nodes.size(), 0);  // Of elided calls above the node and in it.
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (depth[node] == kMaxElidedDepth) continue;
    const MethodProfile* profile = profiles.Find(tree.nodes[node].method);
    if (profile == nullptr) continue;
    for (const SiteProfile& site : profile->sites) {
      const MethodId callee = site.OnlyCallee();
      if (site.calls <= 0 || callee == kNoMethod) continue;
      if (with_trace.contains({node, site.bci})) continue;
      tree.nodes.push_back({node, site.bci, callee});
      depth.push_back(depth[node] + 1);
    }
  }
  return tree;
}

}  // namespace yp
