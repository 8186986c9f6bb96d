#ifndef YP_FORMAT_PROFILE_JIT_PROFILE_H_
#define YP_FORMAT_PROFILE_JIT_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "core/amortize/compiler_time.h"
#include "core/amortize/jit_log.h"
#include "core/graph/cct.h"
#include "core/graph/code_label.h"

namespace yp {

// What was seen of compiled and interpreted code in one part of a run. Methods are the profile's.
struct CodePeriod {
  // Stacks that ended in this code of the method, or in what it inlines.
  struct Samples {
    MethodId method{};
    CodeLabel code;  // Not inlined.
    uint64_t samples = 0;
  };
  // Calls that entered a compilation of the method, by the samples of them.
  struct Calls {
    MethodId method{};
    int32_t compile_id = 0;  // 0 when it is not known.
    uint64_t samples = 0;
    double calls = 0;  // That these stand for: those that there were while calls were sampled.
  };
  // What the VM has counted up to the period's end.
  struct Counted {
    MethodId method{};
    double invocations = 0;  // Calls while it had a profile: compiled for one, or interpreted.
    double interpreted = 0;  // Calls before, while it was interpreted.
  };
  int64_t end_ns = 0;  // Since the run's start; it lasted from the end of the one before.
  // For how much of its CPU time calls were sampled, in stacks: as many were taken meanwhile, in
  // the mean.
  double open_samples = 0;
  std::vector<Samples> samples;
  std::vector<Calls> calls;
  std::vector<Counted> counted;

  uint64_t stacks() const;  // That ended in whatever code.
};

// What the controller of the project's own adaptive optimization system decided about a method: to
// compile it again, or to let it stay, by the terms of core/adaptive/cost_benefit.h. Levels are its
// own, from 0.
template <typename M>
struct BasicControllerDecision {
  int64_t time_ns = 0;
  M method{};
  std::string reason;
  bool recompiles = false;
  int32_t from = 0;
  int32_t to = 0;  // The best alternative's, chosen or not.
  int64_t past_ns = 0;
  int64_t compile_ns = 0;  // Of the best alternative, as expected; the same.
  int64_t future_ns = 0;
  int32_t bytes = 0;
  double samples = 0;
};

// As WithMethods of core/amortize/jit_events.h.
template <typename M, typename Map>
auto WithMethods(BasicControllerDecision<M> decision, Map map)
    -> BasicControllerDecision<decltype(map(decision.method))> {
  return {.time_ns = decision.time_ns,
          .method = map(decision.method),
          .reason = std::move(decision.reason),
          .recompiles = decision.recompiles,
          .from = decision.from,
          .to = decision.to,
          .past_ns = decision.past_ns,
          .compile_ns = decision.compile_ns,
          .future_ns = decision.future_ns,
          .bytes = decision.bytes,
          .samples = decision.samples};
}

// What compilers did in a run, and which code was executed then. Times are since the run's start.
struct JitProfile {
  static constexpr size_t kMaxPeriods = 512;

  JitLog log;
  std::vector<BasicControllerDecision<JitMethodId>> decisions;  // In the order of time.
  std::vector<JitCompilation> earlier;  // Code from before the log, until it is put into the log.
  CompilerClocks clocks;                // Until the log's compilations have their CPU time.
  std::vector<std::string> lacks;       // What of it is not known, a line each.
  std::vector<CodePeriod> periods;
  CallingContextTree contexts;  // Stacks, by the code of their frames; in samples.

  bool empty() const { return log.empty() && periods.empty(); }
};

// Takes neighbours together until there are at most so many.
void Coalesce(size_t at_most, std::vector<CodePeriod>* periods);
// Takes neighbours together until each has so many stacks, and the last what is left.
void CoalesceUntilSampled(uint64_t at_least, std::vector<CodePeriod>* periods);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_JIT_PROFILE_H_
