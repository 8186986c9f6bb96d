#include "format/exporters/export_stacks.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace yp {
namespace {

ExportedStacks StacksOfEdges(const Profile& profile, const ExportOptions& options) {
  ExportedGraph graph = SelectEdges(profile, options);
  ExportedStacks exported;
  if (profile.finds_edges()) {
    exported.type = "edges found";
    exported.origin = "each edge was found once; calls were not counted";
    exported.meaning = "self: edges to the method; total: also those from it";
  } else if (profile.has_stack_ends()) {
    exported.type = "samples";
    exported.origin = "ends of stacks that signals took; calls were not observed";
    exported.meaning = "self: stacks that end in the method; total: also those in what it calls";
  } else {
    exported.type = "calls";
    exported.is_estimated = !profile.exact();
    exported.origin =
        profile.exact() ? "every call was counted" : "numbers of calls are estimates from samples";
    exported.meaning = "self: calls of the method; total: also those that it makes itself";
  }
  for (const ExportedEdge& edge : graph.edges) {
    exported.stacks.push_back(
        {.weight = edge.stats.calls,
         .edge = {{{edge.callee, graph.methods[edge.callee].first_line}, {edge.caller, edge.line}}},
         .bci = edge.bci,
         .inlined = InlinedShare(edge.stats)});
  }
  exported.methods = std::move(graph.methods);
  return exported;
}

// Those with a weight, the heaviest first, then in the order of their ids.
std::vector<size_t> HeaviestContexts(const CallingContextTree& tree, size_t limit) {
  std::vector<size_t> contexts;
  for (size_t i = 1; i < tree.size(); ++i) {
    if (tree.nodes()[i].weight > 0) contexts.push_back(i);
  }
  std::ranges::stable_sort(contexts, std::ranges::greater(),
                           [&](size_t i) { return tree.nodes()[i].weight; });
  if (limit > 0 && contexts.size() > limit) contexts.resize(limit);
  return contexts;
}

// Methods that differ in what is not read (a return type, the package of a parameter) keep their
// descriptors: consumers add up what has one name.
void NameReadably(std::vector<ExportedMethod>& methods) {
  std::unordered_map<std::string_view, int> namesakes;
  for (const ExportedMethod& method : methods) ++namesakes[method.readable];
  for (ExportedMethod& method : methods) {
    if (namesakes[method.readable] == 1) method.name = method.readable;
  }
}

constexpr const char* kMeaningOfCalls = "self: calls of the method; total: also all calls below it";

ExportedStacks StacksOfContexts(const Profile& profile, const ExportOptions& options) {
  ExportedStacks exported;
  switch (profile.context_weights()) {
    case Profile::ContextWeights::kTime:
      exported.type = "samples";
      exported.origin = "samples of where threads were found by signals";
      exported.meaning = "self: in the method itself; total: also in what it calls";
      break;
    case Profile::ContextWeights::kCalls:
      exported.type = "calls";
      exported.origin = "every call was counted";
      exported.meaning = kMeaningOfCalls;
      break;
    case Profile::ContextWeights::kEstimatedCalls:
      exported.type = "calls";
      exported.is_estimated = true;
      exported.origin = "estimated from samples of calls";
      exported.meaning = kMeaningOfCalls;
      break;
  }
  ExportedMethods methods(profile);
  const CallingContextTree& tree = profile.contexts;
  exported.tree = &tree;
  exported.contexts.resize(tree.size());
  std::vector<bool> is_known(tree.size());
  for (const size_t context : HeaviestContexts(tree, options.max_edges)) {
    const ContextId id{static_cast<uint32_t>(context)};
    exported.stacks.push_back(
        {.weight = tree[id].weight, .context = id, .edge = {}, .inlined = {}});
    // Who calls a known context is known, too.
    for (ContextId at = id; at != kRootContext && !is_known[ToIndex(at)]; at = tree[at].parent) {
      const CallingContextTree::Node& node = tree[at];
      exported.contexts[ToIndex(at)] = {
          methods.IndexOf(node.method),
          profile.LineOf({tree[node.parent].method, node.bci, node.method})};
      is_known[ToIndex(at)] = true;
    }
  }
  exported.methods = methods.Take();
  return exported;
}

}  // namespace

void ExportedStacks::FramesOf(const ExportedStack& stack,
                              std::vector<ExportedFrame>* frames) const {
  frames->clear();
  if (stack.context == kRootContext) {
    frames->assign(stack.edge.begin(), stack.edge.end());
    return;
  }
  int64_t line = methods[contexts[ToIndex(stack.context)].method].first_line;
  for (ContextId at = stack.context; at != kRootContext; at = (*tree)[at].parent) {
    const ExportedFrame& context = contexts[ToIndex(at)];
    frames->push_back({context.method, line});
    line = context.line;
  }
}

ExportedStacks SelectStacks(const Profile& profile, const ExportOptions& options) {
  ExportedStacks exported =
      options.contexts ? StacksOfContexts(profile, options) : StacksOfEdges(profile, options);
  if (!options.descriptors) NameReadably(exported.methods);
  return exported;
}

}  // namespace yp
