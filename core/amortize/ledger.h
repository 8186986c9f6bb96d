#ifndef YP_CORE_AMORTIZE_LEDGER_H_
#define YP_CORE_AMORTIZE_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/amortize/gain_model.h"
#include "core/amortize/jit_log.h"
#include "core/amortize/pay_off.h"
#include "core/amortize/undecided.h"
#include "core/amortize/versions.h"

namespace yp {

// What is known of the executions of one version of a method.
struct VersionExecution {
  Execution execution;
  std::vector<Period> periods;  // In the order of time; may be empty.
  // Its few calls took their time in code for loops, which calls of other versions enter, too: of
  // which version a call was is not known, and `calls` has nothing.
  bool is_in_loops = false;
};

// By method and compile id; 0 is the interpreter.
using VersionExecutions = std::map<std::pair<JitMethodId, int64_t>, VersionExecution>;

// What is to be added to a recompilation's two versions so that they are compared in the same work:
// the samples of methods that one of them calls and the other has inlined (the paper's section V).
struct CalleeSamples {
  double before = 0;
  double after = 0;
};

// Samples in C2's code that ended in what it had inlined.
struct InlinedExecution {
  // Whose code it is, then who calls whom, down to where the samples ended; without methods that
  // have no code of their own.
  std::vector<JitMethodId> path;
  double samples = 0;
};

// How a run's versions were executed.
struct Executions {
  double unit_ns = 0;  // t_unit of equation 4; 0 where nothing is known, and nothing is judged.
  VersionExecutions versions;
  std::map<size_t, CalleeSamples> callees;  // By the recompilation's index in JitLog::compilations.
  std::vector<InlinedExecution> inlined = {};  // Each path once.
};

// One recompilation of a method, and what it was worth. The first compilation is one, too: of what
// was interpreted.
struct Recompilation {
  JitMethodId method{};
  size_t compilation = 0;          // Index of JitLog::compilations.
  std::optional<size_t> previous;  // Likewise; nothing where it was interpreted before.
  double compile_ns = 0;
  // Nothing where it is not known how the versions were executed, or how often the new one was
  // called.
  std::optional<PayOff> pay_off;
  Undecided undecided = Undecided::kNotRecorded;
  std::optional<Uncertain> calls_after;  // Of the new version.
  // How much longer a call of the one or the other version became over its life: the farthest from
  // 1. Then the verdict is undecided.
  std::optional<double> drift;
  // When the compilation had earned its cost, if it has; by the estimated times.
  std::optional<int64_t> paid_at_ns;
  bool was_made_not_entrant = false;  // What the compiler had assumed did not hold.

  Verdict verdict() const { return pay_off ? pay_off->verdict : Verdict::kUndecided; }
};

// What all compilations of a run have cost, and brought.
struct Ledger {
  std::vector<Recompilation> recompilations;  // By the end of their compilation.
  double compile_ns = 0;                      // Of all, those of loops and those that failed too.
  double loops_ns = 0;                        // Of code to enter loops.
  double failed_ns = 0;
  double not_entrant_ns = 0;  // Of code that was made not entrant later.
  // The part of the run's last tenth in which C2's threads were at work. Near 1,
  // methods were waiting for it when the run ended.
  double c2_busy = 0;
  // Of recompilations to higher levels of which enough was seen, and whose calls last equally long.
  Uncertain gain_ns;
  // How much faster the code of such levels is, by both.
  std::map<std::pair<int32_t, int32_t>, LogNormal> speedups;
  std::optional<GainModel> model;  // Nothing where it is not known how versions were executed.
  size_t Count(Verdict verdict) const;
  // The gains of those with that verdict, as their rows have them, added up.
  double GainOf(Verdict verdict) const;
  // Those that are undecided for that reason: how many, and what their compilations cost.
  struct Group {
    size_t rows = 0;
    double compile_ns = 0;
  };
  Group GroupOf(Undecided undecided) const;
};

// `end_ns`: the run's end.
Ledger MakeLedger(const JitLog& log, int64_t end_ns, const Executions& executions);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_LEDGER_H_
