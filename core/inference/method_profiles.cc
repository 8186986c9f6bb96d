#include "core/inference/method_profiles.h"

#include <algorithm>
#include <utility>

namespace yp {

double SiteProfile::CallsOf(MethodId method) const {
  double sum = 0;
  for (const Callee& callee : callees) {
    if (callee.method == method) sum += callee.calls;
  }
  return sum;
}

double SiteProfile::UnrecordedCalls() const {
  double recorded = 0;
  for (const Callee& callee : callees) recorded += callee.calls;
  return std::max(calls - recorded, 0.0);
}

const SiteProfile* MethodProfile::Site(int32_t bci) const {
  const auto site = std::find_if(sites.begin(), sites.end(),
                                 [&](const SiteProfile& s) { return s.bci == bci && s.calls > 0; });
  return site == sites.end() ? nullptr : &*site;
}

bool MethodProfile::empty() const {
  return invocations <= 0 &&
         std::none_of(sites.begin(), sites.end(), [](const SiteProfile& s) { return s.calls > 0; });
}

void MethodProfiles::Add(MethodId method, MethodProfile profile) {
  profiles_.insert_or_assign(ToIndex(method), std::move(profile));
}

const MethodProfile* MethodProfiles::Find(MethodId method) const {
  const auto it = profiles_.find(ToIndex(method));
  return it == profiles_.end() || it->second.empty() ? nullptr : &it->second;
}

}  // namespace yp
