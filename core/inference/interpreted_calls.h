#ifndef YP_CORE_INFERENCE_INTERPRETED_CALLS_H_
#define YP_CORE_INFERENCE_INTERPRETED_CALLS_H_

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"

// Calls that the interpreter made in methods that count nothing but their own invocations: until a
// method has a profile, no call site does. HotSpot tells which of their sites were executed, as the
// interpreter resolves a call at its first execution, and how often each callee was called.
//
// With n(c) the invocations of a site's caller c, b(c) its branches back to an earlier bci, and
// P(m) the calls of m that are to be shared out, the calls y(s, m) of m at sites s of c obey
//
//   sum over s of y(s, m) <= P(m), where all calls of m were counted
//   sum over m of y(s, m) <= n(c), and in a loop n(c) + b(c)
//
// as an invocation comes to a site once, and once more for each branch back. What is left of P was
// called by others: native code, reflection, the VM, methods that are not observed.
namespace yp {

struct InterpretedCode {
  // What was counted in a method before it had a profile, while it was interpreted.
  struct Method {
    double invocations = 0;
    double loops = 0;  // Branches back to an earlier bci.
    // It was compiled to code that counts nothing, so that it may have been called more often.
    bool has_uncounted = false;
  };
  // A call site that was executed, or another one that calls the same.
  struct Site {
    MethodId caller{};
    int32_t bci = 0;
    uint32_t target = 0;  // Of targets.
    // An invocation comes there once, as a rule; or it may come there several times.
    bool is_unconditional = false, is_in_loop = false;
    bool is_certain = false;  // It was executed.
  };
  std::unordered_map<MethodId, Method> methods;
  std::vector<Site> sites;  // Each once.
  std::vector<std::vector<MethodId>>
      targets;  // The methods that a site may have called, each once.
  // Of classes' initializers, the only place that is known where the class can have been
  // initialized: once for each of its copies.
  std::set<Edge> initializations = {};
};

struct SharedCalls {
  Edge edge;
  double calls = 0;
  // What it can have been: from 0, or from 1 where the site was executed and can have called one
  // method only, to the most that it and the callee allow.
  double low = 0, high = 0;
};
// By method; 0 where there is none.
using CallsByMethod = std::unordered_map<MethodId, double>;

// The calls that need no guess, of sites that can have called one method only: n(c) where each
// invocation comes there, and one where the site was executed. The latter come first, and where P
// has less than all of them it is shared out alike, unless m has code that counts nothing.
std::vector<SharedCalls> ShareCertain(const InterpretedCode& code, const CallsByMethod& to_share);

// The same of initializers. What the VM or native code may have initialized may have been they.
std::vector<SharedCalls> ShareInitializations(const InterpretedCode& code,
                                              const CallsByMethod& to_share);

// Shares out the rest over all sites that can have made more calls than `certain` has of them. Of
// the most that they can have made, kTaken are expected, of a site to which each invocation comes
// all, in proportion to P where a site may have called several methods. Where P has more than is
// expected it is shared out alike, as far as the sites allow, and where it has less as well
// (iterative proportional fitting).
std::vector<SharedCalls> ShareRest(const InterpretedCode& code,
                                   std::span<const SharedCalls> certain,
                                   const CallsByMethod& to_share);
inline constexpr double kTaken = 0.5;

}  // namespace yp

#endif  // YP_CORE_INFERENCE_INTERPRETED_CALLS_H_
