#include "core/amortize/what_if.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "core/amortize/versions.h"

namespace yp {
namespace {

std::vector<ExecutedVersion> Executed(const JitLog& log, const MethodVersions& method,
                                      const Executions& executions) {
  std::vector<ExecutedVersion> versions;
  std::set<int64_t> seen;
  bool had_c2 = false;
  for (const VersionLife& life : method.lives) {
    ExecutedVersion version;
    if (life.compilation) {
      const JitLog::Compilation& compilation = log.compilations[*life.compilation];
      version.level = compilation.level;
      version.compile_id = compilation.compile_id;
      version.compile_ns = static_cast<double>(CompileNs(compilation));
    }
    had_c2 = had_c2 || version.level == kC2;
    version.is_c2_or_later = had_c2;
    if (!seen.insert(version.compile_id).second) continue;
    const auto found = executions.versions.find({method.method, version.compile_id});
    if (found != executions.versions.end()) version.execution = found->second.execution;
    versions.push_back(version);
  }
  return versions;
}

bool IsInLoops(JitMethodId method, const ExecutedVersion& version, const Executions& executions) {
  const auto found = executions.versions.find({method, version.compile_id});
  return found != executions.versions.end() && found->second.is_in_loops;
}

// Those of which something was compiled, but for those in loops: their code for loops is not that
// of their versions.
std::vector<MethodRun> RunsOf(const JitLog& log, int64_t end_ns, const Executions& executions) {
  std::vector<MethodRun> all;
  for (const MethodVersions& method : VersionsOf(log, end_ns)) {
    MethodRun run;
    run.method = method.method;
    run.versions = Executed(log, method, executions);
    if (std::ranges::any_of(run.versions, [&](const ExecutedVersion& version) {
          return IsInLoops(run.method, version, executions);
        })) {
      continue;
    }
    const auto spend = [&run](int32_t level, bool is_c2_or_later, double ns) {
      run.compile_ns += ns;
      if (level != kC2) run.c1_ns += ns;
      if (is_c2_or_later) run.c2_ns += ns;
    };
    for (size_t i = 0; i < run.versions.size(); ++i) {
      const ExecutedVersion& version = run.versions[i];
      run.time_ns += version.execution.samples * executions.unit_ns;
      spend(version.level, version.is_c2_or_later, version.compile_ns);
      if (version.level == kInterpreted) continue;
      if (!run.last || version.level == kProfiled) run.profiled_ns = version.compile_ns;
      run.last = i;
    }
    if (!run.last) continue;
    for (const size_t loop : method.loops) {
      const JitLog::Compilation& compilation = log.compilations[loop];
      spend(compilation.level, compilation.level == kC2,
            static_cast<double>(CompileNs(compilation)));
    }
    all.push_back(std::move(run));
  }
  return all;
}

// Adds up what one method is compared to in several ways: the distances of medians to their limits
// add up in squares (Zou and Donner, Statistics in Medicine 27, 2008).
class SumOfMedians final : public SavedTime {
 public:
  explicit SumOfMedians(const GainModel& model) : model_(model) {}
  void Spare(double ns) override { value_ += ns; }
  void Compare(const ObservedRecompilation& comparison) override {
    const Uncertain gain = model_.Classify(comparison).gain_ns;
    value_ -= gain.value;
    down_ = std::hypot(down_, gain.high - gain.value);
    up_ = std::hypot(up_, gain.value - gain.low);
  }
  Uncertain Result() const { return {value_, value_ - down_, value_ + up_}; }

 private:
  const GainModel& model_;
  double value_ = 0, down_ = 0, up_ = 0;
};

// Of many methods.
class SumOfMeans final : public SavedTime {
 public:
  explicit SumOfMeans(const GainModel& model) : model_(model) {}
  void Spare(double ns) override { spared_ns_ += ns; }
  void Compare(const ObservedRecompilation& comparison) override {
    gain_.Add(comparison, model_.Classify(comparison));
  }
  Uncertain Result() const {
    const Uncertain gain = gain_.Sum();
    return {spared_ns_ - gain.value, spared_ns_ - gain.high, spared_ns_ - gain.low};
  }

 private:
  const GainModel& model_;
  double spared_ns_ = 0;
  TotalGain gain_;
};

// Samples of C2's code, by methods that it has inlined or whose code it is.
struct Inlined {
  std::map<JitMethodId, double> own;     // In a method's code, that ended in others.
  std::map<JitMethodId, double> others;  // In others' code, that ended in the method.
  std::map<JitMethodId, double> below;   // In others' code, that ended in the method or below it.
};

// `below(path's execution, samples by method)`: adds to those that have what is below them.
template <typename Below>
Inlined InlinedOf(const Executions& executions, Below below) {
  Inlined inlined;
  for (const InlinedExecution& each : executions.inlined) {
    const JitMethodId code = each.path.front(), end = each.path.back();
    if (end != code) {
      inlined.own[code] += each.samples;
      inlined.others[end] += each.samples;
    }
    below(each, &inlined.below);
  }
  return inlined;
}

// What is told of some methods, in sums of one kind or the other.
template <typename Sum>
class Sums {
 public:
  explicit Sums(const GainModel& model) : saved_(Strategies().size(), Sum(model)) {}

  // `inlined`: of all methods' code.
  void Add(MethodRun run, Inlined& inlined) {
    run.inlined_in_own = inlined.own[run.method];
    run.ended_in_others = inlined.others[run.method];
    run.below_in_others = inlined.below[run.method];
    what_.time_ns += run.time_ns;
    what_.compile_ns += run.compile_ns;
    for (size_t i = 0; i < saved_.size(); ++i) Strategies()[i].add(run, &saved_[i]);
  }
  WhatIf Result() const {
    WhatIf what = what_;
    for (const Sum& sum : saved_) what.saved.push_back(sum.Result());
    return what;
  }

 private:
  WhatIf what_;
  std::vector<Sum> saved_;
};

}  // namespace

std::vector<WhatIfOfMethod> WhatIfOfEach(const JitLog& log, int64_t end_ns,
                                         const Executions& executions, const GainModel& model) {
  Inlined inlined = InlinedOf(executions, [](const InlinedExecution& each, auto* below) {
    std::set<JitMethodId> methods(each.path.begin(), each.path.end());
    methods.erase(each.path.front());
    for (const JitMethodId method : methods) (*below)[method] += each.samples;
  });
  std::vector<WhatIfOfMethod> all;
  for (MethodRun& run : RunsOf(log, end_ns, executions)) {
    Sums<SumOfMedians> sums(model);
    const JitMethodId method = run.method;
    sums.Add(std::move(run), inlined);
    all.push_back({sums.Result(), method});
  }
  return all;
}

WhatIf WhatIfOfAll(const std::set<JitMethodId>& methods, const JitLog& log, int64_t end_ns,
                   const Executions& executions, const GainModel& model) {
  // What is below one of them counts once, by the first; what is in the code of one, as its code.
  Inlined inlined = InlinedOf(executions, [&](const InlinedExecution& each, auto* below) {
    const auto first = std::ranges::find_if(
        each.path, [&](JitMethodId method) { return methods.contains(method); });
    if (first != each.path.begin() && first != each.path.end()) (*below)[*first] += each.samples;
  });
  Sums<SumOfMeans> sums(model);
  for (MethodRun& run : RunsOf(log, end_ns, executions)) {
    if (methods.contains(run.method)) sums.Add(std::move(run), inlined);
  }
  return sums.Result();
}

}  // namespace yp
