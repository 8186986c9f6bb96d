#include "hotspot/graph/method_registry.h"

#include <utility>

namespace yp::hotspot {
namespace {

uint64_t SiteKey(MethodId caller, int32_t bci) {
  return (static_cast<uint64_t>(ToIndex(caller)) << 32) | static_cast<uint32_t>(bci);
}

}  // namespace

MethodId MethodRegistry::Intern(const Method& method) {
  std::string name = method.FullName();
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] =
      by_name_.try_emplace(std::move(name), MethodId{static_cast<uint32_t>(methods_.size())});
  if (is_new) {
    methods_.push_back(Entry{method, false, {}});
    return it->second;
  }
  // Seen before as a mere caller, or without its lines: what is learnt later is told again.
  Entry& entry = methods_[ToIndex(it->second)];
  const uint32_t flags = entry.method.flags | method.flags;
  const bool learnt_lines = entry.method.lines.empty() && !method.lines.empty();
  const bool learnt_file = entry.method.source_file.empty() && !method.source_file.empty();
  if (flags != entry.method.flags || learnt_lines || learnt_file) {
    entry.method.flags = flags;
    if (learnt_lines) entry.method.lines = method.lines;
    if (learnt_file) entry.method.source_file = method.source_file;
    if (entry.told) changed_.push_back(it->second);
    entry.told = false;
  }
  return it->second;
}

void MethodRegistry::AddFlags(MethodId method, uint32_t flags) {
  const std::lock_guard lock(mutex_);
  Entry& entry = methods_[ToIndex(method)];
  if ((entry.method.flags & flags) == flags) return;
  entry.method.flags |= flags;
  if (entry.told) changed_.push_back(method);
  entry.told = false;
}

MethodId MethodRegistry::FindComplete(const std::string& full_name, uint32_t flags) const {
  const std::lock_guard lock(mutex_);
  const auto known = by_name_.find(full_name);
  if (known == by_name_.end()) return kNoMethod;
  const Method& method = methods_[ToIndex(known->second)].method;
  const bool is_complete = (method.flags & flags) == flags && !method.lines.empty();
  return is_complete ? known->second : kNoMethod;
}

void MethodRegistry::AddVersion(MethodId method, uint32_t code_size, classfile::BciMap map) {
  Map shared = std::make_shared<const classfile::BciMap>(std::move(map));
  const std::lock_guard lock(mutex_);
  auto& versions = methods_[ToIndex(method)].versions;
  for (auto& [size, version] : versions) {
    if (size == code_size) {
      // A class that is loaded again, into another loader, shares what is remembered of the first.
      if (*version != *shared) version = std::move(shared);
      return;
    }
  }
  versions.emplace_back(code_size, std::move(shared));
}

MethodRegistry::Map MethodRegistry::FindVersion(MethodId method, uint32_t code_size) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [size, version] : methods_[ToIndex(method)].versions) {
    if (size == code_size) return version;
  }
  return nullptr;
}

int32_t MethodRegistry::AddSite(MethodId caller, int32_t bci, bool is_virtual, int32_t limit) {
  const std::lock_guard lock(mutex_);
  const uint64_t key = SiteKey(caller, bci);
  const auto known = site_numbers_.find(key);
  if (known != site_numbers_.end()) return known->second;
  if (sites_.size() >= static_cast<size_t>(limit)) return 0;
  const auto number = static_cast<int32_t>(sites_.size());
  sites_.push_back(Site{caller, bci, is_virtual});
  site_numbers_.emplace(key, number);
  return number;
}

int32_t MethodRegistry::FindSite(MethodId caller, int32_t bci) const {
  const std::lock_guard lock(mutex_);
  const auto known = site_numbers_.find(SiteKey(caller, bci));
  return known == site_numbers_.end() ? 0 : known->second;
}

MethodRegistry::Site MethodRegistry::SiteAt(int32_t site) const {
  const std::lock_guard lock(mutex_);
  if (site <= 0 || static_cast<size_t>(site) >= sites_.size()) {
    return Site{kNoMethod, kNoBci, false};
  }
  return sites_[static_cast<size_t>(site)];
}

EdgeId MethodRegistry::InternEdge(const Edge& edge, uint32_t steps) {
  const std::lock_guard lock(mutex_);
  const CountedEdge counted{edge, steps};
  const auto [it, inserted] =
      edge_ids_.try_emplace(counted, EdgeId{static_cast<uint32_t>(edges_.size())});
  if (inserted) edges_.push_back(counted);
  return it->second;
}

std::vector<int32_t> MethodRegistry::SitesOf(const std::unordered_set<MethodId>& callers) const {
  const std::lock_guard lock(mutex_);
  std::vector<int32_t> numbers;
  for (size_t i = 1; i < sites_.size(); ++i) {
    if (callers.contains(sites_[i].caller)) numbers.push_back(static_cast<int32_t>(i));
  }
  return numbers;
}

std::string MethodRegistry::ClassNameOf(MethodId method) const {
  const std::lock_guard lock(mutex_);
  return ToIndex(method) < methods_.size() ? methods_[ToIndex(method)].method.class_name : "";
}

Edge MethodRegistry::EdgeOf(EdgeId id) const {
  const std::lock_guard lock(mutex_);
  return edges_[ToIndex(id)].edge;
}

void MethodRegistry::TellMethod(MethodId id, Updates& updates) {
  if (id == kNoMethod) return;
  Entry& entry = methods_[ToIndex(id)];
  if (entry.told) return;
  entry.told = true;
  updates.methods.push_back(spool::MethodDefinition{id, entry.method});
}

void MethodRegistry::MarkUsed(MethodId method) {
  const std::lock_guard lock(mutex_);
  if (!methods_[ToIndex(method)].told) changed_.push_back(method);
}

MethodRegistry::Updates MethodRegistry::TakeUpdates() {
  Updates updates;
  while (TakeSomeUpdates(updates)) {
  }
  return updates;
}

bool MethodRegistry::TakeSomeUpdates(Updates& updates) {
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < kNewsAtOnce; ++i) {
    if (!changed_.empty()) {
      TellMethod(changed_.back(), updates);
      changed_.pop_back();
    } else if (told_edges_ < edges_.size()) {
      const auto& [edge, steps] = edges_[told_edges_];
      TellMethod(edge.caller, updates);
      TellMethod(edge.callee, updates);
      updates.edges.push_back({EdgeId{static_cast<uint32_t>(told_edges_)}, edge, steps});
      ++told_edges_;
    } else {
      return false;
    }
  }
  return true;
}

void MethodRegistry::RetellToNextPart() {
  const std::vector<MethodId> compiled = compilations_.Retell();
  const std::lock_guard lock(mutex_);
  for (Entry& entry : methods_) entry.told = false;
  changed_.clear();
  for (const MethodId method : compiled) {
    if (method != kNoMethod) changed_.push_back(method);
  }
  told_edges_ = 1;
}

void MethodRegistry::Retell() {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : methods_) {
    entry.told = false;
    entry.method.flags &= ~uint32_t{Method::kObserved};
  }
  changed_.clear();
  told_edges_ = 1;
}

}  // namespace yp::hotspot
