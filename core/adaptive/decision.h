#ifndef YP_CORE_ADAPTIVE_DECISION_H_
#define YP_CORE_ADAPTIVE_DECISION_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "core/adaptive/cost_benefit.h"
#include "core/graph/dcg.h"

namespace yp {

enum class DecisionReason {
  kHigherLevel,    // Recompiled: a higher level costs less from now on.
  kInlining,       // Recompiled at its level: hot calls of it have become inlinable.
  kCheaperToStay,  // Stays: what could be gained is less than compiling costs.
  kHighestLevel,   // Stays: there is no level above it that takes it, and nothing new to inline.
  kBeingCompiled,  // Stays for now: a compiler is at it.
  kNotCompiled,    // Stays: it has no code of these levels, or has lost it.
  kUnknownSize,    // Stays: what compiling costs is not known.
};
// "a higher level costs less", "calls became inlinable", ...
std::string_view ToString(DecisionReason reason);

// What the controller decided about a method, and the terms of the model by which it did: a row of
// the ledger. Where a reason knows no terms, they are 0.
struct Decision {
  double time_ms = 0;
  MethodId method{};
  DecisionReason reason = DecisionReason::kCheaperToStay;
  double samples = 0;  // Of the method's present code, decayed.
  MethodCosts costs = {};
  Choice choice = {};
  // Where it is compiled again for inlining: the calls because of which, in order.
  std::vector<Edge> new_calls = {};

  bool recompiles() const { return choice.recompiles; }
  int32_t from() const { return costs.level; }
  // The level of the best alternative, chosen or not.
  int32_t to() const { return choice.best.level; }
  double gain_ms() const { return choice.gain_ms(); }
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_DECISION_H_
