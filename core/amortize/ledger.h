#ifndef YP_CORE_AMORTIZE_LEDGER_H_
#define YP_CORE_AMORTIZE_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/amortize/jit_log.h"
#include "core/amortize/pay_off.h"
#include "core/amortize/versions.h"

namespace yp {

// What is known of the executions of one version of a method.
struct VersionExecution {
  Execution execution;
  std::vector<Period> periods;  // In the order of time; may be empty.
};

// By method and compile id; 0 is the interpreter.
using VersionExecutions = std::map<std::pair<JitMethodId, int64_t>, VersionExecution>;

// One recompilation of a method, and what it was worth. The first compilation is one, too: of what
// was interpreted.
struct Recompilation {
  JitMethodId method{};
  size_t compilation = 0;          // Index of JitLog::compilations.
  std::optional<size_t> previous;  // Likewise; nothing where it was interpreted before.
  double compile_ns = 0;
  // Nothing where nobody knows how one of the versions was executed.
  std::optional<PayOff> pay_off;
  // How much longer a call of the one or the other version became over its life: the farthest from
  // 1. Then the verdict is undecided.
  std::optional<double> drift;
  // When the compilation had earned its cost, if it has; by the estimated times.
  std::optional<int64_t> paid_at_ns;
  bool was_given_up = false;  // What the compiler had assumed did not hold.

  Verdict verdict() const { return pay_off ? pay_off->verdict : Verdict::kUndecided; }
};

// What all compilations of a run have cost, and brought.
struct Ledger {
  std::vector<Recompilation> recompilations;  // By the end of their compilation.
  double compile_ns = 0;                      // Of all, those of loops and those that failed too.
  double loops_ns = 0;                        // Of code to enter loops.
  double failed_ns = 0;
  double given_up_ns = 0;  // Of code that was given up later.
  // Of the recompilations of which it is known and whose calls last equally long.
  Uncertain gain_ns;
  size_t Count(Verdict verdict) const;
};

// `end_ns`: the run's end.
Ledger MakeLedger(const JitLog& log, int64_t end_ns, const VersionExecutions& executions);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_LEDGER_H_
