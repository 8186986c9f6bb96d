#ifndef YP_CORE_INFERENCE_COUNTED_CALLS_H_
#define YP_CORE_INFERENCE_COUNTED_CALLS_H_

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"
#include "core/inference/interpreted_calls.h"
#include "core/inference/method_profiles.h"
#include "core/inference/root_scale.h"

// Calls that the virtual machine has counted itself. HotSpot's MethodData has, for each call site,
// how often it was executed by the interpreter, from when the method had a MethodData on, and by
// C1's code with full profiling (tier 3), calls that it inlined included. They are
// edges without a sample. What the interpreter executed before is counted by the method that was
// called (MethodCounters), not by the site.
namespace yp {

// What was counted of one method while calls were recorded.
struct MethodCounts {
  MethodId method{};
  MethodProfile profile = {};
  double interpreted = 0;  // Calls of it before it had a profile, while it was interpreted.
};

struct CountedCalls {
  Edge edge;
  // Counted at the site. `split`: those of them whose callee was not recorded, as HotSpot records
  // the first two classes of receivers only; they are shared out by the estimate.
  double counted = 0;
  double split = 0;
  double split_deviation = 0;  // Of it, by the chance of the estimates.
  double interpreted = 0;      // Expected of callers that had no profile.
  // Of callers that never had one, or at sites that their profile has not counted: what their
  // callees counted, shared out; and what it can have been.
  double shared = 0, shared_low = 0, shared_high = 0;
  double uncounted = 0;  // Expected of code that counts nothing, by conservation.
};

struct CountOptions {
  // Calls from a site to a callee, by any estimate: how calls without a recorded callee are split.
  std::function<SampledCalls(const Edge&)> estimate = [](const Edge&) { return SampledCalls(); };
  // The callees that the estimate knows of a site.
  std::function<std::vector<MethodId>(MethodId caller, int32_t bci)> callees =
      [](MethodId, int32_t) { return std::vector<MethodId>(); };
  // Methods that were executed by code that counts nothing as well.
  std::set<MethodId> uncounted = {};
  // Methods that C1's code with limited profiling (tier 2) has executed: it counts
  // invocations where the interpreter does, so that those are not all interpreted.
  std::set<MethodId> limited = {};
  // Sites that the interpreter executed in methods that counted nothing but their invocations.
  InterpretedCode interpreted = {};
  std::function<bool(const Edge&)> is_wanted = [](const Edge&) { return true; };
};

// Whether the counts of the caller's profile have the calls of that callee from the site: it is
// recorded there, or another one is, and not all calls are.
bool IsCountedCall(const MethodProfile& profile, int32_t bci, MethodId callee);
// Whether calls of that callee from the site are expected of the caller before it had a profile.
bool IsExpectedOfInterpreter(const MethodCounts& caller, int32_t bci, MethodId callee);

// The edges, each once, by caller, bci and callee.
//
// Unrecorded calls U of a site of T calls, with r(c) recorded for callee c and estimates x(c), are
// shared out in proportion to
//
//   max(0, T x(c) / sum of x - r(c))
//
// A callee that is recorded may have some of them: the VM records classes, and a method may be that
// of several. With v(c) the variance of x(c), X and V the sums of x and v, and p = x(c) / X, the
// deviation of T p is, by the first-order terms,
//
//   T / X * sqrt((1 - p)^2 v(c) + p^2 (V - v(c)))
//
// and U at most. A callee that the estimate has not seen has the variance of one sample, (V / X)^2.
//
// Where no estimate tells, the only recorded callee has them, if there is one only; else nobody:
// giving them to several lost 1 to 8 points (core/inference/README.md).
//
// Callers c without a profile count nothing. They were invoked M(c) times then, and call m r(c, s,
// m) times per invocation at site s, as later: M(c) r(c, s, m) are expected there, E(m) from all
// sites. No more than R(m) are taken, min(1, R(m) / E(m)) of each site's. With I(m) the invocations
// that m's profile has, and C(m) its calls from all sites that count,
//
//   R(m) = max(0, M(m) + I(m) - C(m))   where only code that counts ever executed m
//   R(m) = M(m)                         else: those of its calls that were interpreted as well
//
// Calls of m that are known, by its callers, and that neither its profile nor the interpreter has
// counted entered code that counts nothing: K(m) - I(m) - M(m) of them, K(m) the sum of all the
// above. Such code calls as its method did before, and what it calls is executed by such code, too:
//
//   U(m) = max(0, K(m) - I(m) - M(m)) + sum over c, s of U(c) r(c, s, m)
//
// and U(c) r(c, s, m) of an edge are uncounted. What it leaves out is code that was entered in a
// loop (OSR compilation), or from callers that nobody counts: less is expected than there is.
std::vector<CountedCalls> CountCalls(std::span<const MethodCounts> methods,
                                     const CountOptions& options = {});

// How many samples what is expected by conservation is worth. On recordings of two iterations of
// fop, h2 and numerics and of twenty of the first two (JDK 17, 2026-11) 3 gained 7, 8, 1, 6 and 1
// points of overlap over none, 1 two points less in the first and none in the others; 100 lost up
// to 5.
inline constexpr double kConservationWeight = 3;

// An edge's uncounted calls, by samples and by conservation: WithExpectation, with that weight.
// Conservation leaves calls out, so that it is believed only where it says more than the samples
// do. Without samples, one stands for `calls_per_sample`.
SampledCalls WithConservation(const SampledCalls& sampled, double expected,
                              double calls_per_sample);

// An edge for which conservation expects calls, and whether samples have found any there.
struct ExpectedEdge {
  double expected = 0;  // Above 0.
  bool is_found = false;
};
// Of how many of the edges, as a share p, conservation is right. Of the others it is wrong: code
// was compiled for callers of whom its method's profile says little, and never comes to the call.
// If it is right, an edge with m expected calls has no sample with the chance
//
//   L(m) = (1 + m / (a k))^-a
//
// by that gamma distribution, k being `calls_per_sample`. p has the greatest likelihood,
//
//   p^b product over edges that were found of p (1 - L), over the others of p L + 1 - p
//
// with b = kConservedBefore: as if so many edges had been found before, so that a few edges without
// a sample, of which none could be expected, say nothing against it. The logarithm is concave in p.
// 1 where no edge speaks against it.
inline constexpr double kConservedBefore = 1;
double ShareConserved(std::span<const ExpectedEdge> edges, double calls_per_sample);
// The same as WithConservation of an edge without a sample, which has calls only if conservation is
// right, with the chance p L / (p L + 1 - p): the mean and the variance of that mixture.
SampledCalls UnseenButExpected(double expected, double calls_per_sample, double share_conserved);

// The sum of all uncounted calls: `sampled` is right in the mean, and off by `deviation`, relative
// to it; `with_expectations` has what was not sampled besides, and is off by
// kConservationDeviation. Their mean, in the logarithm, by precision. The latter is too high where
// samples are few: what they found stands for what they missed as well. With a deviation of 0.3 the
// totals of 13 ticks out of the 90 to 190 of dense recordings were 0.02 to 0.28 above those of all
// ticks, in the logarithm, and with 1 they are from 0.04 below to 0.12 above (antlr4, jython,
// tomcat, ecj, fop and xalan, ten iterations, twelve draws each, 2026-11).
inline constexpr double kConservationDeviation = 1;
double CombinedTotal(double sampled, double deviation, double with_expectations);

// So many of what a sample stands for an edge that was not sampled has at most, by 95 % (the rule
// of three: exp(-3) is 0.05).
inline constexpr double kMostUnseenSamples = 3;

// Of the calls of observed methods before they had a profile, those that no known caller explains.
double UnexplainedCalls(std::span<const MethodCounts> methods, const InterpretedCode& code,
                        const std::vector<CountedCalls>& counted,
                        const std::function<bool(MethodId)>& is_observed);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_COUNTED_CALLS_H_
