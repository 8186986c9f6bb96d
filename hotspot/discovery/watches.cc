#include "hotspot/discovery/watches.h"

#include <algorithm>

#include "hotspot/discovery/grown.h"

namespace yp::hotspot {

void Watches::Begin(int32_t site, uint32_t rounds) {
  Watch& watch = Grown(watches_, static_cast<size_t>(site));
  if (watch.until == 0) begun_.push_back(site);
  watch.until = std::max(watch.until, round_ + rounds);
}

bool Watches::IsWatching(int32_t site) const {
  const auto index = static_cast<size_t>(site);
  return index < watches_.size() && watches_[index].until != 0;
}

void Watches::Add(int32_t site, MethodId method) {
  std::vector<MethodId>& methods = watches_[static_cast<size_t>(site)].methods;
  if (std::ranges::find(methods, method) != methods.end()) return;
  methods.push_back(method);
  methods_.Watch(method, 1);
}

void Watches::End(int32_t site) {
  if (static_cast<size_t>(site) >= watches_.size()) return;
  Watch& watch = watches_[static_cast<size_t>(site)];
  for (const MethodId method : watch.methods) methods_.Watch(method, -1);
  watch.methods.clear();
  watch.until = 0;
}

void Watches::NextRound() {
  ++round_;
  std::erase_if(begun_, [&](int32_t site) {
    if (watches_[static_cast<size_t>(site)].until >= round_) return false;
    End(site);
    return true;
  });
}

}  // namespace yp::hotspot
