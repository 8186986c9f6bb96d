#include "hotspot/stacks/stack_sampler.h"
#include "hotspot/vmstructs/vm_structs.h"

// What of the sampler no handler calls: see tools/check_handlers.py.
namespace yp::hotspot {

std::atomic<StackSampler*> StackSampler::of_signals_{nullptr};

StackSampler::StackSampler(Host host, Drops& drops)
    : host_(std::move(host)), drops_(drops), buffer_(std::make_unique<StackBuffer>()) {}

Result<StackSampler::Walk> FindStackWalk() {
  const void* found = VmStructs::LookupInProcess("AsyncGetCallTrace");
  if (found == nullptr) {
    return Status::Error("this JVM has no AsyncGetCallTrace, which walks stacks within signals");
  }
  return reinterpret_cast<StackSampler::Walk>(const_cast<void*>(found));
}

}  // namespace yp::hotspot
