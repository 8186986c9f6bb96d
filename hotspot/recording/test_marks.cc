#include "hotspot/recording/test_marks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace yp::hotspot {

void TestMarks::Mark(Kind kind, const std::string& name, int64_t now_ns, Periods& periods) {
  const std::lock_guard lock(mutex_);
  TakeFound(periods);
  switch (kind) {
    case Kind::kNext:
      for (const spool::TestBegin& test : running_) untold_.ended.push_back({test.test, now_ns});
      running_.clear();
      if (!name.empty()) Begin(name, now_ns, periods);
      return;
    case Kind::kBegin:
      return Begin(name, now_ns, periods);
    case Kind::kEnd:
      return End(name, now_ns, periods);
    case Kind::kPrepare:
      is_preparing_ = true;
      prepared_.clear();
      periods.BeginPeriod();
      return;
    case Kind::kRest:
      is_preparing_ = false;
      prepared_.clear();
      return;
  }
}

void TestMarks::End(const std::string& name, int64_t now_ns, Periods& periods) {
  const auto latest = std::find_if(running_.rbegin(), running_.rend(),
                                   [&](const auto& test) { return test.name == name; });
  if (latest == running_.rend()) return;
  untold_.ended.push_back({latest->test, now_ns});
  running_.erase(std::next(latest).base());
  // What is found while nothing runs is nobody's.
  if (!running_.empty()) periods.BeginPeriod();
}

void TestMarks::Begin(const std::string& name, int64_t now_ns, Periods& periods) {
  running_.push_back({++next_, now_ns, name});
  untold_.begun.push_back(running_.back());
  if (!prepared_.empty()) untold_.reached.push_back({{next_}, std::exchange(prepared_, {})});
  is_preparing_ = false;
  periods.BeginPeriod();
}

void TestMarks::TakeFound(Periods& periods) {
  std::vector<EdgeId> edges = periods.TakeFound();
  if (is_preparing_) prepared_.insert(prepared_.end(), edges.begin(), edges.end());
  if (edges.empty() || running_.empty()) return;
  spool::Reached reached;
  for (const spool::TestBegin& test : running_) reached.tests.push_back(test.test);
  reached.edges = std::move(edges);
  untold_.reached.push_back(std::move(reached));
}

TestMarks::Updates TestMarks::Take(Periods& periods) {
  const std::lock_guard lock(mutex_);
  TakeFound(periods);
  return std::exchange(untold_, {});
}

void TestMarks::Retell() {
  const std::lock_guard lock(mutex_);
  std::vector<spool::TestBegin> begun = running_;
  for (spool::TestBegin& test : untold_.begun) {
    if (std::ranges::find(running_, test.test, &spool::TestBegin::test) == running_.end()) {
      begun.push_back(std::move(test));
    }
  }
  untold_.begun = std::move(begun);
}

}  // namespace yp::hotspot
