#include "format/profile/test_runs.h"

#include <algorithm>
#include <utility>

#include "format/profile/spool_times.h"

namespace yp {

void TestRunsBuilder::Take(const spool::TestBegin& record) {
  TestRun test;
  test.name = record.name;
  test.begin_ns = std::clamp<int64_t>(record.begin_ns, 0, kLatestNs);
  tests_.try_emplace(record.test, std::move(test));
}

void TestRunsBuilder::Take(const spool::TestEnd& record) {
  const auto test = tests_.find(record.test);
  if (test == tests_.end()) return;
  test->second.end_ns = std::clamp<int64_t>(record.end_ns, test->second.begin_ns, kLatestNs);
}

void TestRunsBuilder::Take(const spool::Reached& record,
                           const std::function<std::optional<EdgeId>(EdgeId)>& edge_of) {
  const bool alone = record.tests.size() == 1;
  for (const uint32_t id : record.tests) {
    const auto test = tests_.find(id);
    if (test == tests_.end()) continue;
    for (const EdgeId told : record.edges) {
      if (const std::optional<EdgeId> edge = edge_of(told)) {
        test->second.reached.push_back({*edge, alone});
      }
    }
  }
}

std::vector<TestRun> TestRunsBuilder::Finish() {
  std::vector<TestRun> runs;
  for (auto& [id, test] : tests_) {
    std::ranges::sort(test.reached, [](const TestRun::Reached& a, const TestRun::Reached& b) {
      return a.edge != b.edge ? a.edge < b.edge : a.alone > b.alone;
    });
    const auto end = std::unique(test.reached.begin(), test.reached.end(),
                                 [](const auto& a, const auto& b) { return a.edge == b.edge; });
    test.reached.erase(end, test.reached.end());
    runs.push_back(std::move(test));
  }
  std::ranges::stable_sort(runs, {}, &TestRun::begin_ns);
  return runs;
}

}  // namespace yp
