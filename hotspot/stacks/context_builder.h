#ifndef YP_HOTSPOT_STACKS_CONTEXT_BUILDER_H_
#define YP_HOTSPOT_STACKS_CONTEXT_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/graph/cct.h"
#include "format/spool/records.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/stacks/stack_buffer.h"
#include "hotspot/support/drops.h"

namespace yp::hotspot {

// Makes calling contexts of raw stacks. One thread at a time.
//
// What Java's own stack traces hide (lambda proxies, method handles' adapters) is left out: what it
// calls is called by its caller. So is the probe's class. Contexts are told apart by the code of
// their frames, where it was recorded.
class ContextBuilder {
 public:
  // About 80 bytes each.
  static constexpr size_t kMaxContexts = 400'000;

  // What a frame's method is to a recording.
  struct NamedMethod {
    MethodId id = kNoMethod;  // kNoMethod: to be left out.
    MethodRegistry::Map map;  // From the running code's bytecode indices to the original's.
  };
  // Names methods by their jmethodID, one after the other; nothing for one that is gone. May call
  // the VM. Told all that are new at once, as it may have to become one of the VM's threads.
  using Namer = std::function<std::vector<std::optional<NamedMethod>>(std::span<void* const>)>;
  // A thread's id and, for a new one, its name.
  using ThreadNamer = std::function<ThreadId(int32_t kernel_thread)>;

  // `start_ns`: the recording's, of the clock of the stacks' times.
  ContextBuilder(MethodRegistry& registry, Drops& drops, int64_t start_ns,
                 size_t max_contexts = kMaxContexts)
      : registry_(registry), drops_(drops), start_ns_(start_ns), max_contexts_(max_contexts) {}

  // Keeps it for the next Fold.
  void Add(const StackBuffer::Stack& stack);
  // All that were kept.
  void Fold(const Namer& namer, const ThreadNamer& thread_namer);

  // Since the last time; contexts before what is below them.
  struct Updates {
    std::vector<spool::ContextDefinition> contexts;
    std::vector<spool::ContextSamples> samples;
  };
  Updates TakeUpdates();
  // All contexts are new again: the recording goes on in another spool.
  void Retell();
  size_t context_count() const { return tree_.size(); }

 private:
  struct Kept {
    int64_t time_ns;
    int32_t thread;
    EdgeId call;
    std::vector<RawFrame> frames;  // Innermost first.
  };

  void NameNewMethods(const Namer& namer);
  std::optional<ContextId> ContextOf(const Kept& stack);
  // From the context of a frame, and the call in it, to that of the frame that it calls. False when
  // it cannot be told.
  bool Descend(const RawFrame& frame, ContextId& context, int32_t& call);
  bool Descend(const CodePlace& place, ContextId& context, int32_t& call);
  void MarkUsed(const CodePlace& place);
  // Frames that the stack has in common with the one that was read last, from the outermost on.
  size_t CommonWithLast(const Kept& stack) const;
  // Nothing when it is new and there are too many.
  std::optional<ContextId> ChildOf(ContextId parent, int32_t bci, MethodId method,
                                   CodeLabel code = {});

  MethodRegistry& registry_;
  Drops& drops_;
  const int64_t start_ns_;
  const size_t max_contexts_;
  std::vector<Kept> kept_;
  // The stack that was read last, from the outermost frame on, and where each frame led: stacks of
  // one time are mostly the same.
  struct Place {
    RawFrame frame;
    ContextId context = kRootContext;
    int32_t call = kNoBci;  // That the frame is making.
  };
  std::vector<Place> last_;
  std::unordered_map<void*, std::optional<NamedMethod>> named_;
  std::unordered_set<const void*> mentioned_;  // Places.
  CallingContextTree tree_;
  size_t told_contexts_ = 1;  // The root is never told.
  struct OfThread {
    int64_t start_ns = 0;
    std::map<ContextId, uint32_t> samples;
  };
  std::map<ThreadId, OfThread> samples_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_CONTEXT_BUILDER_H_
