#include "format/profile/counted_methods.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

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

// Copies of a class, and several JVMs, have executed the same site. What the one may have called is
// little else than what the other may have.
void CountedMethods::TakeSite(const InterpretedCode::Site& site) {
  const auto [known, is_new] =
      sites_.try_emplace({site.caller, site.bci}, interpreted_.sites.size());
  if (is_new) {
    interpreted_.sites.push_back(site);
    return;
  }
  InterpretedCode::Site& same = interpreted_.sites[known->second];
  same.is_unconditional = same.is_unconditional && site.is_unconditional;
  same.is_in_loop = same.is_in_loop || site.is_in_loop;
  same.is_certain = same.is_certain || site.is_certain;
  const auto callees = [&](uint32_t target) { return interpreted_.targets[target].size(); };
  if (callees(site.target) > callees(same.target)) same.target = site.target;
}

void CountedMethods::Take(const spool::InterpretedCalls& record, const Find& find) {
  const auto first = static_cast<uint32_t>(interpreted_.targets.size());
  for (const std::vector<MethodId>& ids : record.targets) {
    std::set<MethodId> callees;
    for (const MethodId id : ids) callees.insert(find(id).value_or(kNoMethod));
    callees.erase(kNoMethod);
    if (ids.size() > spool::InterpretedCalls::kMostCallees) callees.clear();
    interpreted_.targets.emplace_back(callees.begin(), callees.end());
  }
  for (const spool::InterpretedCalls::Method& method : record.methods) {
    const MethodId id = find(method.method).value_or(kNoMethod);
    if (id == kNoMethod) continue;
    InterpretedCode::Method& executed = interpreted_.methods[id];
    executed.invocations += static_cast<double>(method.interpreted);
    executed.loops += static_cast<double>(method.loops);
    executed.has_uncounted = executed.has_uncounted || method.has_uncounted;
    for (const auto& [bci, target, is_unconditional, is_in_loop, is_certain] : method.sites) {
      if (target >= record.targets.size() || interpreted_.targets[first + target].empty()) continue;
      TakeSite({id, bci, first + target, is_unconditional, is_in_loop, is_certain});
    }
    for (const auto& [bci, initializer] : method.initializations) {
      const MethodId callee = find(initializer).value_or(kNoMethod);
      if (callee != kNoMethod) interpreted_.initializations.insert({id, bci, callee});
    }
  }
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
  counts->Add(std::move(interpreted_));
}

}  // namespace yp
