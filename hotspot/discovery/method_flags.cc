#include "hotspot/discovery/method_flags.h"

#include "hotspot/discovery/grown.h"

namespace yp::hotspot {

void MethodFlags::Define(MethodId method) {
  auto is_defined = Grown(defined_, ToIndex(method));
  if (is_defined) return;
  is_defined = true;
  Set(method, kMethodFresh, true);
}

void MethodFlags::HasRun(MethodId method) {
  const uint8_t flags = tables_.methods[ToIndex(method)].load(std::memory_order_relaxed);
  if ((flags & kMethodFresh) == 0) return;
  Set(method, kMethodFresh, false);
  have_run_.push_back(method);
}

void MethodFlags::Refresh() {
  for (const MethodId method : have_run_) Set(method, kMethodFresh, true);
  have_run_.clear();
}

bool MethodFlags::Open(MethodId method) {
  if (IsOpen(method)) return false;
  ++open_methods_;
  Set(method, kMethodOpen, true);
  return true;
}

bool MethodFlags::IsOpen(MethodId method) const {
  return (tables_.methods[ToIndex(method)].load(std::memory_order_relaxed) & kMethodOpen) != 0;
}

void MethodFlags::Await(MethodId method, int change) {
  Count(awaiting_, method, change, kMethodAwaited);
}

void MethodFlags::Watch(MethodId method, int change) {
  Count(watching_, method, change, kMethodWatched);
}

void MethodFlags::Count(std::vector<int32_t>& counts, MethodId method, int change, uint8_t flag) {
  int32_t& count = Grown(counts, ToIndex(method));
  count += change;
  Set(method, flag, count > 0);
}

void MethodFlags::Clear() {
  for (size_t i = 0; i < defined_.size(); ++i) {
    tables_.methods[i].store(0, std::memory_order_relaxed);
  }
}

void MethodFlags::Set(MethodId method, uint8_t flag, bool on) {
  std::atomic<uint8_t>& flags = tables_.methods[ToIndex(method)];
  const uint8_t before = flags.load(std::memory_order_relaxed);
  flags.store(static_cast<uint8_t>(on ? before | flag : before & ~flag), std::memory_order_relaxed);
}

}  // namespace yp::hotspot
