#ifndef YP_CORE_ADAPTIVE_INLINING_PLAN_H_
#define YP_CORE_ADAPTIVE_INLINING_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/adaptive/inline_oracle.h"
#include "core/graph/dcg.h"

// Where a compiler and a dynamic call graph disagree: calls that are made often and were not
// inlined, and call sites whose targets are too many for it.
namespace yp {

// What C2 decided at a call in one compilation.
struct CompilerDecision {
  Edge edge;
  bool is_inlined = false;
  std::string_view reason;  // As HotSpot says it: "hot method too big".
};

// A call that C2 refused to inline in more compilations than it inlined it in.
struct MissedInlining {
  Edge edge;
  double calls = 0;                   // In the unit of the graph; inlined ones are among them.
  std::optional<int32_t> bytes = {};  // Of the callee's bytecode.
  std::string_view reason;            // The most frequent.
  size_t refused = 0;                 // In so many compilations
  size_t decided = 0;                 // of so many that came upon the call.
  InlineDecision oracle = {};         // What the oracle would do.
};

// A call site with more targets than C2 inlines (two, or one with 90 % of the calls).
struct SpreadSite {
  MethodId caller{};
  int32_t bci = kNoBci;
  double calls = 0;
  std::vector<std::pair<MethodId, double>> targets;  // With their calls, the most called first.
};

using SizesInBytes = std::unordered_map<MethodId, int32_t>;

// Those with at least `least_weight` of all calls, the most called first. The same decision of one
// compilation may be there several times.
std::vector<MissedInlining> MissedInlinings(const DynamicCallGraph& calls,
                                            std::span<const CompilerDecision> decisions,
                                            const SizesInBytes& sizes, const InlinePolicy& policy,
                                            double least_weight);

// Those with at least `least_weight` of all calls, the most called first. A target with less than a
// hundredth of a site's calls does not count: C2 does not see it, or leaves it to a trap.
std::vector<SpreadSite> SpreadSites(const DynamicCallGraph& calls, double least_weight);

// What HotSpot means by a reason, and what to do about it in the program's code; empty for one that
// is not known.
struct ReasonAdvice {
  std::string_view reason;
  std::string_view advice;
  // -XX:CompileCommand=inline overrides it.
  bool can_be_forced = false;
};
const ReasonAdvice* AdviceFor(std::string_view reason);

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_INLINING_PLAN_H_
