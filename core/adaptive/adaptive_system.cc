#include "core/adaptive/adaptive_system.h"

#include <utility>

namespace yp {

AdaptiveSystem::AdaptiveSystem(const AdaptivePolicy& policy, const Levels& levels,
                               const MethodSizes& sizes, Controller::Model model)
    : sizes_(sizes),
      method_listener_(policy.method_samples),
      call_listener_(policy.call_samples),
      methods_(policy),
      calls_(policy),
      controller_(policy, levels, sizes, std::move(model)) {}

Decision AdaptiveSystem::Consider(const HotMethod& hot, double now_ms) {
  return controller_.Consider(hot, calls_.CallsOf(hot.method, sizes_, now_ms), now_ms);
}

std::vector<Decision> AdaptiveSystem::Organize(double now_ms) {
  calls_.Summarize(call_listener_.Take(), now_ms);
  std::vector<Decision> decisions;
  for (const HotMethod& hot : methods_.Summarize(method_listener_.Take(), now_ms)) {
    decisions.push_back(Consider(hot, now_ms));
  }
  return decisions;
}

std::optional<Decision> AdaptiveSystem::NextCompilation(double now_ms) {
  while (const std::optional<Decision> planned = controller_.plan().Take()) {
    Decision decision = Consider(methods_.Of(planned->method, now_ms), now_ms);
    if (!decision.recompiles()) continue;
    controller_.OnCompileBegin(decision);
    return decision;
  }
  return std::nullopt;
}

void AdaptiveSystem::OnCompiled(MethodId method, int32_t level, double now_ms,
                                std::span<const Edge> inlined) {
  methods_.OnCompiled(method);
  controller_.OnCompiled(method, level, calls_.CallsOf(method, sizes_, now_ms), inlined);
}

}  // namespace yp
