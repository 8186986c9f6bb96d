#include "format/profile/counted_methods.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace yp {
namespace {

double Since(uint64_t now, uint64_t before) {
  return now > before ? static_cast<double>(now - before) : 0;
}

void AddTo(MethodProfile* sum, const MethodProfile& more) {
  sum->invocations += more.invocations;
  for (const SiteProfile& site : more.sites) {
    const auto known = std::ranges::find(sum->sites, site.bci, &SiteProfile::bci);
    if (known == sum->sites.end()) {
      sum->sites.push_back(site);
      continue;
    }
    known->calls += site.calls;
    known->callees.insert(known->callees.end(), site.callees.begin(), site.callees.end());
  }
}

}  // namespace

std::optional<MethodId> CountedMethods::Take(const spool::MethodProfile& record, const Find& find) {
  const std::optional<MethodId> method = find(record.method);
  if (!method || *method == kNoMethod) return std::nullopt;
  MethodProfile profile;
  profile.invocations = static_cast<double>(record.invocations);
  MethodCounts counts{.method = *method};
  counts.profile.invocations = Since(record.invocations, record.invocations_before);
  counts.interpreted = Since(record.interpreted, record.interpreted_before);
  for (const spool::MethodProfile::Site& site : record.sites) {
    SiteProfile& read = profile.sites.emplace_back();
    SiteProfile& counted = counts.profile.sites.emplace_back();
    read.bci = counted.bci = site.bci;
    read.calls = static_cast<double>(site.calls);
    counted.calls = Since(site.calls, site.before);
    for (const spool::MethodProfile::Receiver& receiver : site.receivers) {
      // One that is not known is no other one.
      const MethodId callee = find(receiver.callee).value_or(kNoMethod);
      read.callees.push_back({callee, static_cast<double>(receiver.calls)});
      counted.callees.push_back({callee, Since(receiver.calls, receiver.before)});
    }
  }
  methods_[record.method] = {std::move(profile), std::move(counts)};
  return method;
}

void CountedMethods::Finish(MethodProfiles* profiles, VmCounts* counts) {
  std::map<MethodId, Counted> by_method;
  for (auto& [id, counted] : methods_) {
    const MethodId method = counted.counts.method;
    const auto [known, is_first] = by_method.try_emplace(method, counted);
    if (is_first) continue;
    AddTo(&known->second.read, counted.read);
    AddTo(&known->second.counts.profile, counted.counts.profile);
    known->second.counts.interpreted += counted.counts.interpreted;
  }
  for (auto& [method, counted] : by_method) {
    profiles->Add(method, std::move(counted.read));
    counts->Add(std::move(counted.counts));
  }
}

}  // namespace yp
