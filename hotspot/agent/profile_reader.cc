#include "hotspot/agent/profile_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yp::hotspot {
namespace {

constexpr size_t kMaxVoters = 1000;

// Of a site without receivers: what it always calls.
constexpr const void* kBound = nullptr;

// Grows whenever something is counted in the method.
int64_t CountedIn(const MethodProfile& profile) {
  int64_t sum = profile.invocations + profile.backedges;
  for (const MethodProfile::CallSite& site : profile.sites) sum += site.calls;
  return sum;
}

// Of each method, by its id, the index of the profile in which most was counted. One id may have
// several: those of copies of a class in several loaders, and of versions that were redefined.
std::map<MethodId, size_t> MostCounted(const std::vector<std::pair<VmMethod, MethodId>>& methods,
                                       const std::vector<std::optional<MethodProfile>>& profiles) {
  std::map<MethodId, size_t> best;
  for (size_t i = 0; i < profiles.size(); ++i) {
    const auto& [method, id] = methods[i];
    // It may be gone, and another one be at its address.
    if (!profiles[i] || profiles[i]->const_method != method.const_method) continue;
    const auto [it, is_first] = best.try_emplace(id, i);
    if (!is_first && CountedIn(*profiles[i]) > CountedIn(*profiles[it->second])) it->second = i;
  }
  return best;
}

}  // namespace

Result<std::unique_ptr<ProfileReader>> ProfileReader::Create(const VmStructs& structs,
                                                             const CodeCache& code_cache) {
  Result<GuardedMemory> memory = GuardedMemory::Create();
  if (!memory) return memory.status();
  auto kept = std::make_unique<const GuardedMemory>(std::move(memory).value());
  Result<MethodDataReader> data = MethodDataReader::Create(structs, *kept);
  if (!data) return data.status();
  Result<CallResolver> resolver = CallResolver::Create(structs, *kept);
  if (!resolver) return resolver.status();
  return std::unique_ptr<ProfileReader>(new ProfileReader(
      code_cache, std::move(kept), std::move(data).value(), std::move(resolver).value()));
}

void ProfileReader::Begin(Namer namer) {
  namer_ = std::move(namer);
  counted_.clear();
}

std::vector<spool::MethodProfile> ProfileReader::Read(const Compilations& compilations) {
  resolver_.Forget();
  const std::vector<std::pair<VmMethod, MethodId>> methods = compilations.Methods();
  ids_ = {methods.begin(), methods.end()};
  std::vector<const void*> addresses;
  for (const auto& [method, id] : methods) addresses.push_back(method.address);
  std::vector<spool::MethodProfile> told;
  if (!data_.has_layout()) layout_status_ = data_.ChooseLayout(Voters());
  if (!data_.has_layout()) return told;
  const std::vector<std::optional<MethodProfile>> profiles = data_.ReadAll(addresses);
  for (const auto& [id, best] : MostCounted(methods, profiles)) {
    // Once a method is compiled for good hardly anything is counted in it.
    Counted& before = counted_[id];
    const Counted now{methods[best].first, CountedIn(*profiles[best])};
    if (now == before) continue;
    before = now;
    told.push_back(Tell(now.method.address, *profiles[best]));
    told.back().method = id;
  }
  return told;
}

// Those of small programs are mostly the JDK's own.
std::vector<const void*> ProfileReader::Voters() const {
  std::vector<const void*> methods;
  code_cache_.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (methods.size() < kMaxVoters) methods.push_back(compilation.method);
  });
  std::sort(methods.begin(), methods.end());
  methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
  return methods;
}

spool::MethodProfile ProfileReader::Tell(const void* method, const MethodProfile& profile) {
  spool::MethodProfile told;
  told.invocations = static_cast<uint64_t>(profile.invocations);
  told.interpreted = static_cast<uint64_t>(profile.interpreted);
  LazyCaller caller(resolver_, method);
  for (const MethodProfile::CallSite& site : profile.sites) {
    if (site.calls == 0) continue;
    spool::MethodProfile::Site& at = told.sites.emplace_back();
    at.bci = site.bci;
    at.calls = static_cast<uint64_t>(site.calls);
    for (const MethodProfile::Receiver& receiver : profile.ReceiversOf(site)) {
      if (receiver.klass == nullptr || receiver.calls <= 0) continue;
      const MethodId callee = CalleeOf(caller, site.bci, receiver.klass);
      at.receivers.push_back({callee, static_cast<uint64_t>(receiver.calls)});
    }
    // Of an invokevirtual that can call one method only (of a final class, or private) the VM
    // records no receivers.
    if (at.receivers.empty()) {
      const MethodId callee = CalleeOf(caller, site.bci, kBound);
      if (callee != kNoMethod) at.receivers.push_back({callee, at.calls});
    }
  }
  return told;
}

const CallResolver::Caller* ProfileReader::LazyCaller::Get() {
  if (!is_open_) {
    is_open_ = true;
    caller_ = resolver_.Open(method_);
  }
  return caller_ ? &*caller_ : nullptr;
}

MethodId ProfileReader::IdOf(const void* method) {
  const auto [id, is_new] =
      ids_.try_emplace(VmMethod{method, resolver_.ConstMethodOf(method)}, kNoMethod);
  if (is_new) {
    const std::optional<ClassReader::MethodNames> names = resolver_.NamesOf(method);
    if (names) id->second = namer_(*names);
  }
  return id->second;
}

MethodId ProfileReader::CalleeOf(LazyCaller& caller, int32_t bci, const void* klass) {
  const CallResolver::Caller* open = caller.Get();
  const InvokeSite* site = open != nullptr ? open->SiteAt(bci) : nullptr;
  if (site == nullptr) return kNoMethod;
  const void* callee =
      klass == kBound ? resolver_.BoundCallee(*open, *site) : resolver_.Callee(*open, *site, klass);
  return callee == nullptr ? kNoMethod : IdOf(callee);
}

}  // namespace yp::hotspot
