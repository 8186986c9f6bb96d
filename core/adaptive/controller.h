#ifndef YP_CORE_ADAPTIVE_CONTROLLER_H_
#define YP_CORE_ADAPTIVE_CONTROLLER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "base/ids.h"
#include "core/adaptive/adaptive_policy.h"
#include "core/adaptive/decision.h"
#include "core/adaptive/levels.h"
#include "core/adaptive/organizers.h"
#include "core/adaptive/recompilation_plan.h"

namespace yp {

// Decides which methods are compiled again, and at which level, and keeps the plan of what is.
//
// A method whose calls changed is compiled again where it is (adaptive inlining; Buytaert et al.
// 2007, section 2.1.1): the calls are hot, the oracle would inline them now, and it would not have
// when the method was compiled. What that gains is taken to be linear in their part of the method's
// calls. The model then weighs it like a level.
class Controller {
 public:
  using Model = std::function<Choice(const Levels&, const MethodCosts&)>;

  // `levels` are valid. `sizes` outlives it. `model`: another one, to compare with.
  Controller(const AdaptivePolicy& policy, const Levels& levels, const MethodSizes& sizes,
             Model model = &ChooseLevel);

  // Decides about a method that has run, with its calls as they are now. A recompilation is put
  // into the plan, and any other decision takes the method's earlier one out of it.
  Decision Consider(const HotMethod& hot, const CallsOfMethod& calls, double now_ms);

  // A compiler begins with a decision that it took from the plan.
  void OnCompileBegin(const Decision& decision);
  // The method has code of that level now. `calls`: as they are now; what the oracle would inline
  // of them is no reason to compile it again. `inlined`: what the compiler did inline.
  void OnCompiled(MethodId method, int32_t level, const CallsOfMethod& calls,
                  std::span<const Edge> inlined = {});
  // The compiler refused what was begun. Neither that level nor one above it is tried again.
  void OnRefused(MethodId method);
  // The method has no code any more, until it is compiled.
  void OnCodeEnd(MethodId method);

  RecompilationPlan& plan() { return plan_; }
  const Levels& levels() const { return levels_; }

 private:
  static constexpr int32_t kNoLevel = -1;
  struct Compiled {
    int32_t level = kNoLevel;  // Of its code.
    bool is_being_compiled = false;
    bool for_inlining = false;  // That compilation.
    int32_t being_compiled_at = kNoLevel;
    int32_t most_level = INT32_MAX;
    int32_t inlining_recompilations = 0;  // At its level.
    std::set<Edge> known_calls = {};      // That are no news to its code.
  };

  MethodCosts CostsOf(const Compiled& method, const HotMethod& hot, const CallsOfMethod& calls,
                      int32_t bytes, std::vector<Edge>* new_calls) const;
  static DecisionReason ReasonOf(const Choice& choice);

  const AdaptivePolicy policy_;
  const Levels levels_;
  const MethodSizes& sizes_;
  const Model model_;
  std::map<MethodId, Compiled> methods_;
  RecompilationPlan plan_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_CONTROLLER_H_
