#include "hotspot/graph/compilations.h"

#include <algorithm>

namespace yp::hotspot {
namespace {

// Multiplies by 2^64 divided by the golden ratio, as in Knuth, volume 3, section 6.4.
size_t Mixed(uint64_t a, uint64_t b) {
  const uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15u;
  return static_cast<size_t>(h ^ (h >> 32));
}

}  // namespace

size_t Compilations::Hash::operator()(const Key& key) const {
  return Mixed(reinterpret_cast<uint64_t>(key.nmethod),
               (uint64_t{key.epoch} << 32) | static_cast<uint32_t>(key.compile_id));
}

size_t Compilations::Hash::operator()(const Way& way) const {
  return Mixed((uint64_t{ToIndex(way.edge)} << 32) | ToIndex(way.caller),
               (uint64_t{ToIndex(way.callee)} << 32) | (uint64_t{way.caller_node} << 1) |
                   (way.is_caller_profiled ? 1 : 0));
}

size_t Compilations::Hash::operator()(const std::pair<VmMethod, MethodId>& method) const {
  return Mixed(reinterpret_cast<uint64_t>(method.first.address), ToIndex(method.second));
}

const Compilations::Known* Compilations::Find(const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  return known == by_key_.end() ? nullptr : known->second;
}

const Compilations::Known* Compilations::Add(const Key& key, Known known) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = by_key_.try_emplace(key, nullptr);
  if (is_new) {
    known.told.id = CompilationId{next_compilation_++};
    for (const auto& method : known.tree.methods()) {
      if (known_methods_.insert(method).second) methods_.push_back(method);
    }
    compilations_.push_back(std::make_unique<Known>(std::move(known)));
    it->second = compilations_.back().get();
  }
  return it->second;
}

CompiledCallId Compilations::InternCall(const spool::CompiledCall& call) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = call_ids_.try_emplace(
      Way{call.edge, call.caller, call.caller_node, call.callee, call.is_caller_profiled},
      CompiledCallId{next_call_});
  if (is_new) {
    calls_.push_back(call);
    calls_.back().id = CompiledCallId{next_call_++};
  }
  return it->second;
}

Compilations::Updates Compilations::TakeUpdates() {
  Updates updates;
  const std::lock_guard lock(mutex_);
  for (; told_compilations_ < compilations_.size(); ++told_compilations_) {
    updates.compilations.push_back(compilations_[told_compilations_].get());
  }
  updates.calls.assign(calls_.begin() + static_cast<std::ptrdiff_t>(told_calls_), calls_.end());
  told_calls_ = calls_.size();
  return updates;
}

std::vector<MethodId> Compilations::Retell() {
  std::unordered_set<uint32_t> methods;
  const std::lock_guard lock(mutex_);
  told_compilations_ = first_compilation_;
  told_calls_ = first_call_;
  for (size_t i = first_compilation_; i < compilations_.size(); ++i) {
    for (const spool::Compilation::Node& node : compilations_[i]->told.nodes) {
      methods.insert(ToIndex(node.method));
    }
  }
  std::vector<MethodId> ids;
  for (const uint32_t method : methods) ids.push_back(MethodId{method});
  return ids;
}

size_t Compilations::method_count() const {
  const std::lock_guard lock(mutex_);
  return methods_.size();
}

std::unordered_map<int32_t, CompilationId> Compilations::ByCompileId() const {
  std::unordered_map<int32_t, CompilationId> ids;
  const std::lock_guard lock(mutex_);
  for (size_t i = first_compilation_; i < compilations_.size(); ++i) {
    const spool::Compilation& told = compilations_[i]->told;
    if (!told.is_osr) ids.emplace(told.compile_id, told.id);
  }
  return ids;
}

void Compilations::Forget(bool is_in_use) {
  const std::lock_guard lock(mutex_);
  known_methods_.clear();
  methods_.clear();
  first_compilation_ = compilations_.size();
  first_call_ = calls_.size();
  if (is_in_use) return;
  first_compilation_ = first_call_ = 0;
  by_key_.clear();
  compilations_.clear();
  call_ids_.clear();
  calls_.clear();
  told_compilations_ = told_calls_ = 0;
}

std::vector<std::pair<VmMethod, MethodId>> Compilations::Methods() const {
  std::unique_lock lock(mutex_);
  std::vector<std::pair<VmMethod, MethodId>> methods = methods_;
  lock.unlock();
  std::sort(methods.begin(), methods.end());
  return methods;
}

}  // namespace yp::hotspot
