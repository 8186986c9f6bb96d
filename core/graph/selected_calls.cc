#include "core/graph/selected_calls.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace yp {
namespace {

// Deeper chains of inlined calls than compilers make.
constexpr int kRounds = 16;

struct Entries {
  double all = 0;
  double selected = 0;
  double variance = 0;  // Of `selected`.
  double Part() const { return all > 0 ? selected / all : 0; }
  double RelativeVariance() const { return selected > 0 ? variance / (selected * selected) : 0; }
};

}  // namespace

std::vector<SelectedCalls> CallsOfSelection(std::span<const EdgeToSelect> edges) {
  std::unordered_map<MethodId, Entries> sampled;  // Without inferred calls in the selection.
  for (const EdgeToSelect& edge : edges) {
    Entries& of_callee = sampled[edge.edge.callee];
    of_callee.all += edge.sampled + edge.inferred;
    of_callee.selected += edge.selected;
    of_callee.variance += edge.selected_squares;
  }
  // A call without a caller goes with nothing.
  sampled.erase(kNoMethod);
  std::unordered_map<MethodId, Entries> entries = sampled;
  const auto caller_of = [&](const EdgeToSelect& edge) -> const Entries* {
    const auto known = entries.find(edge.edge.caller);
    return known == entries.end() || known->second.all <= 0 ? nullptr : &known->second;
  };
  for (int round = 0; round < kRounds; ++round) {
    std::unordered_map<MethodId, Entries> next = sampled;
    for (const EdgeToSelect& edge : edges) {
      if (edge.inferred <= 0) continue;
      const Entries* caller = caller_of(edge);
      if (caller == nullptr) continue;
      const double calls = edge.inferred * caller->Part();
      Entries& of_callee = next[edge.edge.callee];
      of_callee.selected += calls;
      of_callee.variance += calls * calls * caller->RelativeVariance();
    }
    entries = std::move(next);
  }
  std::vector<SelectedCalls> result;
  result.reserve(edges.size());
  for (const EdgeToSelect& edge : edges) {
    SelectedCalls selected;
    double variance = edge.selected_squares;
    selected.calls = edge.selected;
    if (edge.inferred > 0) {
      if (const Entries* caller = caller_of(edge)) {
        const double calls = edge.inferred * std::min(1.0, caller->Part());
        selected.calls += calls;
        variance += calls * calls * caller->RelativeVariance();
      } else {
        selected.unplaced = edge.inferred;
      }
    }
    if (selected.calls > 0) {
      selected.relative_variance = variance / (selected.calls * selected.calls);
    }
    result.push_back(selected);
  }
  return result;
}

}  // namespace yp
