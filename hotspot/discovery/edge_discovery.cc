#include "hotspot/discovery/edge_discovery.h"

#include <algorithm>
#include <utility>

#include "hotspot/discovery/grown.h"

namespace yp::hotspot {
namespace {

constexpr std::string_view kConstructor = "<init>";

template <typename T>
bool Contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

void EdgeDiscovery::Define(const ClassShape& shape, const std::vector<SiteShape>& sites,
                           const std::vector<CallReference>& open) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  for (const ClassShape::Method& method : shape.methods) {
    if (method.id != kNoMethod) methods_.Define(method.id);
  }
  hierarchy_.Define(shape);
  for (const SiteShape& site : sites) DefineSite(site);
  for (const CallReference& reference : open) hierarchy_.Open(reference);
  // Redefined: it has instances already.
  if (hierarchy_.IsPrepared(shape.name)) hierarchy_.Prepare(shape.name);
}

void EdgeDiscovery::DefineSite(const SiteShape& shape) {
  const ReferenceId id = hierarchy_.Refer(shape.reference);
  Site& site = Grown(sites_, static_cast<size_t>(shape.site));
  if (site.is_defined && site.reference == id) return;
  if (site.is_defined) {  // The class was redefined, and there is another call in that place now.
    SetState(shape.site, 0);
    watches_.End(shape.site);
    std::erase(At(site.reference).sites, shape.site);
  }
  site = Site{};
  site.reference = id;
  site.is_defined = true;
  At(id).sites.push_back(shape.site);
  SetState(shape.site, kSiteFresh);
}

void EdgeDiscovery::End() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (size_t i = 0; i < sites_.size(); ++i) tables_.sites[i].store(0, std::memory_order_relaxed);
  methods_.Clear();
}

bool EdgeDiscovery::IsDefined(std::string_view class_name) const {
  const std::lock_guard lock(mutex_);
  return hierarchy_.IsDefined(class_name);
}

void EdgeDiscovery::Open(const CallReference& reference) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  hierarchy_.Open(reference);
}

void EdgeDiscovery::OpenSite(int32_t site) {
  const std::lock_guard lock(mutex_);
  if (has_ended_ || !IsDefinedSite(site)) return;
  const CallReference reference = hierarchy_.ReferenceOf(At(site).reference);
  hierarchy_.Open(reference);
}

void EdgeDiscovery::Prepare(std::string_view class_name) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  hierarchy_.Prepare(class_name);
}

bool EdgeDiscovery::OnSite(int32_t number) {
  const std::lock_guard lock(mutex_);
  if (has_ended_ || !IsDefinedSite(number)) return false;
  const ReferenceId reference = At(number).reference;
  At(number).has_run = true;
  if (At(number).state != kSiteFresh) {
    return IsAnnouncing(number) &&
           hierarchy_.ReferenceOf(reference).kind == CallReference::Kind::kVirtual;
  }
  if (hierarchy_.IsResolved(reference)) {
    if (IsDone(At(number))) {
      SetState(number, 0);
    } else {
      Announce(number);
    }
    return false;
  }
  // The class that it names comes with this call. A method that it inherits may be there already.
  // The site is asked again.
  const std::string& selector = hierarchy_.ReferenceOf(reference).selector;
  BeginWatch(number, selector.starts_with(kConstructor) ? std::vector<MethodId>()
                                                        : hierarchy_.MethodsNamed(selector));
  return false;
}

void EdgeDiscovery::Announce(int32_t number) {
  SetState(number, AnnouncingState(At(number)));
  BeginWatch(number, hierarchy_.TargetsOf(At(number).reference));
}

void EdgeDiscovery::BeginWatch(int32_t number, const std::vector<MethodId>& methods,
                               uint32_t rounds) {
  watches_.Begin(number, rounds);
  for (const MethodId method : methods) WatchMethod(number, method);
}

void EdgeDiscovery::WatchMethod(int32_t number, MethodId method) {
  if (!methods_.IsOpen(method) && !Contains(At(number).seen, method)) watches_.Add(number, method);
}

void EdgeDiscovery::OnEntry(MethodId callee, int32_t number, uint32_t period) {
  const std::lock_guard lock(mutex_);
  if (has_ended_ || period != this->period()) return;
  methods_.HasRun(callee);
  if (!IsDefinedSite(number) || !Contains(hierarchy_.TargetsOf(At(number).reference), callee)) {
    // In a way that no call site and no hierarchy explains: reflection, native code, a lambda.
    OnOpen(callee);
    return;
  }
  Site& site = At(number);
  site.has_run = true;
  if (!Contains(site.seen, callee)) site.seen.push_back(callee);
  Touch(number);
  watches_.End(number);
  if (site.state != 0 && IsDone(site)) {
    SetState(number, 0);
    return;
  }
  if (!methods_.IsOpen(callee) || hierarchy_.ReachesProbesOnly(site.reference)) {
    const uint64_t pair = DiscoveryTables::Pair(number, ToIndex(callee));
    const size_t slot = DiscoveryTables::PairSlot(pair);
    if (tables_.pairs[slot].load(std::memory_order_relaxed) == 0) pairs_.push_back(slot);
    tables_.pairs[slot].store(pair, std::memory_order_relaxed);
  }
}

void EdgeDiscovery::TellReceiver(int32_t site, uint32_t class_hash,
                                 const ClassHierarchy::Callee& callee, uint32_t period) {
  const std::lock_guard lock(mutex_);
  if (period != this->period()) return;
  const size_t number = ReceiverSet::Number(ReceiverSet::Key(site, class_hash));
  // The first of the two entries is taken first.
  if (tables_.receivers[number].entries[0].load(std::memory_order_relaxed) == 0) {
    receivers_.push_back(number);
  }
  ReceiverCalls::Tell(tables_, site, class_hash, callee);
}

void EdgeDiscovery::BeginPeriod() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  period_.fetch_add(1, std::memory_order_release);
  found_.BeginPeriod();
  for (const int32_t number : touched_) {
    Site& site = At(number);
    site.is_touched = false;
    site.seen.clear();
    if (site.is_defined) SetState(number, kSiteFresh);
  }
  touched_.clear();
  methods_.Refresh();
  for (const size_t slot : pairs_) tables_.pairs[slot].store(0, std::memory_order_relaxed);
  pairs_.clear();
  for (const size_t number : receivers_) {
    for (auto& entry : tables_.receivers[number].entries) entry.store(0, std::memory_order_relaxed);
  }
  receivers_.clear();
}

void EdgeDiscovery::Settle() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  watches_.NextRound();
  if (std::exchange(settled_open_methods_, methods_.open_methods()) == methods_.open_methods())
    return;
  for (size_t i = 0; i < sites_.size(); ++i) {
    if ((sites_[i].state & kSiteAnnounces) != 0 && IsDone(sites_[i])) {
      SetState(static_cast<int32_t>(i), 0);
    }
  }
}

void EdgeDiscovery::WantReceiverCall(MethodId caller, int32_t bci, const std::string& class_name) {
  const std::lock_guard lock(mutex_);
  receiver_calls_.Want(caller, bci, class_name, watches_.round());
  wants_receiver_calls_.store(true, std::memory_order_relaxed);
}

bool EdgeDiscovery::WantsReceiverCall(MethodId caller, int32_t bci, int32_t site) const {
  const std::lock_guard lock(mutex_);
  return receiver_calls_.IsWanted(caller, bci) || receiver_calls_.Has(site) || IsAnnouncing(site);
}

bool EdgeDiscovery::WantsReceiverCallsIn(std::string_view class_name) const {
  if (!wants_receiver_calls_.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex_);
  return receiver_calls_.IsWantedIn(class_name);
}

std::vector<std::string> EdgeDiscovery::TakeClassesToRewrite() {
  const std::lock_guard lock(mutex_);
  return receiver_calls_.TakeClassesToRewrite(watches_.round());
}

void EdgeDiscovery::DefineReceiverSite(int32_t site, const CallReference& call) {
  const std::lock_guard lock(mutex_);
  receiver_calls_.Define(site, call);
}

bool EdgeDiscovery::HasProbe(int32_t site) const {
  const std::lock_guard lock(mutex_);
  return IsDefinedSite(site) || receiver_calls_.Has(site);
}

void EdgeDiscovery::OnRewritten() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  for (const auto& [number, call] : receiver_calls_.sites()) {
    if (!IsAnnouncing(number)) continue;
    // A frame of the old code may be on its way from an announcement to its callee.
    BeginWatch(number, hierarchy_.TargetsOf(At(number).reference), kShortWatchRounds);
    SetState(number, kSiteFresh);
  }
}

ClassHierarchy::Callee EdgeDiscovery::CalleeOf(int32_t site,
                                               std::string_view receiver_class) const {
  const std::lock_guard lock(mutex_);
  const CallReference* const call = receiver_calls_.Find(site);
  if (call == nullptr) return {ClassHierarchy::Callee::Certainty::kUnsure};
  return hierarchy_.CalleeOf(*call, receiver_class);
}

bool EdgeDiscovery::OnUnsureReceiver(int32_t site) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return false;
  if (IsDefinedSite(site) && At(site).state == kSiteFresh) Announce(site);
  return IsAnnouncing(site);
}

EdgeDiscovery::Counts EdgeDiscovery::Count() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  for (const Site& site : sites_) {
    counts.sites += site.is_defined ? 1 : 0;
    counts.sites_not_run += site.is_defined && !site.has_run ? 1 : 0;
    counts.announcing_sites += (site.state & kSiteAnnounces) != 0 ? 1 : 0;
  }
  counts.open_methods = methods_.open_methods();
  counts.receiver_sites = receiver_calls_.sites().size();
  return counts;
}

std::vector<EdgeDiscovery::SiteShape> EdgeDiscovery::SitesNotRun() const {
  const std::lock_guard lock(mutex_);
  std::vector<SiteShape> not_run;
  for (size_t i = 0; i < sites_.size(); ++i) {
    if (!sites_[i].is_defined || sites_[i].has_run) continue;
    not_run.push_back({static_cast<int32_t>(i), hierarchy_.ReferenceOf(sites_[i].reference)});
  }
  return not_run;
}

void EdgeDiscovery::OnTarget(ReferenceId id, MethodId target) {
  Reference& reference = At(id);
  Grown(reached_by_, ToIndex(target)).push_back(id);
  if (reference.announcing > 0) methods_.Await(target, 1);
  for (const int32_t number : reference.sites) {
    const Site& site = At(number);
    if (watches_.IsWatching(number)) WatchMethod(number, target);
    if (site.state == 0 && !IsDone(site)) SetState(number, kSiteFresh);
  }
}

void EdgeDiscovery::OnOpen(MethodId method) {
  if (!methods_.Open(method)) return;
  if (ToIndex(method) >= reached_by_.size()) return;
  for (const ReferenceId id : reached_by_[ToIndex(method)]) {
    if (!hierarchy_.ReachesProbesOnly(id)) {
      ForgetPairs(id, method);
      continue;
    }
    // Those that were done can announce again, to spare it being looked at.
    for (const int32_t number : At(id).sites) {
      if (At(number).state == 0) SetState(number, kSiteFresh);
    }
  }
}

void EdgeDiscovery::OnUnseen(ReferenceId id) {
  for (const MethodId target : hierarchy_.TargetsOf(id)) {
    if (methods_.IsOpen(target)) ForgetPairs(id, target);
  }
  for (const int32_t number : At(id).sites) {
    const Site& site = At(number);
    if ((site.state & kSiteAnnounces) != 0) SetState(number, AnnouncingState(site));
  }
}

void EdgeDiscovery::ForgetPairs(ReferenceId id, MethodId method) {
  for (const int32_t number : At(id).sites) {
    const uint64_t pair = DiscoveryTables::Pair(number, ToIndex(method));
    std::atomic<uint64_t>& slot = tables_.pairs[DiscoveryTables::PairSlot(pair)];
    if (slot.load(std::memory_order_relaxed) == pair) slot.store(0, std::memory_order_relaxed);
  }
}

EdgeDiscovery::Reference& EdgeDiscovery::At(ReferenceId id) {
  return Grown(references_, static_cast<size_t>(id));
}

bool EdgeDiscovery::IsDefinedSite(int32_t number) const {
  return number > 0 && static_cast<size_t>(number) < sites_.size() && At(number).is_defined;
}

bool EdgeDiscovery::IsAnnouncing(int32_t number) const {
  return IsDefinedSite(number) && (At(number).state & kSiteAnnounces) != 0;
}

bool EdgeDiscovery::IsDone(const Site& site) const {
  const bool proves = hierarchy_.ReachesProbesOnly(site.reference);
  for (const MethodId target : hierarchy_.TargetsOf(site.reference)) {
    if (methods_.IsOpen(target) ? proves : !Contains(site.seen, target)) return false;
  }
  return true;
}

uint8_t EdgeDiscovery::AnnouncingState(const Site& site) const {
  const bool proves = hierarchy_.ReachesProbesOnly(site.reference);
  return static_cast<uint8_t>(kSiteAnnounces | (proves ? kSiteProves : 0));
}

void EdgeDiscovery::SetState(int32_t number, uint8_t state) {
  Site& site = At(number);
  if (site.state == state) return;
  if (state != kSiteFresh) Touch(number);
  const bool announced = (site.state & kSiteAnnounces) != 0;
  const bool announces = (state & kSiteAnnounces) != 0;
  site.state = state;
  Reference& reference = At(site.reference);
  if (announces && !announced && reference.announcing++ == 0) Await(site.reference, 1);
  tables_.sites[number].store(state, std::memory_order_relaxed);
  if (announced && !announces && --reference.announcing == 0) Await(site.reference, -1);
}

void EdgeDiscovery::Touch(int32_t number) {
  if (std::exchange(At(number).is_touched, true)) return;
  touched_.push_back(number);
}

void EdgeDiscovery::Await(ReferenceId id, int change) {
  for (const MethodId target : hierarchy_.TargetsOf(id)) methods_.Await(target, change);
}

}  // namespace yp::hotspot
