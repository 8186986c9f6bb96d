#include "core/amortize/ledger.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/code_level.h"

namespace yp {
namespace {

const VersionExecution& Find(const VersionExecutions& executions, JitMethodId method,
                             int64_t compile_id) {
  static const VersionExecution none;
  const auto found = executions.find({method, compile_id});
  return found == executions.end() ? none : found->second;
}

// Whether enough was seen of a speed-up, and methods are so much alike that they have a mean.
bool IsLearnt(const LogNormal& speedup) {
  return speedup.support >= 5 && speedup.error <= 0.3 && speedup.deviation <= 1.2;
}

// The one that is farther from 1.
std::optional<double> Farther(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::abs(std::log(*a)) >= std::abs(std::log(*b)) ? a : b;
}

// A recompilation, and what was seen of it.
struct Case {
  Recompilation recompilation;
  ObservedRecompilation comparison;
  int64_t begin_ns = 0;      // Of the new version.
  bool is_in_loops = false;  // Likewise.
  std::span<const Period> before, after;
};

Case CaseOf(const JitLog& log, JitMethodId method, const VersionLife& before,
            const VersionLife& after, const Executions& executions) {
  const JitLog::Compilation& compilation = log.compilations[*after.compilation];
  Case made;
  Recompilation& recompilation = made.recompilation;
  recompilation.method = method;
  recompilation.compilation = *after.compilation;
  recompilation.previous = before.compilation;
  recompilation.compile_ns = static_cast<double>(CompileNs(compilation));
  recompilation.was_made_not_entrant = after.was_made_not_entrant;
  const JitLog::Compilation* const previous =
      before.compilation ? &log.compilations[*before.compilation] : nullptr;
  const int64_t previous_id = previous != nullptr ? previous->compile_id : 0;
  const VersionExecution& old_version = Find(executions.versions, method, previous_id);
  const VersionExecution& new_version = Find(executions.versions, method, compilation.compile_id);
  made.comparison = {.from = previous != nullptr ? previous->level : 0,
                     .to = compilation.level,
                     .compile_ns = recompilation.compile_ns,
                     .before = old_version.execution,
                     .after = new_version.execution};
  if (const auto callee = executions.callees.find(recompilation.compilation);
      callee != executions.callees.end()) {
    made.comparison.before.samples += callee->second.before;
    made.comparison.after.samples += callee->second.after;
  }
  made.begin_ns = after.begin_ns;
  made.is_in_loops = new_version.is_in_loops;
  made.before = old_version.periods;
  made.after = new_version.periods;
  return made;
}

// Fewer stacks than that say little of a time.
constexpr double kFewSamples = 10;

Undecided WhyUndecided(const Recompilation& judged, const Case& of) {
  const ObservedRecompilation& comparison = of.comparison;
  if (!judged.pay_off) return of.is_in_loops ? Undecided::kInLoops : Undecided::kCallsNotKnown;
  if (judged.drift) return Undecided::kCallsDiffer;
  if (judged.verdict() != Verdict::kUndecided) return Undecided::kNo;
  const double least = std::min(comparison.before.samples, comparison.after.samples);
  return least < kFewSamples ? Undecided::kHardlySeen : Undecided::kNearZero;
}

Recompilation Classify(const Case& of, const GainModel& model) {
  Recompilation judged = of.recompilation;
  judged.drift = Farther(Drift(of.before), Drift(of.after));
  // Without the calls of the new version nothing is known of what a call took, before or after.
  if (of.comparison.after.calls) {
    judged.calls_after = of.comparison.after.calls->interval();
    judged.pay_off = model.Classify(of.comparison);
    if (judged.drift) judged.pay_off->verdict = Verdict::kUndecided;
    if (judged.pay_off->calls_to_pay) {
      judged.paid_at_ns = TimeOfCall(of.after, of.begin_ns, *judged.pay_off->calls_to_pay);
    }
  }
  judged.undecided = WhyUndecided(judged, of);
  return judged;
}

// Of all code that was sampled.
double RunNs(const Executions& executions) {
  double samples = 0;
  for (const auto& [version, of] : executions.versions) samples += of.execution.samples;
  return samples * executions.unit_ns;
}

// A thread that did nothing then is not known to be one of its own.
double C2Busy(const JitLog& log, int64_t end_ns) {
  const int64_t begin_ns = end_ns - end_ns / 10;
  if (begin_ns >= end_ns) return 0;
  int64_t busy_ns = 0;
  std::set<std::string_view> threads;
  for (const JitLog::Compilation& compilation : log.compilations) {
    if (compilation.level != code_level::kOptimized || compilation.end_ns <= begin_ns) continue;
    threads.insert(compilation.thread);
    busy_ns += std::max<int64_t>(
        0, std::min(compilation.end_ns, end_ns) - std::max(compilation.start_ns, begin_ns));
  }
  if (threads.empty()) return 0;
  return static_cast<double>(busy_ns) / static_cast<double>(end_ns - begin_ns) /
         static_cast<double>(threads.size());
}

}  // namespace

size_t Ledger::Count(Verdict verdict) const {
  return static_cast<size_t>(std::ranges::count_if(
      recompilations, [verdict](const Recompilation& r) { return r.verdict() == verdict; }));
}

double Ledger::GainOf(Verdict verdict) const {
  double sum = 0;
  for (const Recompilation& r : recompilations) {
    if (r.pay_off && r.verdict() == verdict) sum += r.pay_off->gain_ns.value;
  }
  return sum;
}

Ledger::Group Ledger::GroupOf(Undecided undecided) const {
  Group group;
  for (const Recompilation& r : recompilations) {
    if (r.undecided != undecided) continue;
    ++group.rows;
    group.compile_ns += r.compile_ns;
  }
  return group;
}

Ledger MakeLedger(const JitLog& log, int64_t end_ns, const Executions& executions) {
  Ledger ledger;
  ledger.c2_busy = C2Busy(log, end_ns);
  for (const JitLog::Compilation& compilation : log.compilations) {
    const auto ns = static_cast<double>(CompileNs(compilation));
    ledger.compile_ns += ns;
    if (!compilation.succeeded) ledger.failed_ns += ns;
    if (compilation.succeeded && compilation.is_osr) ledger.loops_ns += ns;
  }
  std::vector<Case> cases;
  for (const MethodVersions& versions : VersionsOf(log, end_ns)) {
    for (size_t i = 1; i < versions.lives.size(); ++i) {
      const VersionLife& life = versions.lives[i];
      if (!life.compilation || log.compilations[*life.compilation].is_earlier) continue;
      cases.push_back(CaseOf(log, versions.method, versions.lives[i - 1], life, executions));
      if (life.was_made_not_entrant) ledger.not_entrant_ns += cases.back().recompilation.compile_ns;
    }
  }
  std::ranges::stable_sort(cases, {}, [&](const Case& of) {
    return log.compilations[of.recompilation.compilation].end_ns;
  });
  if (executions.unit_ns <= 0) {
    for (const Case& of : cases) ledger.recompilations.push_back(of.recompilation);
    return ledger;
  }
  const double run_ns = RunNs(executions);
  std::vector<ObservedRecompilation> comparisons;
  for (Case& of : cases) {
    of.comparison.run_ns = run_ns;
    comparisons.push_back(of.comparison);
  }
  const GainModel& model = ledger.model.emplace(comparisons, executions.unit_ns);
  TotalGain total;
  for (const Case& of : cases) {
    ledger.recompilations.push_back(Classify(of, model));
    const Recompilation& judged = ledger.recompilations.back();
    const std::pair levels{of.comparison.from, of.comparison.to};
    const LogNormal speedup = model.Speedup(levels.first, levels.second);
    if (levels.first >= levels.second || !IsLearnt(speedup)) continue;
    ledger.speedups.try_emplace(levels, speedup);
    if (judged.pay_off && !judged.drift) total.Add(of.comparison, *judged.pay_off);
  }
  ledger.gain_ns = total.Sum();
  return ledger;
}

}  // namespace yp
