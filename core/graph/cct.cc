#include "core/graph/cct.h"

#include <algorithm>
#include <map>

namespace yp {
namespace {

constexpr ContextId ToId(size_t index) { return ContextId{static_cast<uint32_t>(index)}; }

// Calls visit(context in `from`, context in `to`) for the root and for each context of `from` whose
// chain of calls `to` has as well.
template <typename Visit>
void ForEachCommon(const CallingContextTree& from, const CallingContextTree& to, Visit visit) {
  std::vector<std::optional<ContextId>> image(from.size());
  image[0] = kRootContext;
  for (size_t i = 0; i < from.size(); ++i) {
    const CallingContextTree::Node& node = from.nodes()[i];
    const std::optional<ContextId> parent = image[ToIndex(node.parent)];
    if (i > 0 && parent) image[i] = to.FindChild(*parent, node.bci, node.method, node.code);
    if (image[i]) visit(ToId(i), *image[i]);
  }
}

size_t CountWeighted(const CallingContextTree& tree) {
  return static_cast<size_t>(
      std::ranges::count_if(tree.nodes(), [](const auto& node) { return node.weight > 0; }));
}

}  // namespace

ContextId CallingContextTree::Child(ContextId parent, int32_t bci, MethodId method,
                                    CodeLabel code) {
  const Key key{parent, {kNoMethod, bci, method}, code.Packed()};
  const auto [it, is_new] = index_.try_emplace(key, ToId(nodes_.size()));
  if (is_new) {
    nodes_.push_back({.parent = parent, .bci = bci, .method = method, .weight = 0, .code = code});
  }
  return it->second;
}

std::optional<ContextId> CallingContextTree::FindChild(ContextId parent, int32_t bci,
                                                       MethodId method, CodeLabel code) const {
  const auto found = index_.find(Key{parent, {kNoMethod, bci, method}, code.Packed()});
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> InclusiveWeights(const CallingContextTree& tree) {
  std::vector<double> weights;
  for (const CallingContextTree::Node& node : tree.nodes()) weights.push_back(node.weight);
  for (size_t i = weights.size(); i > 1; --i) {
    weights[ToIndex(tree.nodes()[i - 1].parent)] += weights[i - 1];
  }
  return weights;
}

std::vector<MethodWeight> MethodWeights(const CallingContextTree& tree) {
  std::map<MethodId, MethodWeight> methods;
  const std::vector<double> inclusive = InclusiveWeights(tree);
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    MethodWeight& method = methods[node.method];
    method.method = node.method;
    method.self += node.weight;
    // A recursive method's inner contexts are in its outermost one.
    bool is_outermost = true;
    for (ContextId up = node.parent; is_outermost && up != kRootContext; up = tree[up].parent) {
      is_outermost = tree[up].method != node.method;
    }
    if (is_outermost) method.total += inclusive[i];
  }
  std::vector<MethodWeight> weights;
  for (const auto& [id, weight] : methods) weights.push_back(weight);
  return weights;
}

CallingContextTree Rebase(const CallingContextTree& tree, const MethodTable& methods,
                          MethodTable& into) {
  CallingContextTree result;
  std::vector<ContextId> image(tree.size(), kRootContext);
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    const MethodId method =
        node.method == kNoMethod ? kNoMethod : into.Intern(methods[node.method]);
    image[i] = result.Child(image[ToIndex(node.parent)], node.bci, method, node.code);
    result.Add(image[i], node.weight);
  }
  return result;
}

CallingContextTree WithoutCode(const CallingContextTree& tree) {
  CallingContextTree result;
  std::vector<ContextId> image(tree.size(), kRootContext);
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    image[i] = result.Child(image[ToIndex(node.parent)], node.bci, node.method);
    result.Add(image[i], node.weight);
  }
  return result;
}

CallingContextTree Project(const CallingContextTree& tree,
                           const std::function<bool(MethodId)>& keeps) {
  // Where a context's own calls come from in the projection.
  struct Place {
    ContextId context = kRootContext;
    int32_t bci = kNoBci;  // Of the call that left the context for what is not kept.
    bool is_kept = true;
  };
  CallingContextTree result;
  std::vector<Place> places(tree.size());
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    const Place& caller = places[ToIndex(node.parent)];
    const int32_t bci = caller.is_kept ? node.bci : caller.bci;
    if (keeps(node.method)) {
      places[i] = {result.Child(caller.context, bci, node.method), kNoBci, true};
    } else {
      places[i] = {caller.context, bci, false};
    }
    result.Add(places[i].context, node.weight);
  }
  return result;
}

ContextComparison Compare(const CallingContextTree& a, const CallingContextTree& b) {
  ContextComparison result;
  if (a.total() <= 0 || b.total() <= 0) {
    result.only_a = CountWeighted(a);
    result.only_b = CountWeighted(b);
    return result;
  }
  ForEachCommon(a, b, [&](ContextId in_a, ContextId in_b) {
    const double share_a = a[in_a].weight / a.total(), share_b = b[in_b].weight / b.total();
    if (share_a <= 0 || share_b <= 0) return;
    result.overlap += 100 * std::min(share_a, share_b);
    ++result.common;
  });
  result.only_a = CountWeighted(a) - result.common;
  result.only_b = CountWeighted(b) - result.common;
  return result;
}

HotContexts HotContextCoverage(const CallingContextTree& reference,
                               const CallingContextTree& sampled, double threshold) {
  double heaviest = 0;
  for (const auto& node : reference.nodes()) heaviest = std::max(heaviest, node.weight);
  const auto is_hot = [&](const CallingContextTree::Node& node) {
    return node.weight > 0 && node.weight >= threshold * heaviest;
  };
  HotContexts result;
  result.in_reference = static_cast<size_t>(std::ranges::count_if(reference.nodes(), is_hot));
  size_t found = 0;
  ForEachCommon(reference, sampled, [&](ContextId in_reference, ContextId in_sampled) {
    if (is_hot(reference[in_reference]) && sampled[in_sampled].weight > 0) ++found;
  });
  if (result.in_reference > 0) {
    result.found = 100 * static_cast<double>(found) / static_cast<double>(result.in_reference);
  }
  return result;
}

}  // namespace yp
