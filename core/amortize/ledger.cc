#include "core/amortize/ledger.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

const VersionExecution* Find(const VersionExecutions& executions, JitMethodId method,
                             int64_t compile_id) {
  const auto found = executions.find({method, compile_id});
  return found == executions.end() ? nullptr : &found->second;
}

// The one that is farther from 1.
std::optional<double> Farther(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::abs(std::log(*a)) >= std::abs(std::log(*b)) ? a : b;
}

Recompilation Judge(const JitLog& log, JitMethodId method, const VersionLife& before,
                    const VersionLife& after, const VersionExecutions& executions) {
  const JitLog::Compilation& compilation = log.compilations[*after.compilation];
  Recompilation judged;
  judged.method = method;
  judged.compilation = *after.compilation;
  judged.previous = before.compilation;
  judged.compile_ns = static_cast<double>(CompileNs(compilation));
  judged.was_given_up = after.was_given_up;
  const int64_t previous_id =
      before.compilation ? log.compilations[*before.compilation].compile_id : 0;
  const VersionExecution* const old_version = Find(executions, method, previous_id);
  const VersionExecution* const new_version = Find(executions, method, compilation.compile_id);
  if (old_version == nullptr || new_version == nullptr) return judged;
  judged.pay_off =
      JudgeRecompilation(judged.compile_ns, old_version->execution, new_version->execution);
  judged.drift = Farther(Drift(old_version->periods), Drift(new_version->periods));
  if (judged.drift) judged.pay_off->verdict = Verdict::kUndecided;
  if (judged.pay_off->calls_to_pay) {
    judged.paid_at_ns =
        TimeOfCall(new_version->periods, after.begin_ns, *judged.pay_off->calls_to_pay);
  }
  return judged;
}

}  // namespace

size_t Ledger::Count(Verdict verdict) const {
  return static_cast<size_t>(std::ranges::count_if(
      recompilations, [verdict](const Recompilation& r) { return r.verdict() == verdict; }));
}

Ledger MakeLedger(const JitLog& log, int64_t end_ns, const VersionExecutions& executions) {
  Ledger ledger;
  for (const JitLog::Compilation& compilation : log.compilations) {
    const auto ns = static_cast<double>(CompileNs(compilation));
    ledger.compile_ns += ns;
    if (!compilation.succeeded) ledger.failed_ns += ns;
    if (compilation.succeeded && compilation.is_osr) ledger.loops_ns += ns;
  }
  for (const MethodVersions& versions : VersionsOf(log, end_ns)) {
    for (size_t i = 1; i < versions.lives.size(); ++i) {
      const VersionLife& life = versions.lives[i];
      if (!life.compilation) continue;
      ledger.recompilations.push_back(
          Judge(log, versions.method, versions.lives[i - 1], life, executions));
      const Recompilation& judged = ledger.recompilations.back();
      if (judged.was_given_up) ledger.given_up_ns += judged.compile_ns;
      if (judged.pay_off && !judged.drift) {
        ledger.gain_ns = Sum(ledger.gain_ns, judged.pay_off->gain_ns);
      }
    }
  }
  std::ranges::stable_sort(ledger.recompilations, {}, [&](const Recompilation& r) {
    return log.compilations[r.compilation].end_ns;
  });
  return ledger;
}

}  // namespace yp
