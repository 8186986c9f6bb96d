#include "core/amortize/what_if.h"

#include <cmath>
#include <cstddef>
#include <set>

#include "core/amortize/versions.h"

namespace yp {
namespace {

constexpr int32_t kInterpreted = 0, kLevel1 = 1, kProfiled = 3;
// What level 1 takes to compile, as a part of what level 3 does: a third less code (2026-11, fop
// and ecj with -XX:TieredStopAtLevel=1 and 3, JDK 17).
constexpr double kLevel1Cost = 0.6;

// A sum of what is known with different certainty; the distances to the limits add up in squares
// (Zou and Donner, Statistics in Medicine 27, 2008).
class Sum {
 public:
  void Add(double value) { value_ += value; }
  void Subtract(const Uncertain& estimate) {
    value_ -= estimate.value;
    down_ = std::hypot(down_, estimate.high - estimate.value);
    up_ = std::hypot(up_, estimate.value - estimate.low);
  }
  Uncertain Result() const { return {value_, value_ - down_, value_ + up_}; }

 private:
  double value_ = 0, down_ = 0, up_ = 0;
};

// A version, all of its lives together.
struct Version {
  int32_t level = 0;
  int64_t compile_id = 0;
  double compile_ns = 0;
  Execution execution;
};

std::vector<Version> Executed(const JitLog& log, const MethodVersions& method,
                              const Executions& executions) {
  std::vector<Version> versions;
  std::set<int64_t> seen;
  for (const VersionLife& life : method.lives) {
    Version version;
    if (life.compilation) {
      const JitLog::Compilation& compilation = log.compilations[*life.compilation];
      version.level = compilation.level;
      version.compile_id = compilation.compile_id;
      version.compile_ns = static_cast<double>(CompileNs(compilation));
    }
    if (!seen.insert(version.compile_id).second) continue;
    const auto found = executions.versions.find({method.method, version.compile_id});
    if (found != executions.versions.end()) version.execution = found->second.execution;
    versions.push_back(version);
  }
  return versions;
}

// The first version at a level, which tells most of it.
Execution AtLevel(const std::vector<Version>& versions, int32_t level) {
  for (const Version& version : versions) {
    if (version.level == level) return version.execution;
  }
  return {};
}

}  // namespace

std::vector<WhatIf> WhatIfOf(const JitLog& log, int64_t end_ns, const Executions& executions,
                             const GainModel& model) {
  std::vector<WhatIf> all;
  for (const MethodVersions& method : VersionsOf(log, end_ns)) {
    const std::vector<Version> versions = Executed(log, method, executions);
    const Version* last = nullptr;  // That was compiled.
    double profiled_ns = 0;         // Of a compilation at level 3; of any where there is none.
    WhatIf what;
    what.method = method.method;
    for (const Version& version : versions) {
      what.time_ns += version.execution.samples * executions.unit_ns;
      what.compile_ns += version.compile_ns;
      if (version.level == kInterpreted) continue;
      if (last == nullptr || version.level == kProfiled) profiled_ns = version.compile_ns;
      last = &version;
    }
    if (last == nullptr) continue;
    double loops_ns = 0;
    for (const size_t loop : method.loops) {
      loops_ns += static_cast<double>(CompileNs(log.compilations[loop]));
    }
    what.compile_ns += loops_ns;
    // Less what calls of other versions would take more at that level.
    const auto at = [&](int32_t level, double spared_ns, bool with_interpreted) {
      Sum sum;
      sum.Add(spared_ns);
      for (const Version& version : versions) {
        if (version.level == level || (version.level == kInterpreted && !with_interpreted)) {
          continue;
        }
        sum.Subtract(model
                         .Judge({.from = level,
                                 .to = version.level,
                                 .compile_ns = 0,
                                 .before = AtLevel(versions, level),
                                 .after = version.execution})
                         .gain_ns);
      }
      return sum.Result();
    };
    what.never = at(kInterpreted, what.compile_ns, true);
    what.at_level_1 = at(kLevel1, what.compile_ns - kLevel1Cost * profiled_ns, false);
    what.at_once = at(last->level, what.compile_ns - last->compile_ns, true);
    all.push_back(what);
  }
  return all;
}

}  // namespace yp
