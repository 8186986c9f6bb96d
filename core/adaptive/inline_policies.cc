#include "core/adaptive/inline_policies.h"

#include <algorithm>
#include <array>

namespace yp {
namespace {

// Lee 2015, section 4.2: "by 30% from 23 to 17".
constexpr int32_t kLeeUsual = 23, kLeeWeak = 17;

constexpr InlinePolicy kLinear;

constexpr InlinePolicy HotOnly() {
  InlinePolicy policy;
  policy.is_linear = false;
  policy.cold_weight = 0;
  return policy;
}

constexpr InlinePolicy WeakStatic() {
  InlinePolicy policy;
  policy.unweighted_bytes = policy.unweighted_bytes * kLeeWeak / kLeeUsual;
  return policy;
}
// As in the paper, where 17 "is above the size threshold for trivial methods (11)".
static_assert(WeakStatic().unweighted_bytes > WeakStatic().trivial_bytes);

constexpr std::array<NamedInlinePolicy, 3> kPolicies = {
    {{"linear", "Arnold and Grove 2005, section 5.1: the new inliner", kLinear},
     {"hot-only", "Arnold and Grove 2005, section 5.1: the inliner before", HotOnly()},
     {"weak-static", "Lee 2015, section 4.2", WeakStatic()}}};

}  // namespace

std::span<const NamedInlinePolicy> InlinePolicies() { return kPolicies; }

const NamedInlinePolicy* FindInlinePolicy(std::string_view name) {
  const auto found = std::ranges::find(kPolicies, name, &NamedInlinePolicy::name);
  return found == kPolicies.end() ? nullptr : &*found;
}

}  // namespace yp
