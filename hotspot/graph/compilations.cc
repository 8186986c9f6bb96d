#include "hotspot/graph/compilations.h"

namespace yp::hotspot {

const Compilations::Known* Compilations::Find(const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  return known == by_key_.end() ? nullptr : known->second;
}

const Compilations::Known* Compilations::Add(const Key& key, Known known) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = by_key_.try_emplace(key, nullptr);
  if (is_new) {
    known.told.id = CompilationId{static_cast<uint32_t>(compilations_.size() + 1)};
    methods_.insert(known.tree.methods().begin(), known.tree.methods().end());
    compilations_.push_back(std::make_unique<Known>(std::move(known)));
    it->second = compilations_.back().get();
  }
  return it->second;
}

CompiledCallId Compilations::InternCall(const spool::CompiledCall& call) {
  const std::lock_guard lock(mutex_);
  const CompiledCallId next{static_cast<uint32_t>(calls_.size() + 1)};
  const auto [it, is_new] =
      call_ids_.try_emplace({call.edge, call.caller, call.caller_node, call.callee}, next);
  if (is_new) {
    calls_.push_back(call);
    calls_.back().id = next;
  }
  return it->second;
}

Compilations::News Compilations::TakeNews() {
  News news;
  const std::lock_guard lock(mutex_);
  for (; told_compilations_ < compilations_.size(); ++told_compilations_) {
    news.compilations.push_back(compilations_[told_compilations_].get());
  }
  news.calls.assign(calls_.begin() + static_cast<std::ptrdiff_t>(told_calls_), calls_.end());
  told_calls_ = calls_.size();
  return news;
}

std::vector<std::pair<const void*, MethodId>> Compilations::Methods() const {
  const std::lock_guard lock(mutex_);
  return {methods_.begin(), methods_.end()};
}

}  // namespace yp::hotspot
