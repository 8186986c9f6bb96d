#include "core/adaptive/cost_benefit.h"

#include <algorithm>

namespace yp {

double CompileMs(const Level& level, int32_t bytes) { return bytes / level.compile_bytes_per_ms; }

double FutureMs(const Level& from, const Level& to, double past_ms) {
  return past_ms * from.speedup / to.speedup;
}

std::vector<Alternative> AlternativesOf(const Levels& levels, const MethodCosts& method) {
  std::vector<Alternative> alternatives;
  const Level& now = levels[static_cast<size_t>(method.level)];
  if (method.inlining_speedup > 1) {
    alternatives.push_back({.level = method.level,
                            .for_inlining = true,
                            .compile_ms = CompileMs(now, method.bytes + method.inlined_bytes),
                            .future_ms = method.past_ms / method.inlining_speedup});
  }
  const auto last = std::min(method.most_level, static_cast<int32_t>(levels.size()) - 1);
  for (int32_t i = method.level + 1; i <= last; ++i) {
    const Level& level = levels[static_cast<size_t>(i)];
    alternatives.push_back({.level = i,
                            .compile_ms = CompileMs(level, method.bytes),
                            .future_ms = FutureMs(now, level, method.past_ms)});
  }
  return alternatives;
}

Choice ChooseLevel(const Levels& levels, const MethodCosts& method) {
  Choice choice;
  choice.stay = {.level = method.level, .future_ms = method.past_ms};
  const std::vector<Alternative> alternatives = AlternativesOf(levels, method);
  // Of two that are equal the lower level: it is cheaper should the method not run so long.
  const auto best = std::ranges::min_element(alternatives, {}, &Alternative::total_ms);
  choice.best = best == alternatives.end() ? choice.stay : *best;
  choice.recompiles = choice.best.total_ms() < choice.stay.total_ms();
  return choice;
}

}  // namespace yp
