#include "hotspot/recording/modes/patching.h"

namespace yp::hotspot {
namespace {

// What a call takes from its entry to the handler and back, which no clock between sees: a 2.6 GHz
// x86-64 (2026-11).
constexpr int64_t kHookNs = 40;

}  // namespace

// Every call takes the slow path: none is counted down.
bool PatchingMode::OnEntryOf(ThreadRecord& thread, const EntryCall& call) {
  thread.common.calls_left->store(0, std::memory_order_relaxed);
  const int64_t begin_ns = clock().NowNs();
  const EntryWalker::Answer answer = host_.entry_walker->Walk(call, thread.stack_end);
  bool is_wanted = answer.outcome != EntryWalker::Outcome::kNotObserved;
  if (answer.outcome == EntryWalker::Outcome::kEdge) {
    const int64_t own_ns = clock().NowNs() - begin_ns + kHookNs;
    is_wanted = session_.listeners()->Record(call.number, answer.edge, begin_ns, own_ns);
  } else if (is_wanted) {
    drops().Add(answer.reason);
  }
  thread.AddCost(1, clock().NowNs() - begin_ns + kHookNs);
  return is_wanted;
}

}  // namespace yp::hotspot
