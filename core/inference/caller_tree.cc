#include "core/inference/caller_tree.h"

#include <algorithm>
#include <cassert>
#include <compare>
#include <utility>

namespace yp {
namespace {

// A way outwards: who called, and from where. The end of a chain is a step of its own.
struct Step {
  bool is_end = false;
  MethodId caller = kNoMethod;
  int32_t bci = kNoBci;
  auto operator<=>(const Step&) const = default;
};

Step StepFrom(const CallingContextTree& tree, ContextId at) {
  if (at == kRootContext) return {.is_end = true};
  return {.caller = tree[tree[at].parent].method, .bci = tree[at].bci};
}

}  // namespace

CallerTree::CallerTree(const CallingContextTree& tree, std::vector<ContextId> contexts,
                       std::span<const double> seen)
    : contexts_(std::move(contexts)), leaves_(contexts_.size()) {
  Split(tree, seen);
}

void CallerTree::Split(const CallingContextTree& tree, std::span<const double> seen) {
  // A context, and how far outwards it has been read.
  struct Chain {
    size_t context;
    ContextId at;
  };
  struct Group {
    size_t begin, end, node;
  };
  std::vector<Chain> chains;
  nodes_.push_back({});
  for (size_t i = 0; i < contexts_.size(); ++i) {
    chains.push_back({i, contexts_[i]});
    nodes_[0].seen += seen[ToIndex(contexts_[i])];
  }
  std::vector<Group> open{{0, chains.size(), 0}};
  while (!open.empty()) {
    const auto [begin, end, node] = open.back();
    open.pop_back();
    if (end - begin == 1) {
      leaves_[chains[begin].context] = node;
      continue;
    }
    const auto first = chains.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = chains.begin() + static_cast<std::ptrdiff_t>(end);
    std::stable_sort(first, last, [&](const Chain& a, const Chain& b) {
      return StepFrom(tree, a.at) < StepFrom(tree, b.at);
    });
    for (size_t from = begin; from < end;) {
      const Step step = StepFrom(tree, chains[from].at);
      assert(!(step.is_end && from + 1 < end && StepFrom(tree, chains[from + 1].at) == step));
      size_t to = from;
      double seen_here = 0;
      for (; to < end && StepFrom(tree, chains[to].at) == step; ++to) {
        seen_here += seen[ToIndex(contexts_[chains[to].context])];
      }
      size_t child = node;  // Where all go the same way.
      if (to - from < end - begin) {
        child = nodes_.size();
        nodes_.push_back({node, seen_here});
      }
      for (size_t i = from; i < to && !step.is_end; ++i) chains[i].at = tree[chains[i].at].parent;
      open.push_back({from, to, child});
      from = to;
    }
  }
}

std::vector<double> CallerTree::Shares(std::span<const double> samples) const {
  std::vector<double> within(nodes_.size(), 0);
  for (size_t i = 0; i < leaves_.size(); ++i) within[leaves_[i]] += samples[i];
  for (size_t n = nodes_.size() - 1; n > 0; --n) within[nodes_[n].parent] += within[n];
  std::vector<double> shares(nodes_.size(), 1);
  for (size_t n = 1; n < nodes_.size(); ++n) {
    const size_t parent = nodes_[n].parent;
    const double others = nodes_[parent].seen > 0 ? nodes_[n].seen / nodes_[parent].seen : 0;
    shares[n] =
        shares[parent] * (within[n] + kOthersWeight * others) / (within[parent] + kOthersWeight);
  }
  std::vector<double> by_context;
  by_context.reserve(leaves_.size());
  for (const size_t leaf : leaves_) by_context.push_back(shares[leaf]);
  return by_context;
}

}  // namespace yp
