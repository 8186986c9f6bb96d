#include "hotspot/agent/profile_reader.h"

#include <functional>
#include <optional>
#include <utility>

namespace yp::hotspot {
namespace {

// Of a site that is not virtual: what it always calls.
constexpr const void* kBound = nullptr;

}  // namespace

size_t ProfileReader::CallKeyHash::operator()(const CallKey& key) const {
  const std::hash<const void*> hash;
  return hash(key.method) * 31 + hash(key.klass) * 17 + static_cast<size_t>(key.bci);
}

Result<std::unique_ptr<ProfileReader>> ProfileReader::Create(const VmStructs& structs) {
  Result<GuardedMemory> memory = GuardedMemory::Create();
  if (!memory) return memory.status();
  auto kept = std::make_unique<const GuardedMemory>(std::move(memory).value());
  Result<MethodDataReader> data = MethodDataReader::Create(structs, *kept);
  if (!data) return data.status();
  Result<CallResolver> resolver = CallResolver::Create(structs, *kept);
  if (!resolver) return resolver.status();
  return std::unique_ptr<ProfileReader>(
      new ProfileReader(std::move(kept), std::move(data).value(), std::move(resolver).value()));
}

std::vector<spool::MethodProfile> ProfileReader::Read(const Compilations& compilations) {
  resolver_.Forget();
  const Methods methods = compilations.Methods();
  std::vector<const void*> addresses;
  for (const auto& [method, id] : methods) {
    addresses.push_back(method);
    ids_[method] = id;
  }
  std::vector<spool::MethodProfile> told;
  if (!data_.has_layout() && !data_.ChooseLayout(addresses)) return told;
  const std::vector<std::optional<MethodProfile>> profiles = data_.ReadAll(addresses);
  for (size_t i = 0; i < profiles.size(); ++i) {
    if (!profiles[i]) continue;
    told.push_back(Tell(addresses[i], *profiles[i]));
    told.back().method = methods[i].second;
  }
  return told;
}

spool::MethodProfile ProfileReader::Tell(const void* method, const MethodProfile& profile) {
  spool::MethodProfile told;
  told.invocations = static_cast<uint64_t>(profile.invocations);
  for (const MethodProfile::CallSite& site : profile.sites) {
    if (site.calls == 0) continue;
    spool::MethodProfile::Site& at = told.sites.emplace_back();
    at.bci = site.bci;
    at.calls = static_cast<uint64_t>(site.calls);
    if (!site.is_virtual) {
      const MethodId callee = CalleeOf(method, site.bci, kBound);
      if (callee != kNoMethod) at.receivers.push_back({callee, at.calls});
    }
    for (const MethodProfile::Receiver& receiver : profile.ReceiversOf(site)) {
      if (receiver.klass == nullptr || receiver.calls <= 0) continue;
      const MethodId callee = CalleeOf(method, site.bci, receiver.klass);
      at.receivers.push_back({callee, static_cast<uint64_t>(receiver.calls)});
    }
  }
  return told;
}

MethodId ProfileReader::CalleeOf(const void* method, int32_t bci, const void* klass) {
  const CallKey key{method, bci, klass};
  auto known = callees_.find(key);
  if (known == callees_.end()) {
    const void* callee = nullptr;
    const std::optional<CallResolver::Caller> caller = resolver_.Open(method);
    const InvokeSite* site = caller ? caller->SiteAt(bci) : nullptr;
    if (site != nullptr) {
      callee = klass == kBound ? resolver_.BoundCallee(*caller, *site)
                               : resolver_.Callee(*caller, *site, klass);
    }
    known = callees_.emplace(key, callee).first;
  }
  const auto id = ids_.find(known->second);
  return id == ids_.end() ? kNoMethod : id->second;
}

}  // namespace yp::hotspot
