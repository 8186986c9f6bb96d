#include "core/adaptive/recompilation_plan.h"

#include <algorithm>
#include <utility>

namespace yp {

std::optional<Decision> RecompilationPlan::Take() {
  // The first of equal ones.
  const auto best = std::ranges::max_element(
      decisions_, {}, [](const auto& entry) { return entry.second.gain_ms(); });
  if (best == decisions_.end()) return std::nullopt;
  Decision decision = std::move(best->second);
  decisions_.erase(best);
  return decision;
}

double RecompilationPlan::compile_ms() const {
  double sum = 0;
  for (const auto& [method, decision] : decisions_) sum += decision.choice.best.compile_ms;
  return sum;
}

double RecompilationPlan::gain_ms() const {
  double sum = 0;
  for (const auto& [method, decision] : decisions_) sum += decision.gain_ms();
  return sum;
}

}  // namespace yp
