#include "format/page/page_tree.h"

#include <algorithm>
#include <numeric>

#include "format/page/page_calls.h"
#include "format/page/page_names.h"

namespace yp {
namespace {

using Node = CallingContextTree::Node;

}  // namespace

std::vector<TreeToShow> TreesOf(const Profile& profile) {
  std::vector<TreeToShow> trees;
  const bool has_code = profile.jit.contexts.total() > 0;
  const bool is_time = profile.context_weights() == Profile::ContextWeights::kTime;
  if (profile.contexts.total() > 0 && !(is_time && has_code)) {
    trees.push_back(
        {&profile.contexts, UnitOfContexts(profile), is_time ? StackSampleNs(profile) : 0, false});
  }
  if (has_code) trees.push_back({&profile.jit.contexts, "samples", StackSampleNs(profile), true});
  return trees;
}

// A node has at least the weight of any below it, so that none is kept without its parent; of equal
// ones the parent has the lower index.
std::vector<size_t> HeaviestNodes(const CallingContextTree& tree, size_t at_most) {
  std::vector<size_t> nodes(tree.size());
  std::iota(nodes.begin(), nodes.end(), size_t{0});
  if (nodes.size() <= at_most) return nodes;
  at_most = std::max<size_t>(1, at_most);
  const std::vector<double> inclusive = InclusiveWeights(tree);
  std::ranges::nth_element(
      nodes, nodes.begin() + static_cast<ptrdiff_t>(at_most), [&](size_t a, size_t b) {
        return inclusive[a] != inclusive[b] ? inclusive[a] > inclusive[b] : a < b;
      });
  nodes.resize(at_most);
  std::ranges::sort(nodes);
  return nodes;
}

void WriteTree(const TreeToShow& shown, const Profile& profile, const std::vector<MethodId>& ids,
               size_t max_nodes, JsonWriter& json) {
  const CallingContextTree& tree = *shown.tree;
  const std::vector<size_t> kept = HeaviestNodes(tree, max_nodes);
  std::vector<size_t> position(tree.size(), 0);
  double shown_weight = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    position[kept[i]] = i;
    shown_weight += tree.nodes()[kept[i]].weight;
  }
  const bool is_estimate = shown.unit == "estimated calls";
  const auto column = [&](std::string_view key, auto of) {
    json.Column(key, kept, [&](size_t i) { return of(tree.nodes()[i]); });
  };
  const auto write_weight = [&](double weight) {
    is_estimate ? json.Value(PageCalls(weight)) : json.Value(ExactNumber{weight});
  };
  json.BeginObject();
  json.Field("unit", shown.unit);
  json.Field("sample_ns", shown.sample_ns);
  column("parent", [&](const Node& n) { return position[ToIndex(n.parent)]; });
  column("method", [&](const Node& n) {
    return n.method == kNoMethod ? -1 : PageNames::Number(ids[ToIndex(n.method)]);
  });
  column("bci", [](const Node& n) { return n.bci; });
  column("line", [&](const Node& n) {
    return LineOf(profile.methods, {tree[n.parent].method, n.bci, n.method});
  });
  json.Key("weight");
  json.BeginArray();
  for (const size_t i : kept) write_weight(tree.nodes()[i].weight);
  json.EndArray();
  if (shown.has_code) {
    column("level", [](const Node& n) {
      return n.code.is_known && n.method != kNoMethod ? n.code.level : -1;
    });
    column("inlined", [](const Node& n) { return n.code.is_known && n.code.is_inlined ? 1 : 0; });
  } else {
    json.Field("level", nullptr);
    json.Field("inlined", nullptr);
  }
  json.Field("hidden_nodes", tree.size() - kept.size());
  json.Key("hidden_weight");
  write_weight(kept.size() == tree.size() ? 0 : std::max(0.0, tree.total() - shown_weight));
  json.EndObject();
}

}  // namespace yp
