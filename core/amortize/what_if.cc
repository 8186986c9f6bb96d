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

constexpr int32_t kInterpreted = 0, kLevel1 = 1, kProfiled = 3, kC2 = 4;
// What level 1 takes to compile, as a part of what level 3 does: a third less code (2026-11, fop
// and ecj with -XX:TieredStopAtLevel=1 and 3, JDK 17).
constexpr double kLevel1Cost = 0.6;

// A version, all of its lives together.
struct Version {
  int32_t level = 0;
  int64_t compile_id = 0;
  double compile_ns = 0;
  bool is_c2_or_later = false;  // Of C2, or from after its first.
  Execution execution;
};

std::vector<Version> Executed(const JitLog& log, const MethodVersions& method,
                              const Executions& executions) {
  std::vector<Version> versions;
  std::set<int64_t> seen;
  bool had_c2 = false;
  for (const VersionLife& life : method.lives) {
    Version version;
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

// One method, and what its compilations cost.
struct Compiled {
  JitMethodId method{};
  std::vector<Version> versions;
  double time_ns = 0;
  double compile_ns = 0;
  double profiled_ns = 0;      // Of a compilation at level 3; of any where there is none.
  double c2_ns = 0;            // Of C2, and after its first.
  std::optional<size_t> last;  // Of the versions, that was compiled.

  // The first version at a level, which tells most of it.
  Execution AtLevel(int32_t level) const {
    for (const Version& version : versions) {
      if (version.level == level) return version.execution;
    }
    return {};
  }
  double SecondSamples() const {
    double samples = 0;
    for (const Version& version : versions) {
      if (version.level == kC2) samples += version.execution.samples;
    }
    return samples;
  }
  // Of one of its versions to another level.
  ObservedRecompilation To(int32_t level, const Version& version) const {
    return {.from = level,
            .to = version.level,
            .compile_ns = 0,
            .before = AtLevel(level),
            .after = version.execution};
  }
};

// Those of which something was compiled.
std::vector<Compiled> CompiledOf(const JitLog& log, int64_t end_ns, const Executions& executions) {
  std::vector<Compiled> all;
  for (const MethodVersions& method : VersionsOf(log, end_ns)) {
    Compiled compiled;
    compiled.method = method.method;
    compiled.versions = Executed(log, method, executions);
    for (size_t i = 0; i < compiled.versions.size(); ++i) {
      const Version& version = compiled.versions[i];
      compiled.time_ns += version.execution.samples * executions.unit_ns;
      compiled.compile_ns += version.compile_ns;
      if (version.is_c2_or_later) compiled.c2_ns += version.compile_ns;
      if (version.level == kInterpreted) continue;
      if (!compiled.last || version.level == kProfiled) compiled.profiled_ns = version.compile_ns;
      compiled.last = i;
    }
    if (!compiled.last) continue;
    for (const size_t loop : method.loops) {
      const auto loop_ns = static_cast<double>(CompileNs(log.compilations[loop]));
      compiled.compile_ns += loop_ns;
      if (log.compilations[loop].level == kC2) compiled.c2_ns += loop_ns;
    }
    all.push_back(std::move(compiled));
  }
  return all;
}

// Adds up what one method is compared to in several ways: the distances of medians to their limits
// add up in squares (Zou and Donner, Statistics in Medicine 27, 2008).
class SumOfMedians {
 public:
  explicit SumOfMedians(const GainModel& model) : model_(model) {}
  void Spare(double ns) { value_ += ns; }
  void Compare(const ObservedRecompilation& comparison) {
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
class SumOfMeans {
 public:
  explicit SumOfMeans(const GainModel& model) : model_(model) {}
  void Spare(double ns) { spared_ns_ += ns; }
  void Compare(const ObservedRecompilation& comparison) {
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
  explicit Sums(const GainModel& model) : never_(model), at_level_1_(model), at_once_(model) {}

  // Less what calls of other versions would take more, those in the code of others included.
  void Add(const Compiled& of, Inlined& inlined) {
    const double all = of.SecondSamples();
    const double own_part = all > 0 ? std::max(0.0, 1 - inlined.own[of.method] / all) : 1;
    const Version& last = of.versions[*of.last];
    what_.time_ns += of.time_ns;
    what_.compile_ns += of.compile_ns;
    never_.Spare(of.compile_ns);
    at_once_.Spare(of.compile_ns - last.compile_ns);
    if (of.c2_ns > 0) at_level_1_.Spare(of.c2_ns - kLevel1Cost * of.profiled_ns);
    for (const Version& version : of.versions) {
      const bool is_interpreted = version.level == kInterpreted;
      if (!is_interpreted) {
        ObservedRecompilation own = of.To(kInterpreted, version);
        if (version.level == kC2) own.after.samples *= own_part;
        never_.Compare(own);
      }
      if (version.level != last.level) at_once_.Compare(of.To(last.level, version));
      if (version.is_c2_or_later && !is_interpreted) at_level_1_.Compare(of.To(kLevel1, version));
    }
    const double ended = inlined.others[of.method], below = inlined.below[of.method];
    if (ended > 0) never_.Compare(InSecondCode(kInterpreted, ended));
    if (below > 0) at_level_1_.Compare(InSecondCode(kLevel1, below));
  }
  WhatIf Result() const {
    WhatIf what = what_;
    what.never = never_.Result();
    what.at_level_1 = at_level_1_.Result();
    what.at_once = at_once_.Result();
    return what;
  }

 private:
  static ObservedRecompilation InSecondCode(int32_t from, double samples) {
    return {
        .from = from, .to = kC2, .compile_ns = 0, .before = {}, .after = {samples, std::nullopt}};
  }

  WhatIf what_;
  Sum never_, at_level_1_, at_once_;
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
  for (const Compiled& compiled : CompiledOf(log, end_ns, executions)) {
    Sums<SumOfMedians> sums(model);
    sums.Add(compiled, inlined);
    all.push_back({sums.Result(), compiled.method});
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
  for (const Compiled& compiled : CompiledOf(log, end_ns, executions)) {
    if (!methods.contains(compiled.method)) continue;
    sums.Add(compiled, inlined);
  }
  return sums.Result();
}

}  // namespace yp
