#include "core/adaptive/inline_oracle.h"

#include <algorithm>

namespace yp {

std::string_view ToString(InlineReason reason) {
  switch (reason) {
    case InlineReason::kTrivial:
      return "trivial";
    case InlineReason::kSmall:
      return "small";
    case InlineReason::kFitsWeight:
      return "fits its weight";
    case InlineReason::kTooLarge:
      return "too large";
    case InlineReason::kLargeForWeight:
      return "too large for its weight";
    case InlineReason::kCold:
      return "cold";
    case InlineReason::kSpread:
      return "no dominant target";
    case InlineReason::kTooDeep:
      return "too deep";
    case InlineReason::kRecursive:
      return "recursive";
    case InlineReason::kFull:
      return "the method is full";
    case InlineReason::kUnknownSize:
      return "size not known";
  }
  return "";
}

double MostBytes(const InlinePolicy& policy, std::optional<double> weight) {
  const double least = policy.static_bytes;
  const double most = policy.most_bytes;
  if (!weight) return policy.unweighted_bytes;
  if (!policy.is_linear) return *weight > policy.full_weight ? most : policy.unweighted_bytes;
  return std::min(most, least + (most - least) * *weight / policy.full_weight);
}

InlineDecision Decide(const InlinePolicy& policy, const InlineCandidate& candidate) {
  InlineDecision decision;
  decision.most_bytes = MostBytes(policy, candidate.weight);
  const auto refused = [&decision](InlineReason reason) {
    decision.reason = reason;
    return decision;
  };
  const bool is_trivial = candidate.bytes && *candidate.bytes <= policy.trivial_bytes;
  if (!is_trivial && candidate.weight && *candidate.weight < policy.cold_weight) {
    return refused(InlineReason::kCold);
  }
  if (!candidate.is_only_target && candidate.part <= policy.guarded_part) {
    return refused(InlineReason::kSpread);
  }
  const bool knows_targets = policy.is_linear || candidate.weight > policy.full_weight;
  if (!candidate.is_only_target && !knows_targets) return refused(InlineReason::kSpread);
  if (!candidate.bytes) return refused(InlineReason::kUnknownSize);
  if (candidate.depth >= policy.most_depth) return refused(InlineReason::kTooDeep);
  if (candidate.recursion > policy.most_recursion) return refused(InlineReason::kRecursive);
  if (*candidate.bytes > policy.most_bytes) return refused(InlineReason::kTooLarge);
  if (*candidate.bytes > decision.most_bytes) return refused(InlineReason::kLargeForWeight);
  if (!is_trivial && candidate.inlined_bytes + *candidate.bytes > policy.most_total_bytes) {
    return refused(InlineReason::kFull);
  }
  decision.is_inlined = true;
  decision.is_guarded = !candidate.is_only_target;
  decision.reason = is_trivial                                ? InlineReason::kTrivial
                    : *candidate.bytes <= policy.static_bytes ? InlineReason::kSmall
                                                              : InlineReason::kFitsWeight;
  return decision;
}

}  // namespace yp
