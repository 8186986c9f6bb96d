#ifndef YP_CORE_ADAPTIVE_INLINE_POLICIES_H_
#define YP_CORE_ADAPTIVE_INLINE_POLICIES_H_

#include <span>
#include <string_view>

#include "core/adaptive/inline_oracle.h"

namespace yp {

// The inliners of the papers, side by side: each is a row, with its rules as the paper has them and
// its sizes as InlinePolicy has them, in bytes of bytecode.
struct NamedInlinePolicy {
  std::string_view name;
  std::string_view source;
  InlinePolicy policy;
};

// - "linear": Arnold and Grove's new inliner, the default. The limit is linear in the weight.
// - "hot-only": their older one. An edge is hot or it is not, at 1 % of all weight; what is known
// of
//   the others is ignored.
// - "weak-static": Lee's. As "linear", but a call without a weight is inlined only up to 17/23 of
// the
//   usual size: with accurate profiles, what has no weight is mostly not called. Trivial callees
//   are exempt. The paper's 23, 17 and 11 are estimated machine instructions of Jikes RVM, so that
//   their ratio is what carries over.
// Inlining by static heuristics alone is any of them without weights.
std::span<const NamedInlinePolicy> InlinePolicies();

// Null where there is none of that name.
const NamedInlinePolicy* FindInlinePolicy(std::string_view name);

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_INLINE_POLICIES_H_
