#include "core/adaptive/controller.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yp {

std::string_view ToString(DecisionReason reason) {
  switch (reason) {
    case DecisionReason::kHigherLevel:
      return "a higher level costs less";
    case DecisionReason::kInlining:
      return "calls became inlinable";
    case DecisionReason::kCheaperToStay:
      return "compiling costs more than it gains";
    case DecisionReason::kHighestLevel:
      return "no higher level";
    case DecisionReason::kBeingCompiled:
      return "being compiled";
    case DecisionReason::kNotCompiled:
      return "not compiled";
    case DecisionReason::kUnknownSize:
      return "size not known";
  }
  return "";
}

Controller::Controller(const AdaptivePolicy& policy, const Levels& levels, const MethodSizes& sizes,
                       Model model)
    : policy_(policy), levels_(levels), sizes_(sizes), model_(std::move(model)) {}

Decision Controller::Consider(const HotMethod& hot, const CallsOfMethod& calls, double now_ms) {
  Decision decision{.time_ms = now_ms, .method = hot.method, .samples = hot.samples};
  const Compiled& method = methods_[hot.method];
  const std::optional<int32_t> bytes = sizes_.BytesOf(hot.method);
  decision.costs.level = method.level;
  decision.costs.past_ms = hot.past_ms;
  if (method.is_being_compiled) {
    decision.reason = DecisionReason::kBeingCompiled;
    return decision;
  }
  if (method.level == kNoLevel) {
    decision.reason = DecisionReason::kNotCompiled;
  } else if (!bytes) {
    decision.reason = DecisionReason::kUnknownSize;
  } else {
    std::vector<Edge> new_calls;
    decision.costs = CostsOf(method, hot, calls, *bytes, &new_calls);
    decision.choice = model_(levels_, decision.costs);
    decision.reason = ReasonOf(decision.choice);
    if (decision.reason == DecisionReason::kInlining) decision.new_calls = std::move(new_calls);
  }
  if (decision.recompiles()) {
    plan_.Put(decision);
  } else {
    plan_.Remove(hot.method);
  }
  return decision;
}

MethodCosts Controller::CostsOf(const Compiled& method, const HotMethod& hot,
                                const CallsOfMethod& calls, int32_t bytes,
                                std::vector<Edge>* new_calls) const {
  MethodCosts costs{.bytes = bytes,
                    .level = method.level,
                    .most_level = method.most_level,
                    .past_ms = hot.past_ms};
  if (!levels_[static_cast<size_t>(method.level)].inlines ||
      method.inlining_recompilations >= policy_.most_inlining_recompilations) {
    return costs;
  }
  double new_weight = 0;
  for (const InlinableCall& call : calls.inlinable) {
    if (call.weight <= policy_.hot_edge_weight || method.known_calls.contains(call.edge)) continue;
    new_weight += call.weight;
    costs.inlined_bytes += call.bytes;
    new_calls->push_back(call.edge);
  }
  if (new_weight > 0) {
    const double part = std::min(1.0, new_weight / calls.weight);
    costs.inlining_speedup = 1 + (policy_.inlining_speedup - 1) * part;
  }
  return costs;
}

DecisionReason Controller::ReasonOf(const Choice& choice) {
  if (choice.recompiles) {
    return choice.best.for_inlining ? DecisionReason::kInlining : DecisionReason::kHigherLevel;
  }
  const bool has_alternative = choice.best.for_inlining || choice.best.level != choice.stay.level;
  return has_alternative ? DecisionReason::kCheaperToStay : DecisionReason::kHighestLevel;
}

void Controller::OnCompileBegin(const Decision& decision) {
  Compiled& method = methods_[decision.method];
  method.is_being_compiled = true;
  method.being_compiled_at = decision.to();
  method.for_inlining = decision.choice.best.for_inlining;
  plan_.Remove(decision.method);
}

void Controller::OnCompiled(MethodId id, int32_t level, const CallsOfMethod& calls,
                            std::span<const Edge> inlined) {
  Compiled& method = methods_[id];
  method.inlining_recompilations =
      level == method.level ? method.inlining_recompilations + (method.for_inlining ? 1 : 0) : 0;
  method.level = level;
  method.is_being_compiled = method.for_inlining = false;
  method.known_calls = {inlined.begin(), inlined.end()};
  for (const InlinableCall& call : calls.inlinable) method.known_calls.insert(call.edge);
  plan_.Remove(id);
}

void Controller::OnRefused(MethodId id) {
  Compiled& method = methods_[id];
  if (!std::exchange(method.is_being_compiled, false)) return;
  if (std::exchange(method.for_inlining, false)) {
    method.inlining_recompilations = policy_.most_inlining_recompilations;
  } else {
    method.most_level = std::min(method.most_level, method.being_compiled_at - 1);
  }
}

void Controller::OnCodeEnd(MethodId id) {
  methods_[id].level = kNoLevel;
  plan_.Remove(id);
}

}  // namespace yp
