#include "hotspot/stacks/context_builder.h"

#include <algorithm>
#include <span>

namespace yp::hotspot {

void ContextBuilder::Add(const StackBuffer::Stack& stack) {
  const auto begin = stack.frames.begin();
  kept_.push_back({stack.time_ns, stack.thread, stack.call, {begin, begin + stack.frame_count}});
}

void ContextBuilder::NameNewMethods(const Namer& namer) {
  std::vector<void*> unknown;
  std::span<const RawFrame> last;
  for (const Kept& stack : kept_) {
    const auto [begin, same] =
        std::mismatch(stack.frames.rbegin(), stack.frames.rend(), last.rbegin(), last.rend());
    for (auto frame = begin; frame != stack.frames.rend(); ++frame) {
      if (frame->method == nullptr) continue;
      if (frame->is_place()) {
        if (mentioned_.insert(frame->method).second) MarkUsed(frame->place());
        continue;
      }
      const auto [it, is_new] = named_.try_emplace(frame->method);
      if (is_new) unknown.push_back(frame->method);
    }
    last = stack.frames;
  }
  if (unknown.empty()) return;
  const std::vector<std::optional<NamedMethod>> names = namer(unknown);
  for (size_t i = 0; i < unknown.size(); ++i) {
    const bool has_name = i < names.size() && names[i].has_value();
    if (has_name) {
      if (names[i]->id != kNoMethod) registry_.MarkUsed(names[i]->id);
      named_[unknown[i]] = names[i];
    }
  }
}

// From the outermost frame on. The place of a call is where its caller's frame stands.
std::optional<ContextId> ContextBuilder::ContextOf(const Kept& stack) {
  last_.resize(CommonWithLast(stack));
  ContextId context = last_.empty() ? kRootContext : last_.back().context;
  int32_t call = last_.empty() ? kNoBci : last_.back().call;
  const auto rest = stack.frames.rbegin() + static_cast<std::ptrdiff_t>(last_.size());
  for (auto frame = rest; frame != stack.frames.rend(); ++frame) {
    const bool is_known =
        frame->is_place() ? Descend(frame->place(), context, call) : Descend(*frame, context, call);
    if (!is_known) return std::nullopt;
    last_.push_back({*frame, context, call});
  }
  if (stack.call == kNoEdge) return context;
  return ChildOf(context, call, registry_.EdgeOf(stack.call).callee);
}

bool ContextBuilder::Descend(const RawFrame& frame, ContextId& context, int32_t& call) {
  const auto known = named_.find(frame.method);
  if (known == named_.end() || !known->second) {
    drops_.Add(Drop::kMethodGone);
    return false;
  }
  const NamedMethod& method = *known->second;
  if (method.id == kNoMethod) return true;
  const std::optional<ContextId> child =
      ChildOf(context, call, method.id, CodeLabel::FromPacked(frame.code));
  if (!child) return false;
  context = *child;
  const bool has_bci = frame.bci >= 0;
  call = !has_bci ? kNoBci : method.map != nullptr ? method.map->OriginalBci(frame.bci) : frame.bci;
  return true;
}

bool ContextBuilder::Descend(const CodePlace& place, ContextId& context, int32_t& call) {
  // Not std::views::reverse: clang 14 cannot compile what libstdc++ 12 has of it.
  for (auto frame = place.frames.rbegin(); frame != place.frames.rend(); ++frame) {
    const std::optional<ContextId> child = ChildOf(context, call, frame->method);
    if (!child) return false;
    context = *child;
    call = frame->bci;
  }
  return true;
}

void ContextBuilder::Retell() {
  told_contexts_ = 1;
  mentioned_.clear();
  for (const CallingContextTree::Node& node : tree_.nodes()) {
    if (node.method != kNoMethod) registry_.MarkUsed(node.method);
  }
}

void ContextBuilder::MarkUsed(const CodePlace& place) {
  for (const CodePlace::Frame& frame : place.frames) registry_.MarkUsed(frame.method);
}

size_t ContextBuilder::CommonWithLast(const Kept& stack) const {
  const auto [frame, place] =
      std::mismatch(stack.frames.rbegin(), stack.frames.rend(), last_.begin(), last_.end(),
                    [](const RawFrame& a, const Place& b) { return a == b.frame; });
  return static_cast<size_t>(place - last_.begin());
}

std::optional<ContextId> ContextBuilder::ChildOf(ContextId parent, int32_t bci, MethodId method,
                                                 CodeLabel code) {
  if (tree_.size() >= max_contexts_ && !tree_.FindChild(parent, bci, method, code)) {
    drops_.Add(Drop::kContextsFull);
    return std::nullopt;
  }
  return tree_.Child(parent, bci, method, code);
}

void ContextBuilder::Fold(const Namer& namer, const ThreadNamer& thread_namer) {
  NameNewMethods(namer);
  last_.clear();
  for (const Kept& stack : kept_) {
    const std::optional<ContextId> context = ContextOf(stack);
    if (!context || *context == kRootContext) continue;
    OfThread& thread = samples_[thread_namer(stack.thread)];
    const int64_t since_start = stack.time_ns - start_ns_;
    thread.start_ns = thread.samples.empty() ? since_start : std::min(thread.start_ns, since_start);
    ++thread.samples[*context];
  }
  kept_.clear();
}

ContextBuilder::Updates ContextBuilder::TakeUpdates() {
  Updates updates;
  for (; told_contexts_ < tree_.size(); ++told_contexts_) {
    const CallingContextTree::Node& node = tree_.nodes()[told_contexts_];
    updates.contexts.push_back({ContextId{static_cast<uint32_t>(told_contexts_)}, node.parent,
                                node.bci, node.method, node.code});
  }
  for (const auto& [thread, of_thread] : samples_) {
    updates.samples.push_back(
        {of_thread.start_ns, thread, {of_thread.samples.begin(), of_thread.samples.end()}});
  }
  samples_.clear();
  return updates;
}

}  // namespace yp::hotspot
