#include "format/profile/test_reach.h"

#include <algorithm>

namespace yp {
namespace {

// By ascending id, each once: alone if any of its entries is.
void SortReached(std::vector<TestReach::Reached>* reached) {
  std::ranges::sort(*reached, [](const auto& a, const auto& b) {
    return a.id != b.id ? a.id < b.id : a.alone > b.alone;
  });
  const auto end = std::unique(reached->begin(), reached->end(),
                               [](const auto& a, const auto& b) { return a.id == b.id; });
  reached->erase(end, reached->end());
}

// By id, how many of the lists have it.
std::vector<uint32_t> CountsByList(const std::vector<TestReach::Test>& tests, size_t ids,
                                   std::vector<TestReach::Reached> TestReach::Test::*list) {
  std::vector<uint32_t> counts(ids, 0);
  for (const TestReach::Test& test : tests) {
    for (const TestReach::Reached& reached : test.*list) ++counts[reached.id];
  }
  return counts;
}

size_t CountOnlyHere(const std::vector<TestReach::Reached>& list,
                     const std::vector<uint32_t>& counts) {
  return static_cast<size_t>(
      std::ranges::count_if(list, [&](const auto& reached) { return counts[reached.id] == 1; }));
}

}  // namespace

TestReach::TestReach(std::span<const Profile> profiles) {
  for (const Profile& profile : profiles) Take(profile);
  for (Test& test : tests_) {
    SortReached(&test.edges);
    for (const auto& [id, alone] : test.edges) {
      for (const MethodId method : {edges_[id].caller, edges_[id].callee}) {
        if (method != kNoMethod && IsObserved(method)) {
          test.methods.push_back({ToIndex(method), alone});
        }
      }
    }
    SortReached(&test.methods);
  }
  CountOnly();
}

void TestReach::Take(const Profile& profile) {
  std::vector<MethodId> methods;
  for (const Method& method : profile.methods.methods()) methods.push_back(methods_.Intern(method));
  called_.resize(methods_.size());
  observing_.resize(methods_.size());
  for (size_t i = 0; i < methods.size(); ++i) {
    if (profile.IsObserved(MethodId{static_cast<uint32_t>(i)})) ++observing_[ToIndex(methods[i])];
  }
  for (const UnexecutedCall& call : profile.unexecuted_calls) {
    Unexecuted& unexecuted = unexecuted_[{methods[ToIndex(call.caller)], call.bci}];
    unexecuted.callee = call.callee;
    ++unexecuted.profiles;
  }
  std::vector<uint32_t> edges;
  for (const EdgeStats& stats : profile.edges) {
    Edge edge = stats.edge;
    if (edge.caller != kNoMethod) {
      edge.caller = methods[ToIndex(edge.caller)];
      called_[ToIndex(edge.caller)] = true;
    }
    edge.callee = methods[ToIndex(edge.callee)];
    called_[ToIndex(edge.callee)] = true;
    const auto [known, is_new] = edge_ids_.try_emplace(edge, static_cast<uint32_t>(edges_.size()));
    if (is_new) edges_.push_back(edge);
    edges.push_back(known->second);
  }
  for (const TestRun& run : profile.tests) {
    const auto [known, is_new] = test_index_.try_emplace(run.name, tests_.size());
    if (is_new) {
      Test& first = tests_.emplace_back();
      first.name = run.name;
      first.begin_ns = run.begin_ns;
    }
    Test& test = tests_[known->second];
    ++test.runs;
    test.duration_ns +=
        std::max<int64_t>(0, run.end_ns.value_or(profile.duration_ns) - run.begin_ns);
    for (const auto& [edge, alone] : run.reached) {
      test.edges.push_back({edges[ToIndex(edge)], alone});
    }
  }
}

void TestReach::CountOnly() {
  const std::vector<uint32_t> edges = CountsByList(tests_, edges_.size(), &Test::edges);
  const std::vector<uint32_t> methods = CountsByList(tests_, methods_.size(), &Test::methods);
  for (Test& test : tests_) {
    test.edges_only = CountOnlyHere(test.edges, edges);
    test.methods_only = CountOnlyHere(test.methods, methods);
  }
}

std::vector<TestReach::ByTest> TestReach::TestsOf(MethodId method) const {
  std::vector<ByTest> found;
  for (size_t i = 0; i < tests_.size(); ++i) {
    const auto reached =
        std::ranges::lower_bound(tests_[i].methods, ToIndex(method), {}, &Reached::id);
    if (reached != tests_[i].methods.end() && reached->id == ToIndex(method)) {
      found.push_back({i, reached->alone});
    }
  }
  return found;
}

std::vector<UnexecutedCall> TestReach::UnexecutedCalls() const {
  std::vector<UnexecutedCall> calls;
  for (const auto& [site, unexecuted] : unexecuted_) {
    const auto& [caller, bci] = site;
    if (unexecuted.profiles == observing_[ToIndex(caller)]) {
      calls.push_back({caller, bci, unexecuted.callee});
    }
  }
  return calls;
}

std::vector<UnexecutedCall> TestReach::UnexecutedCallsInCalled() const {
  std::vector<UnexecutedCall> calls = UnexecutedCalls();
  std::erase_if(calls, [&](const UnexecutedCall& call) { return !IsCalled(call.caller); });
  return calls;
}

std::vector<MethodId> TestReach::Uncalled() const {
  std::vector<MethodId> uncalled;
  for (size_t i = 0; i < methods_.size(); ++i) {
    const MethodId method{static_cast<uint32_t>(i)};
    if (IsObserved(method) && !IsCalled(method)) uncalled.push_back(method);
  }
  return uncalled;
}

}  // namespace yp
