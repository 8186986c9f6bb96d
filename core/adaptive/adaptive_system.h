#ifndef YP_CORE_ADAPTIVE_ADAPTIVE_SYSTEM_H_
#define YP_CORE_ADAPTIVE_ADAPTIVE_SYSTEM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "core/adaptive/adaptive_policy.h"
#include "core/adaptive/controller.h"
#include "core/adaptive/levels.h"
#include "core/adaptive/listeners.h"
#include "core/adaptive/organizers.h"

namespace yp {

// The adaptive optimization system:
//
//     samples -> listeners -> organizers -> controller -> plan -> compilers
//                                ^                                   |
//                                +------- code that there is --------+
//
// It has no threads, clock or locks: the host tells it of samples, calls Organize when a listener
// has enough or time has passed, takes compilations, and says how they ended. The same samples at
// the same times give the same decisions.
class AdaptiveSystem {
 public:
  AdaptiveSystem(const AdaptivePolicy& policy, const Levels& levels, const MethodSizes& sizes,
                 Controller::Model model = &ChooseLevel);

  // True: a listener has enough, call Organize.
  bool OnSample(const MethodSample& sample) { return method_listener_.On(sample); }
  bool OnSample(const CallSample& sample) { return call_listener_.On(sample); }

  // Takes what the listeners have, and considers each method that was sampled. All decisions, those
  // to stay among them, the longest running method's first.
  std::vector<Decision> Organize(double now_ms);

  // What a compiler is to do next. It is decided again with what is known now: a method that has
  // not run for long is dropped. Then it counts as being compiled until OnCompiled or OnRefused.
  std::optional<Decision> NextCompilation(double now_ms);

  // A method has code, whoever asked for it. `inlined`: its calls that the code has in it.
  void OnCompiled(MethodId method, int32_t level, double now_ms,
                  std::span<const Edge> inlined = {});
  void OnRefused(MethodId method) { controller_.OnRefused(method); }
  void OnCodeEnd(MethodId method) { controller_.OnCodeEnd(method); }

  const RecompilationPlan& plan() { return controller_.plan(); }
  const CallGraphOrganizer& call_graph() const { return calls_; }
  const Levels& levels() const { return controller_.levels(); }

 private:
  Decision Consider(const HotMethod& hot, double now_ms);

  const MethodSizes& sizes_;
  Listener<MethodSample> method_listener_;
  Listener<CallSample> call_listener_;
  MethodOrganizer methods_;
  CallGraphOrganizer calls_;
  Controller controller_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_ADAPTIVE_SYSTEM_H_
