#ifndef YP_CORE_ADAPTIVE_INLINE_ORACLE_H_
#define YP_CORE_ADAPTIVE_INLINE_ORACLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Which calls are worth being inlined, by a dynamic call graph (Arnold and Grove, "Collecting and
// Exploiting High-Accuracy Call Graph Profiles in Virtual Machines", CGO 2005, section 5).
namespace yp {

// Sizes are of bytecodes, weights are shares of all calls of the program.
struct InlinePolicy {
  // Callees whose body is hardly larger than a call: always inlined. HotSpot's MaxTrivialSize.
  int32_t trivial_bytes = 6;
  // Callees that are small: the largest of a call that is hardly ever made, from which the limit
  // grows with the weight. HotSpot's MaxInlineSize.
  int32_t static_bytes = 35;
  // The largest callee of a call that has no weight: static heuristics. Where profiles are
  // accurate, a lower one is better (Lee 2015, section 4.2: inline_policies.h).
  int32_t unweighted_bytes = 35;
  // The largest of all, however often it is called: truly massive methods cost more than the call.
  // HotSpot's FreqInlineSize.
  int32_t most_bytes = 325;
  // From this weight on a callee may be as large as that. Below, the limit is a linear function of
  // the weight. The paper's older inliner took edges of more than 1 % for hot.
  double full_weight = 0.01;
  // Whether that limit is linear in the weight. Else it is `most_bytes` above `full_weight`; below,
  // a call is as one without a weight.
  bool is_linear = true;
  // A call that is known to have less is not inlined, whatever static heuristics say (the cold veto
  // of the paper's second VM), unless its callee is trivial. What was not seen in a profile is not
  // known.
  double cold_weight = 1e-7;
  // Of several targets of a call only one with more than this part of its calls is inlined, behind
  // a guard.
  double guarded_part = 0.4;
  // HotSpot's MaxInlineLevel, JDK 14 and later.
  int32_t most_depth = 15;
  // How often a method may be within itself. HotSpot's MaxRecursiveInlineLevel.
  int32_t most_recursion = 1;
  // Of all that is inlined into one method, but for trivial callees. HotSpot's DesiredMethodLimit.
  int32_t most_total_bytes = 8000;
};

// A call, and one of the methods that it may call.
struct InlineCandidate {
  std::optional<double> weight =
      {};                      // Of the calls of this method at this site; nothing: not known.
  double part = 1;             // Of all calls at this site, 0 to 1.
  bool is_only_target = true;  // No other was ever called there, or can be.
  std::optional<int32_t> bytes = {};  // Of the callee; nothing: not known.
  int32_t depth = 0;                  // How many inlined calls it is within.
  int32_t recursion = 0;              // In how many of them, and the method itself, the callee is.
  int32_t inlined_bytes = 0;          // So far, into the method that is compiled.
};

enum class InlineReason {
  kTrivial,         // Inlined: not larger than a call.
  kSmall,           // Inlined: small enough however often it is called.
  kFitsWeight,      // Inlined: its size is within what its weight allows.
  kTooLarge,        // Larger than the largest that is inlined.
  kLargeForWeight,  // Larger than its weight allows, or than a call without weight may be.
  kCold,            // Hardly ever called.
  kSpread,          // The site's calls go to many methods, and too few to this.
  kTooDeep,
  kRecursive,
  kFull,  // Enough has been inlined into the method.
  kUnknownSize,
};
inline constexpr size_t kInlineReasons = 11;
// "trivial", "small", "fits its weight", ...
std::string_view ToString(InlineReason reason);

struct InlineDecision {
  bool is_inlined = false;
  bool is_guarded = false;  // Behind a check of the receiver.
  InlineReason reason = InlineReason::kUnknownSize;
  double most_bytes = 0;  // The limit that the weight gives.
};

// min(most_bytes, static_bytes + (most_bytes - static_bytes) * weight / full_weight), or
// unweighted_bytes.
double MostBytes(const InlinePolicy& policy, std::optional<double> weight);

InlineDecision Decide(const InlinePolicy& policy, const InlineCandidate& candidate);

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_INLINE_ORACLE_H_
