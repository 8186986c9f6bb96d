#include "core/inference/call_ratio.h"

#include <algorithm>

namespace yp {
namespace {

constexpr double kNoProfileLogVariance = 1;
constexpr double kUnseenLogVariance = 4;
constexpr double kUnseenCalls = 0.5;

Ratio Unseen(double invocations) {
  return {kUnseenCalls / std::max(invocations, 1.0), kUnseenLogVariance};
}

// A callee's part of its site's calls: a branch like any other.
Ratio ShareOf(const SiteProfile& site, MethodId callee, double context_deviation) {
  const bool only = std::all_of(site.callees.begin(), site.callees.end(),
                                [&](const auto& c) { return c.method == callee; });
  if (only) return {1, 0};
  if (const double calls = site.CallsOf(callee); calls > 0) {
    return RatioOf(calls, site.calls, context_deviation);
  }
  const double left = site.UnrecordedCalls() + site.CallsOf(kNoMethod);
  return {std::clamp(left, kUnseenCalls, site.calls) / site.calls, kUnseenLogVariance};
}

}  // namespace

Ratio RatioOf(double calls, double invocations, double context_deviation) {
  const auto [lo, hi] = std::minmax(calls, invocations);
  const double s = 1 - (lo + 0.5) / (hi + 1);
  return {calls / invocations, s / lo + context_deviation * s * context_deviation * s};
}

Ratio RatioOfSite(const MethodProfile* profile, int32_t bci, double context_deviation) {
  if (profile == nullptr) return {1, kNoProfileLogVariance};
  const SiteProfile* site = profile->Site(bci);
  if (site == nullptr) return Unseen(profile->invocations);
  return RatioOf(site->calls, std::max(profile->invocations, 1.0), context_deviation);
}

Ratio RatioOfCallee(const MethodProfile* profile, int32_t bci, MethodId callee,
                    double context_deviation) {
  const Ratio all = RatioOfSite(profile, bci, context_deviation);
  const SiteProfile* site = profile == nullptr ? nullptr : profile->Site(bci);
  if (site == nullptr) return all;
  const Ratio share = ShareOf(*site, callee, context_deviation);
  return {all.value * share.value, all.log_variance + share.log_variance};
}

}  // namespace yp
